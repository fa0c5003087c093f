// Sobol indices against functions whose indices are known by hand: Ishigami and Homma (1990) with a = 7, b = 0.1; the g
// function (Saltelli and Sobol 1995); a plane.
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/data/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/experiments/simulators.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2 {
namespace {

Sensitivity analyse(const Dataset& runs, const std::vector<InputRange>& ranges) {
  FitOptions options;
  options.annealing.num_samples = 500;
  ThreadExecutor executor(0);
  Observer silent;
  const Emulator emulator = make_emulator(fit(runs, ValidFitOptions(options), ranges, {executor, silent}));
  const InputDistributions inputs = uniform_inputs(emulator);
  return summarise_sensitivity(analyse_sensitivity(emulator, inputs, {}, executor), inputs, runs.input_names(),
                               emulator);
}

Sensitivity analyse_simulator(const std::string& name, Index num_runs) {
  const Simulator& simulator = find_simulator(name);
  const Matrix design = make_design({simulator.num_inputs(), num_runs, DesignKind::maximin, 1});
  return analyse(run_simulator(simulator, to_ranges(design, simulator.inputs)), simulator.inputs);
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

TEST(SobolIndices, OfAPlane) {
  const Matrix design = make_design({3, 20, DesignKind::maximin, 1});
  const Dataset runs(design, design.col(0) * 2.0 + design.col(1), {"a", "b", "c"}, "y");
  const Sensitivity found = analyse(runs, {{"a", 0.0, 1.0}, {"b", 0.0, 1.0}, {"c", 0.0, 1.0}});
  const Vector truth{{0.8, 0.2, 0.0}};
  expect_all_found(found, truth, truth, 0.01);
  EXPECT_GT(found.additive.low, 0.99);
  EXPECT_EQ(found.inputs[2].p_inert, 1.0);
}

}  // namespace
}  // namespace ta2s2
