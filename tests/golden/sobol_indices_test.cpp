// Sobol indices against functions whose indices are known by hand: Ishigami and Homma (1990) with a = 7, b = 0.1; the g
// function (Saltelli and Sobol 1995); a plane; a product under every distribution of its inputs.
#include <gtest/gtest.h>

#include <cmath>

#include "lab/simulators.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2 {
namespace {

Predictive emulator_of(const OutputRuns& runs, const std::vector<InputRange>& ranges,
                       const std::vector<Setting>& settings) {
  FitOptions options;
  options.samples = 500;
  apply_settings(options, settings);
  ThreadExecutor executor(0);
  Observer silent;
  return make_predictive(fit_model({runs}, ValidFitOptions(options), ranges, {executor, silent}).outputs.front());
}

Sensitivity analyse(const Predictive& predictive, const InputDistributions& inputs,
                    const std::vector<std::string>& names) {
  ThreadExecutor executor(0);
  return summarise_sensitivity(analyse_sensitivity(predictive, inputs, {.num_paths = 200}, executor), inputs, names,
                               predictive, find_activity(predictive, executor));
}

Sensitivity analyse(const OutputRuns& runs, const std::vector<InputRange>& ranges,
                    const std::vector<Setting>& settings = {{"model", "single"}}) {
  const Predictive predictive = emulator_of(runs, ranges, settings);
  return analyse(predictive, uniform_inputs(predictive), runs.input_names());
}

Sensitivity analyse_simulator(const std::string& name, Index num_runs) {
  const lab::Simulator& simulator = lab::find_simulator(name);
  const Matrix design = make_design({simulator.num_inputs(), num_runs, DesignKind::maximin, 1});
  return analyse(lab::run_simulator(simulator, to_ranges(design, simulator.inputs)), simulator.inputs);
}

// An interval may miss by chance what it covers in 95 of 100 studies: half its width more must not be needed.
void expect_found(const PosteriorInterval& found, double truth, double widest) {
  const double half = 0.5 * (found.high - found.low);
  EXPECT_LE(half, 0.5 * widest);
  EXPECT_NEAR(found.median, truth, std::max(2.0 * half, 1e-3));
}

void expect_all_found(const Sensitivity& found, const Vector& first, const Vector& total, double widest) {
  for (std::size_t d = 0; d < found.inputs.size(); ++d) {
    SCOPED_TRACE(found.inputs[d].name);
    expect_found(found.inputs[d].first, first[static_cast<Index>(d)], widest);
    expect_found(found.inputs[d].total, total[static_cast<Index>(d)], widest);
  }
}

TEST(SobolIndices, OfIshigami) {
  const double fourth = std::pow(M_PI, 4);
  const double one = 0.5 * std::pow(1.0 + 0.1 * fourth / 5.0, 2), two = 49.0 / 8.0;
  const double both = 0.01 * fourth * fourth * 8.0 / 225.0, all = one + two + both;
  const Sensitivity found = analyse_simulator("ishigami", 150);
  expect_all_found(found, Vector{{one, two, 0.0}} / all, Vector{{one + both, two, both}} / all, 0.1);
  EXPECT_LT(found.inputs[2].first.median, 0.02);
  EXPECT_EQ(found.inputs[2].p_inert, 0.0);  // it has no main effect, and matters
  expect_found(found.mean, 3.5, 0.5);
  expect_found(found.variance, all, 3.0);
}

TEST(SobolIndices, OfTheGFunction) {
  Vector variances(5);
  for (Index d = 0; d < 5; ++d) variances[d] = 1.0 / (3.0 * std::pow(1.0 + static_cast<double>(d) / 2.0, 2));
  const double product = (1.0 + variances.array()).prod();
  const Vector total = variances.array() / (1.0 + variances.array()) * product / (product - 1.0);
  expect_all_found(analyse_simulator("g-function", 150), variances / (product - 1.0), total, 0.25);
}

OutputRuns plane_runs() {
  const Matrix design = make_design({3, 20, DesignKind::maximin, 1});
  return OutputRuns(design, design.col(0) * 2.0 + design.col(1), {"a", "b", "c"}, "y");
}

class SobolIndicesOfAPlane : public testing::TestWithParam<std::string> {};

TEST_P(SobolIndicesOfAPlane, AreFoundByOneModelAndByAnAverage) {
  const std::vector<InputRange> ranges = {{"a", 0.0, 1.0}, {"b", 0.0, 1.0}, {"c", 0.0, 1.0}};
  const Sensitivity found = analyse(plane_runs(), ranges, {{"model", GetParam()}});
  const Vector truth{{0.8, 0.2, 0.0}};
  expect_all_found(found, truth, truth, 0.01);
  EXPECT_GT(found.additive.low, 0.99);
  EXPECT_EQ(found.inputs[2].p_inert, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Models, SobolIndicesOfAPlane, testing::Values("single", "average"));

// An input's distribution with its mean and variance by hand.
struct KnownInput {
  std::string spec;
  double mean, variance;
};

std::vector<KnownInput> known_inputs() {
  const double ratio = std::log(3.0), log_mean = 2.0 / ratio;
  // A normal cut at one standard deviation on either side: 1 - 2 f(1) / (2 F(1) - 1) of its variance is left.
  const double density = std::exp(-0.5) / std::sqrt(2.0 * M_PI), share = std::erf(std::sqrt(0.5));
  return {{"uniform(1,3)", 2.0, 1.0 / 3.0},      {"log-uniform(1,3)", log_mean, 4.0 / ratio - log_mean * log_mean},
          {"normal(2,0.3)", 2.0, 0.09},          {"normal(2.5,0.5,2,3)", 2.5, 0.25 * (1.0 - 2.0 * density / share)},
          {"triangular(1,2,3)", 2.0, 1.0 / 6.0}, {"values(1,2,2,3)", 2.0, 0.5}};
}

// Of y = a b: the main effects are E(b) a and E(a) b, and what is left is (a - E a)(b - E b).
TEST(SobolIndices, OfAProductUnderEveryDistribution) {
  const std::vector<InputRange> ranges = {{"a", 1.0, 3.0}, {"b", 1.0, 4.0}};
  const Matrix design = to_ranges(make_design({2, 25, DesignKind::maximin, 1}), ranges);
  const OutputRuns runs(design, design.col(0).cwiseProduct(design.col(1)), {"a", "b"}, "y");
  const Predictive predictive =
      emulator_of(runs, ranges, {{"model", "single"}, {"correlation", "squared-exponential"}});
  const double mean_b = 2.5, variance_b = 0.75;
  ASSERT_EQ(known_inputs().size(), input_distribution_names().size());
  std::vector<double> firsts;
  for (const KnownInput& a : known_inputs()) {
    SCOPED_TRACE(a.spec);
    const double one = mean_b * mean_b * a.variance, two = a.mean * a.mean * variance_b;
    const double both = a.variance * variance_b, all = one + two + both;
    const Sensitivity found =
        analyse(predictive, match_inputs({{"a", a.spec, ""}}, runs.input_names(), predictive), runs.input_names());
    expect_all_found(found, Vector{{one, two}} / all, Vector{{one + both, two + both}} / all, 0.01);
    expect_found(found.mean, a.mean * mean_b, 0.01);
    expect_found(found.variance, all, 0.03);
    EXPECT_EQ(found.inputs[0].distribution, a.spec);
    EXPECT_EQ(found.inputs[1].distribution, "uniform(1,4)");
    // The mutant, any other distribution: no two have the same index.
    for (const double other : firsts) EXPECT_GT(std::abs(one / all - other), 0.02);
    firsts.push_back(one / all);
  }
}

}  // namespace
}  // namespace ta2s2
