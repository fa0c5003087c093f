#include "ta2s2/smc/nuts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// A normal with sds from 0.2 to 5 and correlations of 0.8 between neighbours, far from where chains start.
class CorrelatedNormal final : public DifferentiableTarget {
 public:
  explicit CorrelatedNormal(Index dim, double beta = 1.0) : beta_(beta), mean_(dim), covariance_(dim, dim) {
    for (Index i = 0; i < dim; ++i) {
      mean_[i] = 3.0 - static_cast<double>(i);
      for (Index j = 0; j < dim; ++j) {
        covariance_(i, j) = sd(i) * sd(j) * std::pow(0.8, std::abs(static_cast<double>(i - j)));
      }
    }
    precision_ = covariance_.inverse();
  }

  double sd(Index i) const { return 0.2 * std::pow(25.0, static_cast<double>(i) / static_cast<double>(dim() - 1)); }
  const Vector& mean() const { return mean_; }
  const Matrix& covariance() const { return covariance_; }

  Index dim() const override { return mean_.size(); }
  std::vector<std::string> names() const override { return std::vector<std::string>(static_cast<std::size_t>(dim())); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    Vector gradient;
    for (Index i = 0; i < points.cols(); ++i) {
      out[static_cast<std::size_t>(i)] = energy_and_gradient(points.col(i), workspace, gradient);
    }
  }
  Energy energy_and_gradient(VectorView x, Workspace&, Vector& gradient) const override {
    gradient = beta_ * precision_ * (x - mean_);
    return {0.0, 0.5 * gradient.dot(x - mean_), Impossible::no};
  }
  Vector draw_start(Stream& stream) const override { return 10.0 * draw_normals(stream, dim()); }

 private:
  double beta_;
  Vector mean_;
  Matrix covariance_, precision_;
};

NutsResult run(const DifferentiableTarget& target, const NutsOptions& options, int threads = 0) {
  ThreadExecutor executor(threads);
  Observer silent;
  return run_nuts(target, options, {executor, silent});
}

// The mean of f over each chain: as many independent estimates as there are chains.
Eigen::ArrayXd chain_means(const Population& states, const std::function<double(Index)>& f) {
  Eigen::ArrayXd means = Eigen::ArrayXd::Zero(states.num_chains());
  for (Index i = 0; i < states.size(); ++i) means[states.chain_of(i)] += f(i);
  for (Index c = 0; c < means.size(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    means[c] /= static_cast<double>(states.chain_begin[at + 1] - states.chain_begin[at]);
  }
  return means;
}

// In standard errors, which the scatter of the chains' means gives: Student t with 19 degrees of freedom for 20 chains.
double deviation(const Eigen::ArrayXd& means, double truth) {
  const auto n = static_cast<double>(means.size());
  const double squares = (means - means.mean()).square().sum();
  return std::abs(means.mean() - truth) / std::sqrt(squares / (n - 1.0) / n);
}

double worst_deviation(const Population& states, const CorrelatedNormal& truth) {
  double worst = 0.0;
  for (Index i = 0; i < truth.dim(); ++i) {
    const auto offset = [&](Index d, Index s) { return states.positions(d, s) - truth.mean()[d]; };
    worst = std::max(worst, deviation(chain_means(states, [&](Index s) { return offset(i, s); }), 0.0));
    for (Index j = 0; j <= i; ++j) {
      const auto product = [&](Index s) { return offset(i, s) * offset(j, s); };
      worst = std::max(worst, deviation(chain_means(states, product), truth.covariance()(i, j)));
    }
  }
  return worst;
}

// 20 means and products under two metrics, 0.1% for all by Bonferroni: P(|t_19| > 5.6) = 2.1e-5.
constexpr double kCriticalOfNuts = 5.6;

TEST(Nuts, FindsTheMomentsOfACorrelatedNormal) {
  const CorrelatedNormal target(5);
  for (const Metric metric : {Metric::dense, Metric::diagonal}) {
    const NutsResult result =
        run(target, {.num_samples = 10000, .num_chains = 20, .num_warmup = 500, .metric = metric});
    EXPECT_LT(worst_deviation(result.population, target), kCriticalOfNuts);
    EXPECT_EQ(result.divergences(), 0);
    EXPECT_NEAR(result.acceptance(), 0.8, 0.15);  // what the warm-up aims at
  }
}

// The mutant: a target 15% too cold.
TEST(Nuts, ANormalOfAnotherTemperatureIsNoticed) {
  const CorrelatedNormal target(5), colder(5, 1.15);
  const NutsResult result = run(colder, {.num_samples = 10000, .num_chains = 20, .num_warmup = 500});
  EXPECT_GT(worst_deviation(result.population, target), kCriticalOfNuts);
}

TEST(Nuts, GivesTheSameBitsForAnyNumberOfThreads) {
  const CorrelatedNormal target(3);
  const NutsOptions options{.num_samples = 103, .num_chains = 4, .num_warmup = 50};
  const NutsResult one = run(target, options, 1), three = run(target, options, 3);
  EXPECT_EQ(one.population.positions, three.population.positions);
  EXPECT_EQ(one.gradient_evaluations(), three.gradient_evaluations());
}

TEST(Nuts, PopulationIsWholeAndConsistent) {
  const CorrelatedNormal target(3);
  const NutsResult result = run(target, {.num_samples = 103, .num_chains = 4, .num_warmup = 50});
  EXPECT_EQ(result.population.size(), 103);
  EXPECT_EQ(result.population.num_chains(), 4);
  EXPECT_EQ(result.population.num_groups(), 4);
  EXPECT_TRUE(result.population.parents.empty());
  std::vector<Energy> anew(103);
  target.energies(result.population.positions, *target.make_workspace(), anew);
  for (std::size_t i = 0; i < anew.size(); ++i) EXPECT_EQ(result.population.energies[i].total(), anew[i].total());
  for (const NutsChain& chain : result.chains) {
    EXPECT_GT(chain.step, 0.0);
    EXPECT_GT(chain.gradients, 25);  // at least one a transition
  }
}

class WithoutGradient final : public DifferentiableTarget {
 public:
  explicit WithoutGradient(bool has_gradient) : has_gradient_(has_gradient) {}
  Index dim() const override { return 1; }
  std::vector<std::string> names() const override { return {"x"}; }
  void energies(MatrixView, Workspace&, std::span<Energy>) const override {}
  Vector draw_start(Stream&) const override { return Vector::Zero(1); }
  bool has_gradient() const override { return has_gradient_; }
  Energy energy_and_gradient(VectorView, Workspace&, Vector&) const override {
    return Energy::impossible(Impossible::not_finite);
  }

 private:
  bool has_gradient_;
};

ErrorCode refusal(const DifferentiableTarget& target) {
  try {
    run(target, {});
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(Nuts, RefusesATargetWithoutGradientOrStart) {
  EXPECT_EQ(refusal(WithoutGradient(false)), ErrorCode::usage);
  EXPECT_EQ(refusal(WithoutGradient(true)), ErrorCode::bad_data);
}

TEST(Hamiltonian, AStepBackUndoesAStepAndEnergyErrorsAreOfSecondOrder) {
  const CorrelatedNormal target(4);
  const auto workspace = target.make_workspace();
  Hamiltonian hamiltonian(target, *workspace, target.covariance().llt().matrixL());
  Stream stream({.seed = 3, .purpose = Purpose::hamiltonian});
  PhasePoint start = hamiltonian.at(target.draw_start(stream));
  hamiltonian.draw_momentum(start, stream);
  const auto error_with = [&](int steps) {
    PhasePoint point = start;
    for (int i = 0; i < steps; ++i) hamiltonian.leapfrog(point, 0.2 / steps);
    return hamiltonian.total(point) - hamiltonian.total(start);
  };
  // Halved steps have a quarter of the error, up to terms of fourth order.
  EXPECT_NEAR(error_with(40) / error_with(80), 4.0, 0.1);
  PhasePoint point = start;
  hamiltonian.leapfrog(point, 0.1);
  hamiltonian.leapfrog(point, -0.1);
  EXPECT_LT((point.position - start.position).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((point.momentum - start.momentum).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(NutsAdaptation, WindowsDoubleAndTheLastReachesTheEnd) {
  const WarmupWindows usual = warmup_windows(1000);  // Stan's: 75, then 25, 50, 100, 200, 500, then 50
  EXPECT_EQ(usual.first, 75);
  EXPECT_EQ(usual.ends, (std::vector<Index>{100, 150, 250, 450, 950}));
  const WarmupWindows brief = warmup_windows(100);
  EXPECT_EQ(brief.first, 15);
  EXPECT_EQ(brief.ends, std::vector<Index>{90});
  EXPECT_TRUE(warmup_windows(0).ends.empty());
}

// An acceptance that falls with the step, 1 / (1 + step): 0.8 at a step of 0.25.
TEST(NutsAdaptation, DualAveragingFindsTheStepWithTheWantedAcceptance) {
  DualAveraging averaging(7.0, 0.8);
  for (int i = 0; i < 2000; ++i) averaging.learn(1.0 / (1.0 + averaging.step()));
  EXPECT_NEAR(averaging.averaged_step(), 0.25, 0.01);
}

TEST(NutsAdaptation, MetricIsTheCovarianceOfItsStates) {
  const CorrelatedNormal target(3);
  const Matrix factor = target.covariance().llt().matrixL();
  Stream stream({.seed = 5, .purpose = Purpose::hamiltonian});
  Matrix states(3, 4000);
  for (Index i = 0; i < states.cols(); ++i) states.col(i) = draw_correlated_normals(stream, factor);
  const Matrix dense = metric_factor(states, Metric::dense), diagonal = metric_factor(states, Metric::diagonal);
  const Matrix found = dense * dense.transpose();
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      // A covariance of N normals has a relative sd of at most sqrt(2 / N) = 0.022.
      EXPECT_NEAR(found(i, j) / (target.sd(i) * target.sd(j)),
                  target.covariance()(i, j) / (target.sd(i) * target.sd(j)), 5 * 0.022);
    }
  }
  EXPECT_TRUE(diagonal.isDiagonal());
  EXPECT_NEAR((diagonal * diagonal).eval()(2, 2) / found(2, 2), 1.0, 1e-12);
}

}  // namespace
}  // namespace ta2s2
