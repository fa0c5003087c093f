#include "ta2s2/workflow/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/payload_reader.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/recalibration.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {
namespace {

constexpr Index kFewestDraws = 200;
// Facts need a count of runs inside intervals and a typical error, which 400 draws tell; stacking compares densities.
constexpr Index kMostDrawsOfFacts = 400, kMostDrawsOfScores = 2000;

Index left_out_draws(Index num_runs, Index most) {
  const double cube = std::pow(static_cast<double>(num_runs), 3);
  return static_cast<Index>(std::clamp<double>(1e10 / cube, kFewestDraws, static_cast<double>(most)));
}

// What a draw of the sample is worth.
double relative_efficiency(const MemberRecord& fit, Index num_draws) {
  const double independent = sample_size(fit).of_chains;
  return independent > 0.0 ? std::min(1.0, independent / static_cast<double>(num_draws)) : 1.0;
}

// Level 1, chain 1: the fit's own thinning has level 0, and that of a report's other panels other chains.
Stream thinning_stream(const MemberRecord& fit) {
  return Stream({fit.options.annealing.seed, Purpose::thinning, 1, 1, 0});
}

PosteriorSample some_draws(const MemberRecord& fit, Index count) {
  Stream stream = thinning_stream(fit);
  const ThinnedDraws thinned = thin(fit.sample.weights, count, stream);
  return {fit.sample.names, fit.sample.positions(Eigen::all, thinned.kept), thinned.weights,
          fit.sample.energies(thinned.kept)};
}

LeftOutRuns left_out_by(const MemberRecord& fit, Index num_draws, Executor& executor) {
  const PosteriorSample sample = some_draws(fit, num_draws);
  return leave_one_out(make_predictive(fit, sample), relative_efficiency(fit, sample.size()), executor);
}

// One posterior, over models and hyper-parameters.
LeftOutRuns left_out_jointly(const OutputRecord& output, Executor& executor) {
  const MemberRecord& first = output.members.front();
  Stream stream = thinning_stream(first);
  const Predictive predictive =
      average_of(output).thinned(left_out_draws(first.data.num_runs(), kMostDrawsOfFacts), stream);
  double efficiency = 0.0;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    efficiency += output.weights[k] * relative_efficiency(output.members[k], predictive.num_draws());
  }
  return leave_one_out(predictive, efficiency, executor);
}

// The members' draws one after another, a column per run.
Matrix stacked(const std::vector<LeftOutRuns>& members, Matrix LeftOutRuns::*part) {
  Index num_draws = 0, filled = 0;
  for (const LeftOutRuns& member : members) num_draws += member.weights.rows();
  Matrix all(num_draws, members.front().num_runs());
  for (const LeftOutRuns& member : members) {
    const Matrix& own = member.*part;
    all.middleRows(filled, own.rows()) = own;
    filled += own.rows();
  }
  return all;
}

// Of each run, the largest k-hat of the members that carry its prediction: those of small weight are its tails.
double largest_k_hat(std::size_t run, const std::vector<LeftOutRuns>& members, const std::vector<double>& weights) {
  const double least = std::min(JudgeLimits::small_weight, *std::max_element(weights.begin(), weights.end()));
  double largest = -kInfinity;
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (weights[k] >= least) largest = std::max(largest, members[k].k_hat[run]);
  }
  return largest;
}

// Plain only if all are.
LawFrame joined_frame(const std::vector<LeftOutRuns>& members) {
  std::vector<std::shared_ptr<const LawFrame>> frames;
  for (const LeftOutRuns& member : members) frames.push_back(member.frame);
  return LawFrame::join(frames);
}

LeftOutRuns averaged(std::vector<LeftOutRuns> members, const std::vector<double>& weights) {
  const auto frame = std::make_shared<const LawFrame>(joined_frame(members));
  for (std::size_t k = 0; k < members.size(); ++k) {
    members[k] = members[k].in_frame(frame);
    members[k].weights *= weights[k];
  }
  LeftOutRuns all{stacked(members, &LeftOutRuns::weights),
                  stacked(members, &LeftOutRuns::means),
                  stacked(members, &LeftOutRuns::scales),
                  members.front().degrees_of_freedom,
                  members.front().path,
                  {},
                  {},
                  frame};
  for (std::size_t run = 0; run < static_cast<std::size_t>(all.num_runs()); ++run) {
    all.is_known.push_back(
        std::all_of(members.begin(), members.end(), [&](const LeftOutRuns& member) { return member.is_known[run]; }));
    all.k_hat.push_back(largest_k_hat(run, members, weights));
  }
  return all;
}

// As the models say it.
LeftOutRuns left_out_of_models(const OutputRecord& output, Executor& executor) {
  if (is_single(output)) return left_out_runs(output.members.front(), executor);
  if (output.weighting == Weighting::evidence) return left_out_jointly(output, executor);
  const auto num_models = static_cast<Index>(output.members.size());
  std::vector<LeftOutRuns> members;
  for (const MemberRecord& fit : output.members) {
    const Index share = left_out_draws(fit.data.num_runs(), kMostDrawsOfFacts) / num_models;
    members.push_back(left_out_by(fit, std::max(share, kFewestDraws), executor));
  }
  return averaged(std::move(members), output.weights);
}

}  // namespace

LeftOutRuns left_out_runs(const MemberRecord& fit, Executor& executor) {
  return left_out_by(fit, left_out_draws(fit.data.num_runs(), kMostDrawsOfFacts), executor);
}

LeftOutRuns left_out_runs(const OutputRecord& output, Executor& executor) {
  return recalibrated(left_out_of_models(output, executor), output.recalibration);
}

LeftOutFacts find_left_out_facts(const LeftOutRuns& runs, const OutputRecord& output, Executor& executor) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const MemberRecord& member = output.members.front();
  const auto task = [&](Index i, int) -> Payload {
    if (!runs.is_known[static_cast<std::size_t>(i)]) return {kNone, kNone, kNone, kNone};
    const PredictiveLaw predicted = runs.at(i);
    const double observed = member.data.output()[i];
    return {predicted.mean(), std::sqrt(predicted.variance()), predicted.cdf(observed), predicted.crps(observed)};
  };
  const Index n = runs.num_runs();
  const std::vector<Payload> payloads = executor.map(std::vector<double>(static_cast<std::size_t>(n), 1.0), task);
  LeftOutFacts facts{runs.weights.rows(), Vector(n), Vector(n), Vector(n), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const auto run = static_cast<std::size_t>(i);
    PayloadReader reader(payloads[run]);
    facts.mean[i] = reader.number();
    facts.sd[i] = reader.number();
    facts.pit[i] = reader.number();
    facts.crps[i] = reader.number();
    facts.k_hat[i] = member.has_sample() && std::isfinite(runs.k_hat[run]) ? runs.k_hat[run] : kNone;
  }
  return facts;
}

LeftOutFacts find_left_out_facts(const OutputRecord& output, Executor& executor) {
  try {
    return find_left_out_facts(left_out_runs(output, executor), output, executor);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data) throw;
    return {};
  }
}

void learn_from_left_out(OutputRecord& output, Executor& executor) {
  output.recalibration.reset();
  const bool is_asked = output.members.front().options.recalibration == Recalibration::left_out;
  if (is_asked) output.recalibration = 1.0;
  try {
    const LeftOutRuns runs = left_out_of_models(output, executor);
    output.left_out = find_left_out_facts(runs, output, executor);
    if (!is_asked) return;
    output.recalibration = find_recalibration(output.left_out->pit);
    if (*output.recalibration == 1.0) return;
    output.left_out = find_left_out_facts(recalibrated(runs, output.recalibration), output, executor);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data) throw;
    output.left_out = LeftOutFacts{};
  }
}

LeftOutFacts left_out_facts(const OutputRecord& output, Executor& executor) {
  return output.left_out ? *output.left_out : find_left_out_facts(output, executor);
}

bool can_leave_one_out(const MemberRecord& fit) {
  return make_model(fit)->degrees_of_freedom() >= kFewestFreedomToLeaveOut;
}

LeftOutScores left_out_scores(const MemberRecord& fit, Executor& executor) {
  const LeftOutRuns runs = left_out_by(fit, left_out_draws(fit.data.num_runs(), kMostDrawsOfScores), executor);
  const Index n = runs.num_runs();
  const auto task = [&](Index i, int) -> Payload {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (!runs.is_known[static_cast<std::size_t>(i)]) return {kNone, kNone};
    const PredictiveLaw predicted = runs.at(i);
    return {predicted.log_density(fit.data.output()[i]), predicted.crps(fit.data.output()[i])};
  };
  const std::vector<Payload> payloads = executor.map(std::vector<double>(static_cast<std::size_t>(n), 1.0), task);
  LeftOutScores scores{Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const auto run = static_cast<std::size_t>(i);
    PayloadReader reader(payloads[run]);
    scores.log_density[i] = reader.number();
    scores.crps[i] = reader.number();
    scores.num_unreliable += runs.is_known[run] && runs.k_hat[run] > JudgeLimits::largest_shape ? 1 : 0;
  }
  return scores;
}

}  // namespace ta2s2
