#include "ta2s2/report/detail/judged_predictions.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::detail {
namespace {

double variance(const Vector& values) {
  return (values.array() - values.mean()).square().mean();
}

// Level 1: the fit's own thinning has level 0.
Stream stream_of(const MemberRecord& fit, Thinning purpose) {
  return Stream({fit.options.annealing.seed, Purpose::thinning, 1, static_cast<std::uint64_t>(purpose), 0});
}

}  // namespace

double JudgedPredictions::explained() const {
  return output_variance > 0.0 ? 1.0 - std::pow(total_scores(posterior).rmse, 2) / output_variance : 0.0;
}

Index LeftOutPredictions::num_unreliable() const {
  return std::count_if(k_hat.begin(), k_hat.end(), [](double k) { return k > JudgeLimits::largest_shape; });
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

PosteriorSample thinned_sample(const MemberRecord& fit, Index count, Thinning purpose) {
  const PosteriorSample& all = fit.sample;
  Stream stream = stream_of(fit, purpose);
  const ThinnedDraws thinned = thin(all.weights, count, stream);
  return {all.names, all.positions(Eigen::all, thinned.kept), thinned.weights, all.energies(thinned.kept)};
}

Predictive thinned_predictive(const OutputRecord& output, Index count, Thinning purpose) {
  Stream stream = stream_of(output.members.front(), purpose);
  return make_predictive(output).thinned(count, stream);
}

}  // namespace ta2s2::detail
