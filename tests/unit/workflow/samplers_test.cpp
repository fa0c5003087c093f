#include "ta2s2/workflow/samplers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {
namespace {

FunctionTarget normal() {
  return FunctionTarget([](VectorView x) { return -0.5 * x.squaredNorm(); }, Vector::Constant(2, -8.0),
                        Vector::Constant(2, 8.0));
}

ValidFitOptions options(std::vector<Setting> settings) {
  FitOptions options;
  apply_settings(options, settings);
  return ValidFitOptions(options);
}

Sample sampled(const std::vector<Setting>& settings) {
  ThreadExecutor executor(2);
  Observer silent;
  return sample_density(normal(), options(settings), {executor, silent});
}

TEST(SampleDensity, TellsTheIntegralTheModeAndTheHealthOfEachCoordinate) {
  const Sample run = sampled({{"samples", "4000"}});
  // Four of the reported errors: a wrong constant, log 2 for instance, is more than ten of them.
  ASSERT_TRUE(run.evidence.has_value());
  EXPECT_LT(run.evidence->standard_error, 0.05);
  EXPECT_NEAR(run.evidence->log_evidence, std::log(2.0 * std::numbers::pi), 4.0 * run.evidence->standard_error);
  ASSERT_EQ(run.modes.size(), 1u);
  EXPECT_NEAR(run.modes[0].position.norm(), 0.0, 1e-3);
  ASSERT_EQ(run.diagnostics.size(), 2u);
  EXPECT_EQ(run.diagnostics[1].name, "x2");
  EXPECT_NEAR(run.sample.weights.sum(), 1.0, 1e-12);
}

TEST(SampleDensity, RefusesSystemsThatNeedAGaussianProcess) {
  for (const char* sampler : {"nuts", "plgp", "slice", "map"}) EXPECT_THROW(sampled({{"sampler", sampler}}), Error);
}

}  // namespace
}  // namespace ta2s2
