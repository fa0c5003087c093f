// Evidence and moments of a fit's posterior by importance sampling, for other fits to be held against
// (docs/exactness.md). usage: bench_importance MODEL [--error 0.01] [--most 4000000] [--seed 1]
//
// A reference is fitted to the draws in the model file, then to weighted draws of its own while that makes it better: a
// t mixture in coordinates that are each bent so that its draws are normal, with a share of the start law. All of these
// draws are thrown away; what is printed (JSON) comes from independent draws of the last reference alone, as many as
// bring the error of the log evidence below what is asked.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/predictive/leave_one_out.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/mixture_fit.hpp"
#include "ta2s2/smc/path_target.hpp"
#include "ta2s2/workflow/fit_member.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2::bench {
namespace {

// Of a reference: the start law, and the mixture with wide and heavy tails. Draws tell nothing of mass that none of
// them comes near, however even their weights are.
constexpr double kStartShare = 0.05, kWideShare = 0.2;
constexpr int kWideFreedom = 3;
constexpr double kWide = 4.0, kWiden = 1.05;  // of covariances
constexpr double kLinearSds = 6.0;            // a coordinate farther than this from both walls is linear
constexpr Index kBatch = 10000, kLeastDraws = 100000;
constexpr int kMostRefits = 4;
// Of the weighted draws that a mixture is fitted to, as far as so many batches of them go.
constexpr double kFittedDraws = 2000.0;
constexpr int kMostFittedBatches = 10;

struct Asked {
  std::string model;
  double error = 0.01;  // of the log evidence
  Index most_draws = 4000000;
  std::uint64_t seed = 1;
};

struct Draws {
  Matrix positions;  // in the coordinates of the space
  Vector log_weights;

  // Sum to one.
  Vector weights() const {
    const double largest = log_weights.maxCoeff();
    const Vector relative = (log_weights.array() - largest).exp();
    return relative / relative.sum();
  }
  double effective_size() const { return 1.0 / weights().squaredNorm(); }
  double efficiency() const { return effective_size() / static_cast<double>(log_weights.size()); }

  void append(const Draws& more) {
    const Index count = log_weights.size(), added = more.log_weights.size();
    positions.conservativeResize(Eigen::NoChange, count + added);
    positions.rightCols(added) = more.positions;
    log_weights.conservativeResize(count + added);
    log_weights.tail(added) = more.log_weights;
  }
};

// Sums over independent draws, relative to the largest weight so far.
class WeightedSums {
 public:
  explicit WeightedSums(Index dim) : first_(Vector::Zero(dim)), second_(Vector::Zero(dim)) {}

  void add(double log_weight, const Vector& x) {
    ++count_;
    log_weights_.push_back(log_weight);
    if (log_weight == -kInfinity) return;
    if (log_weight > largest_) rescale(log_weight);
    const double w = std::exp(log_weight - largest_);
    sum_ += w;
    squares_ += w * w;
    first_ += w * x;
    second_ += w * x.cwiseAbs2();
  }

  double log_mean() const { return largest_ + std::log(sum_ / count_); }
  double effective_size() const { return sum_ * sum_ / squares_; }
  // Of log_mean(): the weights' relative variance is count / effective size - 1.
  double error() const { return std::sqrt(std::max(0.0, 1.0 / effective_size() - 1.0 / count_)); }
  double k_hat() const { return pareto_smooth(log_weights_).k_hat; }
  Vector mean() const { return first_ / sum_; }
  Vector sd() const { return (second_ / sum_ - mean().cwiseAbs2()).cwiseMax(0.0).cwiseSqrt(); }
  double count() const { return count_; }

 private:
  void rescale(double log_weight) {
    const double factor = std::exp(largest_ - log_weight);
    sum_ *= factor;
    squares_ *= factor * factor;
    first_ *= factor;
    second_ *= factor;
    largest_ = log_weight;
  }

  double count_ = 0.0, sum_ = 0.0, squares_ = 0.0, largest_ = -kInfinity;
  Vector first_, second_;
  std::vector<double> log_weights_;
};

// Each coordinate as a score: linear in z between quantiles of the draws, and beyond the last ones.
class Scores {
 public:
  Scores(const Matrix& states, const Vector& weights) : quantiles_(states.rows(), kCount) {
    const boost::math::normal normal;
    for (Index j = 0; j < kCount; ++j) scores_[j] = quantile(normal, kShares[j]);
    std::vector<Index> order(static_cast<std::size_t>(states.cols()));
    std::iota(order.begin(), order.end(), Index{0});
    for (Index k = 0; k < states.rows(); ++k) {
      std::sort(order.begin(), order.end(), [&](Index a, Index b) { return states(k, a) < states(k, b); });
      double below = 0.0;
      Index j = 0;
      for (const Index i : order) {
        below += weights[i];
        while (j < kCount && below >= kShares[j]) quantiles_(k, j++) = states(k, i);
      }
      keep_apart(quantiles_.row(k));
    }
  }

  struct Point {
    Vector scores;
    double log_slope = 0.0;  // of the scores' density for z's
  };
  Point at(const Vector& z) const {
    Point point{Vector(z.size())};
    for (Index k = 0; k < z.size(); ++k) {
      Index j = 0;
      while (j + 2 < kCount && z[k] > quantiles_(k, j + 1)) ++j;
      const double slope = (scores_[j + 1] - scores_[j]) / (quantiles_(k, j + 1) - quantiles_(k, j));
      point.scores[k] = scores_[j] + slope * (z[k] - quantiles_(k, j));
      point.log_slope += std::log(slope);
    }
    return point;
  }
  Vector back(const Vector& scores) const {
    Vector z(scores.size());
    for (Index k = 0; k < z.size(); ++k) {
      Index j = 0;
      while (j + 2 < kCount && scores[k] > scores_[j + 1]) ++j;
      const double slope = (quantiles_(k, j + 1) - quantiles_(k, j)) / (scores_[j + 1] - scores_[j]);
      z[k] = quantiles_(k, j) + slope * (scores[k] - scores_[j]);
    }
    return z;
  }

 private:
  static constexpr Index kCount = 15;
  static constexpr std::array<double, kCount> kShares = {0.005, 0.01, 0.02, 0.05, 0.1,  0.2,  0.35, 0.5,
                                                         0.65,  0.8,  0.9,  0.95, 0.98, 0.99, 0.995};

  // Draws may be there more than once.
  static void keep_apart(Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> quantiles) {
    const double least = 1e-3 * std::max(quantiles[kCount - 1] - quantiles[0], 1e-9);
    for (Index j = 1; j < kCount; ++j) quantiles[j] = std::max(quantiles[j], quantiles[j - 1] + least);
  }

  std::array<double, kCount> scores_{};
  Matrix quantiles_;
};

ProposalMixture widened(const ProposalMixture& mixture, double factor, int freedom) {
  std::vector<TComponent> components = mixture.components();
  for (TComponent& component : components) component.factor *= std::sqrt(factor);
  return ProposalMixture(std::move(components), freedom);
}

class BentReference {
 public:
  BentReference(Scores scores, const ProposalMixture& fitted, const SamplingSpace& space)
      : scores_(std::move(scores)),
        mixture_(widened(fitted, kWiden, fitted.freedom())),
        wide_(widened(fitted, kWide, kWideFreedom)),
        space_(&space) {}

  const ProposalMixture& mixture() const { return mixture_; }

  Vector draw(Stream& stream) const {
    const double which = draw_uniform(stream);
    if (which < kStartShare) return space_->draw_start(stream);
    return scores_.back((which < kStartShare + kWideShare ? wide_ : mixture_).draw(stream));
  }
  double log_density(const Vector& z) const {
    const Scores::Point point = scores_.at(z);
    Vector unused;
    const double bent = log_add_exp(std::log1p(-kStartShare - kWideShare) + mixture_.log_density(point.scores),
                                    std::log(kWideShare) + wide_.log_density(point.scores));
    return log_add_exp(bent + point.log_slope, std::log(kStartShare) - space_->start_energy(z, unused));
  }

 private:
  Scores scores_;
  ProposalMixture mixture_, wide_;
  const SamplingSpace* space_;
};

std::vector<bool> linear_coordinates(const GpTarget& target, const PosteriorSample& sample) {
  const WeightedMoments moments = weighted_moments(sample.positions, sample.weights);
  const StartLaw law = target.start_law();
  std::vector<bool> is_linear;
  for (Index k = 0; k < target.dim(); ++k) {
    const double reach = kLinearSds * std::sqrt(moments.covariance(k, k));
    is_linear.push_back(moments.mean[k] - law.low[k] > reach && law.high[k] - moments.mean[k] > reach);
  }
  return is_linear;
}

class Importance {
 public:
  Importance(const MemberRecord& record, const Asked& asked)
      : asked_(asked),
        target_(make_target(record.data, record.scaling, record.options, record.prior_runs)),
        space_(target_, linear_coordinates(target_, record.sample)),
        offset_(unit_offset(*target_.model(), record.scaling)) {
    choose_reference(space_.from_box(record.sample.positions), record.sample.weights);
  }

  nlohmann::json run() {
    WeightedSums sums(space_.dim());
    while (sums.count() < static_cast<double>(asked_.most_draws)) {
      const Draws batch = draw(*reference_);
      const Matrix in_box = space_.to_box(batch.positions);
      for (Index i = 0; i < in_box.cols(); ++i) sums.add(batch.log_weights[i], in_box.col(i));
      if (sums.count() >= kLeastDraws && sums.error() < asked_.error) break;
    }
    const Vector mean = sums.mean(), sd = sums.sd();
    return {{"log_evidence", sums.log_mean() - offset_},
            {"error", sums.error()},
            {"draws", sums.count()},
            {"evaluations", static_cast<double>(num_draws_)},
            {"effective_size", sums.effective_size()},
            {"k_hat", sums.k_hat()},
            {"components", reference_->mixture().components().size()},
            {"freedom", reference_->mixture().freedom()},
            {"refits", num_refits_},
            {"mean", std::vector<double>(mean.begin(), mean.end())},
            {"sd", std::vector<double>(sd.begin(), sd.end())}};
  }

 private:
  // The best of several tails, as a batch of each shows; then the same with mixtures of this batch.
  void choose_reference(Matrix states, Vector weights) {
    double best = 0.0;
    for (int refit = 0; refit <= kMostRefits; ++refit) {
      std::optional<Draws> better;
      for (const int freedom : {3, 8, 30}) {
        const Scores scores(states, weights);
        Matrix bent(states.rows(), states.cols());
        for (Index i = 0; i < states.cols(); ++i) bent.col(i) = scores.at(states.col(i)).scores;
        BentReference reference(scores, fit(bent, weights, freedom), space_);
        Draws draws = draw(reference);
        if (!(draws.efficiency() > best)) continue;
        best = draws.efficiency();
        reference_.emplace(std::move(reference));
        better = std::move(draws);
      }
      if (!better) break;
      num_refits_ = refit;
      for (int k = 1; k < kMostFittedBatches && better->effective_size() < kFittedDraws; ++k) {
        better->append(draw(*reference_));
      }
      states = std::move(better->positions);
      weights = capped(better->weights());
    }
  }

  // No single draw shall pull the mixture to itself (Ionides 2008).
  static Vector capped(const Vector& weights) {
    const Vector cut = weights.cwiseMin(1.0 / std::sqrt(static_cast<double>(weights.size())));
    return cut / cut.sum();
  }

  ProposalMixture fit(const Matrix& states, const Vector& weights, int freedom) {
    MixtureFitOptions options;
    options.executor = &executor_;
    options.freedom = freedom;
    Stream stream({asked_.seed, Purpose::mixture_fit, static_cast<std::uint64_t>(num_fits_++), 0, 0});
    return fit_proposal_mixture(states, weights, options, stream);
  }

  Draws draw(const BentReference& reference) {
    Matrix positions(space_.dim(), kBatch);
    for (Index i = 0; i < kBatch; ++i) {
      Stream stream({asked_.seed, Purpose::start_point, 0, static_cast<std::uint64_t>(num_draws_++), 0});
      positions.col(i) = reference.draw(stream);
    }
    const std::vector<Energy> energies = energies_of(space_, positions, executor_);
    Vector log_weights(kBatch);
    for (Index i = 0; i < kBatch; ++i) {
      const Energy& energy = energies[static_cast<std::size_t>(i)];
      log_weights[i] = energy.possible() ? -energy.total() - reference.log_density(positions.col(i)) : -kInfinity;
    }
    return {std::move(positions), std::move(log_weights)};
  }

  const Asked& asked_;
  GpTarget target_;
  SamplingSpace space_;
  double offset_;
  ThreadExecutor executor_{1};
  std::optional<BentReference> reference_;
  Index num_draws_ = 0;
  int num_fits_ = 0, num_refits_ = 0;
};

}  // namespace
}  // namespace ta2s2::bench

int main(int argc, char** argv) {
  ta2s2::bench::Asked asked;
  CLI::App app("Evidence and moments of a fit's posterior by importance sampling");
  app.add_option("model", asked.model)->required();
  app.add_option("--error", asked.error, "of the log evidence, at most");
  app.add_option("--most", asked.most_draws, "draws");
  app.add_option("--seed", asked.seed);
  CLI11_PARSE(app, argc, argv);
  const ta2s2::EmulatorRecord model = ta2s2::read_models(asked.model);
  ta2s2::bench::Importance importance(model.outputs.front().members.front(), asked);
  std::printf("%s\n", importance.run().dump().c_str());
}
