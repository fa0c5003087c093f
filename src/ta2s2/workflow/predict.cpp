#include "ta2s2/workflow/predict.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/recalibration.hpp"

namespace ta2s2 {
namespace {

// That of the fit, so that predictions repeat to the bit; a model from another processor predicts on the best one here.
InstructionSet path_of(const MemberRecord& record) {
  for (const InstructionSet path : supported_instruction_sets()) {
    if (instruction_set_name(path) == record.options.simd) return path;
  }
  return best_instruction_set();
}

constexpr Index kPointsPerTask = 16;

Index num_point_tasks(Index num_points) {
  return (num_points + kPointsPerTask - 1) / kPointsPerTask;
}

}  // namespace

Predictive make_predictive(const MemberRecord& record, const PosteriorSample& sample) {
  return Predictive(make_model(record), record.scaling, make_space(record), sample, path_of(record));
}

Predictive make_predictive(const MemberRecord& record) {
  return make_predictive(record, record.sample);
}

Predictive make_plug_in(const MemberRecord& record) {
  return make_predictive(
      record, {record.sample.names, record.map.position, Vector::Ones(1), Vector::Constant(1, record.map.energy)});
}

Predictive average_of(const OutputRecord& output) {
  std::vector<Predictive> members;
  for (const MemberRecord& fit : output.members) members.push_back(make_predictive(fit));
  return Predictive::average(members, output.weights);
}

Predictive make_predictive(const OutputRecord& output) {
  return recalibrated(average_of(output), output.recalibration);
}

Predictive make_plug_in(const OutputRecord& output) {
  return make_plug_in(heaviest_member(output));
}

PredictionSummary summarise(const Predictive& predictive, MatrixView points, Predict what,
                            const std::vector<double>& levels, Executor& executor) {
  const MixtureBlock block = predictive.mixtures(points, what, executor);
  const auto num_levels = static_cast<Index>(levels.size());
  const Index width = 2 + num_levels;
  const auto task = [&](Index group, int) {
    Payload payload;
    const Index end = std::min((group + 1) * kPointsPerTask, block.num_points());
    for (Index i = group * kPointsPerTask; i < end; ++i) {
      const PredictiveLaw law = block.at(i);
      payload.push_back(law.mean());
      payload.push_back(std::sqrt(law.variance()));
      for (const double level : levels) payload.push_back(law.quantile(level));
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>(num_point_tasks(block.num_points())), 1.0);
  const std::vector<Payload> payloads = executor.map(costs, task);

  PredictionSummary summary{Vector(points.rows()), Vector(points.rows()), Matrix(points.rows(), num_levels)};
  for (Index i = 0; i < points.rows(); ++i) {
    const double* numbers =
        payloads[static_cast<std::size_t>(i / kPointsPerTask)].data() + width * (i % kPointsPerTask);
    summary.mean[i] = numbers[0];
    summary.sd[i] = numbers[1];
    for (Index q = 0; q < num_levels; ++q) summary.quantiles(i, q) = numbers[2 + q];
  }
  return summary;
}

namespace {

Payload pack(const PointScores& scores) {
  Payload payload = {
      scores.error, scores.crps, scores.crps_normal_mixture, scores.negative_log_density, scores.interval_score_95,
      scores.pit};
  for (const bool covered : scores.covered) payload.push_back(covered ? 1.0 : 0.0);
  return payload;
}

PointScores unpack(const Payload& payload) {
  PointScores scores{payload[0], payload[1], payload[2], payload[3], payload[4], {}, payload[5]};
  for (std::size_t i = 0; i < scores.covered.size(); ++i) scores.covered[i] = payload[6 + i] != 0.0;
  return scores;
}

}  // namespace

Scores validate(const Predictive& predictive, const OutputRuns& runs, Executor& executor) {
  ScoreAccumulator scores;
  const Index block_size = predictive.block_size();
  for (Index first = 0; first < runs.num_runs(); first += block_size) {
    const Index count = std::min(block_size, runs.num_runs() - first);
    const MixtureBlock block = predictive.mixtures(runs.inputs().middleRows(first, count), Predict::new_run, executor);
    const auto task = [&](Index i, int) { return pack(score_point(block.at(i), runs.output()[first + i])); };
    const std::vector<double> costs(static_cast<std::size_t>(count), 1.0);
    for (const Payload& payload : executor.map(costs, task)) scores.add(unpack(payload));
  }
  return scores.result();
}

}  // namespace ta2s2
