#include "whole_run/study.hpp"

#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2::whole_run {
namespace {

struct WeightedSample {
  const Matrix& positions;
  Vector weights;  // sum to one
  double log_evidence;
};

std::vector<Quantity> quantities_of(const ExactTarget& target) {
  std::vector<Quantity> all;
  for (const std::string& name : target.names()) {
    all.push_back({Kind::mean, name + " mean"});
    all.push_back({Kind::sd, name + " sd"});
    for (const double level : kTruthLevels)
      all.push_back({Kind::quantile, name + " quantile " + std::to_string(level)});
  }
  // The first mode's weight is what the others leave.
  for (Index mode = 1; mode < target.num_modes(); ++mode) {
    all.push_back({Kind::mode_weight, "weight of mode " + std::to_string(mode + 1)});
  }
  all.push_back({Kind::log_evidence, "log evidence"});
  return all;
}

double weight_below(const WeightedSample& sample, Index d, double place) {
  return (sample.positions.row(d).transpose().array() < place).select(sample.weights.array(), 0.0).sum();
}

Vector mode_weights(const ExactTarget& target, const WeightedSample& sample) {
  Vector sums = Vector::Zero(target.num_modes());
  for (Index i = 0; i < sample.weights.size(); ++i) sums[target.mode_of(sample.positions.col(i))] += sample.weights[i];
  return sums;
}

// In the order of quantities_of().
std::vector<double> errors_of(const WeightedSample& sample, const ExactTarget& target, const Truth& truth) {
  std::vector<double> errors;
  for (Index d = 0; d < target.dim(); ++d) {
    const Vector x = sample.positions.row(d).transpose();
    const double mean = sample.weights.dot(x);
    const double sd = std::sqrt(sample.weights.dot((x.array() - mean).square().matrix()));
    errors.push_back((mean - truth.mean[d]) / truth.sd[d]);
    errors.push_back((sd - truth.sd[d]) / truth.sd[d]);
    for (std::size_t q = 0; q < kTruthLevels.size(); ++q) {
      errors.push_back(weight_below(sample, d, truth.quantiles(d, static_cast<Index>(q))) - kTruthLevels[q]);
    }
  }
  const Vector weights = mode_weights(target, sample);
  for (Index mode = 1; mode < target.num_modes(); ++mode) errors.push_back(weights[mode] - truth.mode_weights[mode]);
  errors.push_back(sample.log_evidence - truth.log_evidence);
  return errors;
}

struct RunErrors {
  std::vector<double> final, recycled;
  double reported_error = 0.0, evaluations = 0.0;
};

RunErrors run_once(const Problem& problem, const Truth& truth, const AnnealOptions& options) {
  ThreadExecutor one_thread(1);
  Observer silent;
  const AnnealResult run = anneal(*problem.sampled, options, {one_thread, silent});
  const RecycledSample recycled = recycle(run);
  const Population& last = run.final();
  const Vector equal = Vector::Constant(last.size(), 1.0 / static_cast<double>(last.size()));
  return {errors_of({last.positions, equal, run.log_evidence}, *problem.exact, truth),
          errors_of({recycled.positions, recycled.weights, recycled.log_evidence}, *problem.exact, truth),
          run.log_evidence_error, static_cast<double>(run.evaluations())};
}

RunErrors run_once(const Problem& problem, const Truth& truth, const PassOptions& options) {
  ThreadExecutor one_thread(1);
  Observer silent;
  const SamplerResult run = run_passes(*problem.sampled, options, {one_thread, silent});
  const auto errors =
      errors_of({run.states.positions, run.states.weights, run.evidence->log_evidence}, *problem.exact, truth);
  double evaluations = 0.0;
  for (const LevelSummary& level : run.levels) evaluations += static_cast<double>(level.evaluations);
  return {errors, errors, run.evidence->standard_error, evaluations};
}

template <class Options>
Study study_seeds(const Problem& problem, const Options& options, Index num_seeds, Executor& executor) {
  const Truth truth = problem.exact->truth();
  std::vector<RunErrors> runs(static_cast<std::size_t>(num_seeds));
  const std::vector<double> costs(runs.size(), 1.0);
  executor.map(costs, [&](Index index, int) {
    Options seeded = options;
    seeded.seed = static_cast<std::uint64_t>(index) + 1;
    runs[static_cast<std::size_t>(index)] = run_once(problem, truth, seeded);
    return Payload{};
  });

  Study study;
  study.quantities = quantities_of(*problem.exact);
  const auto num_quantities = static_cast<Index>(study.quantities.size());
  study.final_errors.resize(num_quantities, num_seeds);
  study.recycled_errors.resize(num_quantities, num_seeds);
  study.reported_errors.resize(num_seeds);
  for (Index s = 0; s < num_seeds; ++s) {
    const RunErrors& run = runs[static_cast<std::size_t>(s)];
    study.final_errors.col(s) = Eigen::Map<const Vector>(run.final.data(), num_quantities);
    study.recycled_errors.col(s) = Eigen::Map<const Vector>(run.recycled.data(), num_quantities);
    study.reported_errors[s] = run.reported_error;
    study.evaluations += run.evaluations / static_cast<double>(num_seeds);
  }
  return study;
}

}  // namespace

Study run_seeds(const Problem& problem, const AnnealOptions& options, Index num_seeds, Executor& executor) {
  return study_seeds(problem, options, num_seeds, executor);
}

Study run_seeds(const Problem& problem, const PassOptions& options, Index num_seeds, Executor& executor) {
  return study_seeds(problem, options, num_seeds, executor);
}

}  // namespace ta2s2::whole_run
