#include "ta2s2/workflow/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ta2s2/smc/thinning.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {
namespace {

constexpr Index kFewestLeftOutDraws = 200, kMostLeftOutDraws = 2000;

Index left_out_draws(Index num_runs) {
  const double cube = std::pow(static_cast<double>(num_runs), 3);
  return static_cast<Index>(std::clamp<double>(1e10 / cube, kFewestLeftOutDraws, kMostLeftOutDraws));
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

LeftOutRuns left_out_by(const FitRecord& fit, Index num_draws, Executor& executor) {
  const PosteriorSample sample = some_draws(fit, num_draws);
  return leave_one_out(make_emulator(fit, sample), relative_efficiency(fit, sample.size()), executor);
}

// p(model | runs without one) is proportional to p(model | runs) / p(that run | the others, model).
std::vector<double> weights_without(Index run, const std::vector<LeftOutRuns>& members, const OutputRecord& output) {
  if (output.weighting != "evidence") return output.weights;
  std::vector<double> logs;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const double log_density = members[k].at(run).log_density(output.fits[k].data.output()[run]);
    logs.push_back(std::log(output.weights[k]) - log_density);
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (double& value : logs) sum += value = std::exp(value - largest);
  for (double& value : logs) value /= sum;
  return logs;
}

Index num_draws(const std::vector<LeftOutRuns>& members) {
  Index sum = 0;
  for (const LeftOutRuns& member : members) sum += member.weights.rows();
  return sum;
}

// The members' draws one after another, a column per run.
Matrix stacked(const std::vector<LeftOutRuns>& members, Matrix LeftOutRuns::*part) {
  Matrix all(num_draws(members), members.front().num_runs());
  Index filled = 0;
  for (const LeftOutRuns& member : members) {
    const Matrix& own = member.*part;
    all.middleRows(filled, own.rows()) = own;
    filled += own.rows();
  }
  return all;
}

// Weighs the members' columns of one run and notes the largest k-hat of those that carry it.
void weigh_members(Index run, const std::vector<double>& weights, const std::vector<LeftOutRuns>& members,
                   LeftOutRuns& all) {
  constexpr double kCarries = 0.01;
  Index filled = 0;
  double k_hat = -kInfinity;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Index count = members[k].weights.rows();
    all.weights.col(run).segment(filled, count) *= weights[k];
    filled += count;
    if (weights[k] >= kCarries) k_hat = std::max(k_hat, members[k].k_hat[static_cast<std::size_t>(run)]);
  }
  all.k_hat.push_back(k_hat);
}

LeftOutRuns averaged(const std::vector<LeftOutRuns>& members, const OutputRecord& output) {
  LeftOutRuns all{stacked(members, &LeftOutRuns::weights),
                  stacked(members, &LeftOutRuns::means),
                  stacked(members, &LeftOutRuns::scales),
                  members.front().degrees_of_freedom,
                  members.front().path,
                  {},
                  {}};
  for (Index run = 0; run < all.num_runs(); ++run) {
    const bool is_known = std::all_of(members.begin(), members.end(), [&](const LeftOutRuns& member) {
      return member.is_known[static_cast<std::size_t>(run)];
    });
    all.is_known.push_back(is_known);
    weigh_members(run, is_known ? weights_without(run, members, output) : output.weights, members, all);
  }
  return all;
}

}  // namespace

LeftOutRuns left_out_runs(const FitRecord& fit, Executor& executor) {
  return left_out_by(fit, left_out_draws(fit.data.num_runs()), executor);
}

LeftOutRuns left_out_runs(const OutputRecord& output, Executor& executor) {
  if (is_single(output)) return left_out_runs(output.fits.front(), executor);
  const auto num_models = static_cast<Index>(output.fits.size());
  std::vector<LeftOutRuns> members;
  for (const FitRecord& fit : output.fits) {
    const Index share = left_out_draws(fit.data.num_runs()) / num_models;
    members.push_back(left_out_by(fit, std::max(share, kFewestLeftOutDraws), executor));
  }
  return averaged(members, output);
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
