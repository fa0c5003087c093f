#include "ta2s2/predictive/sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

Predictive small_emulator(const std::string& covariance = "matern52") {
  PosteriorSample sample{{}, Matrix(3, 3), Vector{{0.1, 0.3, 0.6}}, Vector::Zero(3)};
  sample.positions << -1.5, 0.5, -1.0,  //
      -0.5, -2.0, -1.0,                 //
      -6.0, -4.0, -8.0;
  return Predictive(std::make_shared<const GpModel>(test::small_model(14, 2, "linear", covariance)),
                    Scaling(Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0),
                    ParameterSpace::with_sampled_nugget(test::input_names(2)), sample);
}

SensitivityOptions few_paths() {
  SensitivityOptions options;
  options.num_paths = 60;
  options.num_waves = 64;
  options.grid_size = 5;
  return options;
}

TEST(Sensitivity, ThreadsChangeNoBit) {
  const Predictive predictive = small_emulator();
  ThreadExecutor one(1), three(3);
  const SensitivitySample a = analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), one);
  const SensitivitySample b = analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), three);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.variances, b.variances);
  EXPECT_EQ(a.effects[1], b.effects[1]);
  EXPECT_EQ(a.total_errors, b.total_errors);
}

TEST(Sensitivity, CountsPathsAsTheyAreDone) {
  const Predictive predictive = small_emulator();
  ThreadExecutor executor(2);
  std::vector<Index> counts;
  analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), executor,
                      [&](Index done) { counts.push_back(done); });
  ASSERT_EQ(counts.size(), 60U);
  EXPECT_EQ(counts.front(), 1);
  EXPECT_EQ(counts.back(), 60);
}

// With two inputs V_1 + V_2 + V_12 is all: first-order and total indices of the two add to one, up to integration.
TEST(Sensitivity, OfTwoInputsAddsUp) {
  const Predictive predictive = small_emulator();
  ThreadExecutor executor(2);
  const SensitivitySample sample = analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), executor);
  const Vector sums = sample.first.col(0) + sample.total.col(1);
  EXPECT_LT((sums.array() - 1.0).abs().maxCoeff(), 0.05);
  EXPECT_GT((sample.total - sample.first).minCoeff(), -1e-12);
}

// In the user's units: the posterior's mean output over the ranges, and main effects that average to it.
TEST(Sensitivity, IsInTheUsersUnits) {
  const Predictive predictive = small_emulator();
  ThreadExecutor executor(2);
  const SensitivitySample sample = analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), executor);
  EXPECT_EQ(sample.grids[0][0], 10.0);
  EXPECT_EQ(sample.grids[1][4], 1.0);
  const Vector mean_effect = sample.effects[1].colwise().mean();
  // Simpson's rule on the grid.
  const double mean =
      (mean_effect[0] + 4 * mean_effect[1] + 2 * mean_effect[2] + 4 * mean_effect[3] + mean_effect[4]) / 12;
  EXPECT_NEAR(mean, sample.means.mean(), 0.5);
  EXPECT_GT(std::abs(mean - 100.0), 1.0);  // the mutant: standardised, or not averaged
}

// The error that two batches tell is that of their mean: against a run with many points, whose own error is small.
TEST(Sensitivity, TellsItsErrorOfIntegration) {
  const Predictive predictive = small_emulator("squared-exponential");
  ThreadExecutor executor(2);
  SensitivityOptions options = few_paths();
  options.num_points = 16;
  const SensitivitySample rough = analyse_sensitivity(predictive, uniform_inputs(predictive), options, executor);
  options.num_points = 4096;
  const SensitivitySample fine = analyse_sensitivity(predictive, uniform_inputs(predictive), options, executor);
  for (Index d = 0; d < 2; ++d) {
    const double found = std::sqrt((rough.total.col(d) - fine.total.col(d)).squaredNorm() / 60.0);
    // 60 squares of errors with heavy tails, on both sides of the ratio: within a factor of two, and a mutant that
    // forgets that the mean of two errs less, or takes variances for deviations, is not always.
    EXPECT_LT(found, 2.0 * rough.total_errors[d]) << d;
    EXPECT_GT(found, 0.5 * rough.total_errors[d]) << d;
    EXPECT_LT(fine.total_errors[d], 0.1 * rough.total_errors[d]) << d;
  }
}

// All draws are chosen in proportion to their weights: with three draws whose smallest weight is a tenth.
TEST(Sensitivity, OfAveragedModelsIsThatOfTheirDraws) {
  const Predictive first = small_emulator(), second = small_emulator("squared-exponential");
  ThreadExecutor executor(2);
  const auto sample_of = [&](const Predictive& predictive) {
    return analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), executor);
  };
  const SensitivitySample alone = sample_of(first);
  EXPECT_EQ(sample_of(Predictive::average({first, second}, {1.0, 0.0})).total, alone.total);
  const Matrix half = sample_of(Predictive::average({first, second}, {0.5, 0.5})).total;
  EXPECT_NE(half, alone.total);
}

TEST(Sensitivity, StopsWhenAsked) {
  const Predictive predictive = small_emulator();
  const StopFlag stop{true};
  ThreadExecutor executor(2, &stop);
  EXPECT_THROW(analyse_sensitivity(predictive, uniform_inputs(predictive), few_paths(), executor), std::exception);
}

}  // namespace
}  // namespace ta2s2
