#include "ta2s2/report/judged_runs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ta2s2/predictive/scores.hpp"
#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::report {
namespace {

// The numbers of a JudgedRun, in their order.
Payload judge_run(const PredictiveLaw& prediction, Index index, double observed) {
  const PointScores scores = score_point(prediction, observed);
  return {static_cast<double>(index + 1),
          observed,
          prediction.mean(),
          std::sqrt(prediction.variance()),
          prediction.quantile(0.025),
          prediction.quantile(0.975),
          scores.crps,
          scores.negative_log_density,
          scores.interval_score_95,
          scores.pit};
}

void judge_each(Index count, const std::function<Payload(Index)>& judge, Executor& executor,
                std::vector<JudgedRun>& judged) {
  const std::vector<double> costs(static_cast<std::size_t>(count), 1.0);
  for (const Payload& p : executor.map(costs, [&](Index i, int) { return judge(i); })) {
    judged.push_back({static_cast<Index>(p[0]), p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]});
  }
}

double mean_of(const std::vector<JudgedRun>& runs, const std::function<double(const JudgedRun&)>& value) {
  double sum = 0.0;
  for (const JudgedRun& run : runs) sum += value(run);
  return sum / static_cast<double>(runs.size());
}

double variance(const Vector& values) {
  return (values.array() - values.mean()).square().mean();
}

}  // namespace

std::vector<JudgedRun> judge_validation(const Predictive& predictive, MatrixView inputs, const Vector& outputs,
                                        Executor& executor) {
  std::vector<JudgedRun> judged;
  const Index block_size = predictive.block_size();
  for (Index first = 0; first < inputs.rows(); first += block_size) {
    const Index count = std::min(block_size, inputs.rows() - first);
    const MixtureBlock block = predictive.mixtures(inputs.middleRows(first, count), Predict::new_run, executor);
    const auto judge = [&](Index i) { return judge_run(block.at(i), first + i, outputs[first + i]); };
    judge_each(count, judge, executor, judged);
  }
  return judged;
}

std::vector<JudgedRun> judge_left_out(const LeftOutRuns& runs, const Vector& outputs, Executor& executor) {
  std::vector<Index> known;
  for (Index i = 0; i < runs.num_runs(); ++i) {
    if (runs.is_known[static_cast<std::size_t>(i)]) known.push_back(i);
  }
  const auto judge = [&](Index i) {
    const Index run = known[static_cast<std::size_t>(i)];
    return judge_run(runs.at(run), run, outputs[run]);
  };
  std::vector<JudgedRun> judged;
  judge_each(static_cast<Index>(known.size()), judge, executor, judged);
  return judged;
}

ScoreRow total_scores(const std::vector<JudgedRun>& runs) {
  const auto squared_error = [](const JudgedRun& run) { return std::pow(run.observed - run.mean, 2); };
  return {static_cast<Index>(runs.size()),
          std::sqrt(mean_of(runs, squared_error)),
          mean_of(runs, &JudgedRun::crps),
          mean_of(runs, &JudgedRun::negative_log_density),
          mean_of(runs, &JudgedRun::interval_score),
          mean_of(runs, [](const JudgedRun& run) { return run.is_covered(0.95) ? 1.0 : 0.0; })};
}

Index num_covered(const std::vector<JudgedRun>& runs, double level) {
  return std::count_if(runs.begin(), runs.end(), [&](const JudgedRun& run) { return run.is_covered(level); });
}

double JudgedPredictions::explained() const {
  return output_variance > 0.0 ? 1.0 - std::pow(total_scores(posterior).rmse, 2) / output_variance : 0.0;
}

Index LeftOutPredictions::num_above(double limit) const {
  return std::count_if(k_hat.begin(), k_hat.end(), [&](double k) { return k > limit; });
}

LeftOutPredictions predict_left_out(const OutputRecord& output, Executor& executor) {
  const LeftOutRuns of_posterior = left_out_runs(output, executor);
  const LeftOutRuns of_map = leave_one_out(make_plug_in(output), 1.0, executor);
  LeftOutPredictions result;
  const MemberRecord& fit = output.members.front();
  const Vector& outputs = fit.data.output();
  result.runs.posterior = judge_left_out(of_posterior, outputs, executor);
  result.runs.map = judge_left_out(of_map, outputs, executor);
  result.runs.output_variance = variance(outputs);
  result.num_draws = of_posterior.weights.rows();
  result.facts = output.left_out ? *output.left_out : find_left_out_facts(of_posterior, output, executor);
  for (Index i = 0; i < of_posterior.num_runs(); ++i) {
    const auto run = static_cast<std::size_t>(i);
    if (!of_posterior.is_known[run]) result.cannot_miss.push_back(i + 1);
    if (of_posterior.is_known[run] && fit.has_sample()) result.k_hat.push_back(of_posterior.k_hat[run]);
  }
  return result;
}

ValidationPredictions predict_validation(const OutputRecord& output, const OutputRuns& validation, Executor& executor) {
  const MemberRecord& fit = output.members.front();
  fit.scaling.require_positive(validation);
  const Matrix unit = fit.scaling.to_unit(validation.inputs());
  ValidationPredictions result;
  for (Index i = 0; i < unit.rows(); ++i) {
    const double beyond = std::max(-unit.row(i).minCoeff(), unit.row(i).maxCoeff() - 1.0);
    result.is_outside.push_back(beyond > 0.0);
    result.farthest = std::max(result.farthest, beyond);
  }
  const Matrix& inputs = validation.inputs();
  const Vector& outputs = validation.output();
  result.runs.posterior = judge_validation(make_predictive(output), inputs, outputs, executor);
  result.runs.map = judge_validation(make_plug_in(output), inputs, outputs, executor);
  result.runs.output_variance = variance(outputs);
  JointReplicates joint = replicate_jointly(output, validation, executor);
  const std::uint64_t seed = fit.options.annealing.seed;
  result.runs.chance = std::move(joint.chance);
  result.runs.distance = joint.distance;
  result.runs.map_distance = replicate_jointly(make_plug_in(output), inputs, outputs, seed, executor).distance;
  result.num_joint = joint.num_points;
  return result;
}

}  // namespace ta2s2::report
