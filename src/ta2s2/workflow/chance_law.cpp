#include "ta2s2/workflow/chance_law.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>

#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/predictive/joint_predictions.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {
namespace {

// The rarest event that a judgement asks for happens once in a thousand.
constexpr Index kNumReplicates = 2000;

// As many draws as joint predictions at kMostJointPoints can take in a few seconds.
Index joint_draws(Index num_runs) {
  const double cube = std::pow(static_cast<double>(num_runs + kMostJointPoints), 3);
  return static_cast<Index>(std::clamp(2e10 / cube, 16.0, 128.0));
}

std::vector<Index> even_choice(Index count, Index most) {
  const Index step = (count + most - 1) / most;
  std::vector<Index> chosen;
  for (Index i = 0; i < count; i += step) chosen.push_back(i);
  return chosen;
}

// How many replicates each draw makes: as its weight says, to one.
std::vector<Index> shares_of(const Vector& weights) {
  std::vector<Index> shares;
  double sum = 0.0;
  Index given = 0;
  for (const double weight : weights) {
    sum += weight;
    const Index until = std::clamp<Index>(std::llround(sum * kNumReplicates), given, kNumReplicates);
    shares.push_back(until - given);
    given = until;
  }
  shares.back() += kNumReplicates - given;
  return shares;
}

// The outputs that one draw predicts jointly, a column per replicate.
Matrix replicates_of(const JointLaw& law, Index draw, Index num_points, Index count, std::uint64_t seed) {
  Matrix outputs(num_points, count);
  for (Index r = 0; r < count; ++r) {
    // Chain and step: streams that no other draw of this seed names.
    Stream stream({seed, Purpose::predictive_draw, 1, static_cast<std::uint64_t>(draw), static_cast<std::uint64_t>(r)});
    outputs.col(r) = law.sample(stream);
  }
  return outputs;
}

Matrix all_replicates(const Predictive& predictive, MatrixView points, std::uint64_t seed, Executor& executor) {
  const Matrix unit = predictive.scaling().to_unit(points);
  const std::vector<Index> shares = shares_of(predictive.weights());
  const std::shared_ptr<const LawFrame> frame = predictive.law_frame();
  const auto task = [&](Index draw, int) {
    const Index count = shares[static_cast<std::size_t>(draw)];
    if (count == 0) return Payload();
    const JointLaw law(predictive, frame, draw, unit, Predict::new_run);
    const Matrix outputs = replicates_of(law, draw, unit.rows(), count, seed);
    return Payload(outputs.data(), outputs.data() + outputs.size());
  };
  const std::vector<double> costs(shares.size(), 1.0);
  Matrix all(points.rows(), kNumReplicates);
  Index filled = 0;
  for (const Payload& payload : executor.map(costs, task)) {
    const Index count = static_cast<Index>(payload.size()) / points.rows();
    all.middleCols(filled, count) = Eigen::Map<const Matrix>(payload.data(), points.rows(), count);
    filled += count;
  }
  recalibrate(predictive, points, Predict::new_run, all, executor);
  return all;
}

// A replicate's PIT at a point is its rank among the replicates there.
Matrix pits_of(const Matrix& replicates) {
  Matrix pits(replicates.rows(), replicates.cols());
  std::vector<Index> order(static_cast<std::size_t>(replicates.cols()));
  for (Index i = 0; i < replicates.rows(); ++i) {
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return replicates(i, a) < replicates(i, b); });
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      pits(i, order[rank]) = (static_cast<double>(rank) + 0.5) / static_cast<double>(order.size());
    }
  }
  return pits;
}

Mahalanobis distance_of(const Vector& observed, const Matrix& replicates, const Vector& mean,
                        const Matrix& covariance) {
  const Matrix factor = regularised_factor(covariance);
  const auto lower = factor.triangularView<Eigen::Lower>();
  const Matrix away = replicates.colwise() - mean;
  Eigen::RowVectorXd squared = lower.solve(away).colwise().squaredNorm();
  std::sort(squared.begin(), squared.end());
  const Vector here = observed - mean;
  const Index cut = replicates.cols() / 40;
  return {lower.solve(here).squaredNorm(), squared[cut], squared[squared.size() - 1 - cut]};
}

}  // namespace

CountLaw::CountLaw(Index n, double probability, std::vector<Index> counts, Index num_simulated)
    : n_(n), probability_(probability), counts_(std::move(counts)), num_simulated_(num_simulated) {
  std::sort(counts_.begin(), counts_.end());
}

CountLaw CountLaw::binomial(Index n, double probability) {
  return {n, probability, {}, 0};
}

CountLaw CountLaw::simulated(Index n, std::vector<Index> counts, Index num_simulated) {
  return {n, 0.0, std::move(counts), num_simulated};
}

double CountLaw::at_most(Index count) const {
  if (counts_.empty()) {
    if (count < 0) return 0.0;
    const boost::math::binomial law(static_cast<double>(n_), probability_);
    return boost::math::cdf(law, static_cast<double>(std::min(count, n_)));
  }
  const auto is_within = [&](Index simulated) { return simulated * n_ <= count * num_simulated_; };
  const auto within = std::partition_point(counts_.begin(), counts_.end(), is_within) - counts_.begin();
  return static_cast<double>(within + 1) / static_cast<double>(counts_.size() + 1);
}

double CountLaw::at_least(Index count) const {
  if (counts_.empty()) return 1.0 - at_most(count - 1);
  const auto is_below = [&](Index simulated) { return simulated * n_ < count * num_simulated_; };
  const auto others = counts_.end() - std::partition_point(counts_.begin(), counts_.end(), is_below);
  return static_cast<double>(others + 1) / static_cast<double>(counts_.size() + 1);
}

CountBand CountLaw::band(double level) const {
  const double cut = 0.5 * (1.0 - level);
  CountBand band{0, n_};
  while (band.low < n_ && at_most(band.low) < cut) ++band.low;
  while (band.high > 0 && at_least(band.high) < cut) --band.high;
  return band;
}

CountLaw ChanceLaw::of(Index n, const PitRange& range) const {
  if (!is_simulated()) return CountLaw::binomial(n, range.probability());
  std::vector<Index> counts;
  for (Index r = 0; r < pits_.cols(); ++r) {
    counts.push_back((pits_.col(r).array() >= range.from && pits_.col(r).array() < range.to).count());
  }
  return CountLaw::simulated(n, std::move(counts), pits_.rows());
}

JointReplicates replicate_jointly(const Predictive& predictive, MatrixView inputs, const Vector& outputs,
                                  std::uint64_t seed, Executor& executor) {
  const std::vector<Index> chosen = even_choice(inputs.rows(), kMostJointPoints);
  const Matrix points = inputs(chosen, Eigen::all);
  const Matrix replicates = all_replicates(predictive, points, seed, executor);
  const Vector mean = predictive.means(points, Predict::new_run, executor);
  const Matrix covariance = predictive.covariance(points, Predict::new_run, executor);
  return {ChanceLaw(pits_of(replicates)), distance_of(outputs(chosen), replicates, mean, covariance), points.rows()};
}

JointReplicates replicate_jointly(const OutputRecord& output, const OutputRuns& runs, Executor& executor) {
  const MemberRecord& first = output.members.front();
  const std::uint64_t seed = first.options.annealing.seed;
  // Level 1: the fit's own thinning has level 0. Chain 1 is leave-one-out's, 2 and 3 are those of a report's panels.
  Stream stream({seed, Purpose::thinning, 1, 4, 0});
  const Predictive few = make_predictive(output).thinned(joint_draws(first.data.num_runs()), stream);
  return replicate_jointly(few, runs.inputs(), runs.output(), seed, executor);
}

}  // namespace ta2s2
