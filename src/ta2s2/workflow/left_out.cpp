#include "ta2s2/workflow/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ta2s2/smc/thinning.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {
namespace {

Index left_out_draws(Index num_runs) {
  const double cube = std::pow(static_cast<double>(num_runs), 3);
  return static_cast<Index>(std::clamp(1e10 / cube, 200.0, 2000.0));
}

// What a draw of the sample is worth.
double relative_efficiency(const FitRecord& fit, Index num_draws) {
  const double independent = sample_size(fit).of_chains;
  return independent > 0.0 ? std::min(1.0, independent / static_cast<double>(num_draws)) : 1.0;
}

PosteriorSample some_draws(const FitRecord& fit, Index count) {
  // Level 1, chain 1: the fit's own thinning has level 0, and that of a report's other panels other chains.
  Stream stream({fit.options.annealing.seed, Purpose::thinning, 1, 1, 0});
  const ThinnedDraws thinned = thin(fit.sample.weights, count, stream);
  return {fit.sample.names, fit.sample.positions(Eigen::all, thinned.kept), thinned.weights,
          fit.sample.energies(thinned.kept)};
}

}  // namespace

LeftOutRuns left_out_runs(const FitRecord& fit, Executor& executor) {
  const PosteriorSample sample = some_draws(fit, left_out_draws(fit.data.num_runs()));
  return leave_one_out(make_emulator(fit, sample), relative_efficiency(fit, sample.size()), executor);
}

LeftOutScores left_out_scores(const FitRecord& fit, Executor& executor) {
  const LeftOutRuns runs = left_out_runs(fit, executor);
  const Index n = runs.num_runs();
  const auto task = [&](Index i, int) -> Payload {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (!runs.is_known[static_cast<std::size_t>(i)]) return {kNone, kNone};
    const StudentMixture predicted = runs.at(i);
    return {predicted.log_density(fit.data.output()[i]), predicted.crps(fit.data.output()[i])};
  };
  const std::vector<Payload> payloads = executor.map(std::vector<double>(static_cast<std::size_t>(n), 1.0), task);
  LeftOutScores scores{Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const auto run = static_cast<std::size_t>(i);
    scores.log_density[i] = payloads[run][0];
    scores.crps[i] = payloads[run][1];
    scores.num_unreliable += runs.is_known[run] && runs.k_hat[run] > kLargestShape ? 1 : 0;
  }
  return scores;
}

}  // namespace ta2s2
