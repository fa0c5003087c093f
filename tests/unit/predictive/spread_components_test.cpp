// Every instruction path that this processor has, against the plain sums.
#include "ta2s2/predictive/student_mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

using detail::Component;
using detail::SpreadComponents;

std::vector<Component> scattered(int count) {
  Stream stream({.seed = 3, .purpose = Purpose::predictive_draw});
  std::vector<Component> components;
  for (int i = 0; i < count; ++i) {
    const double mean = 5.0 + draw_normal(stream), scale = std::exp(0.7 * draw_normal(stream));
    components.push_back({1.0 / count, mean, scale});
  }
  return components;
}

const std::vector<double> kPoints = {-1e9, -300.0, -20.0, 1.0, 4.9, 5.0, 5.3, 9.0, 60.0, 1e9};
const std::vector<double> kDegrees = {2.5, 19.0, 89.0, kInfinity};
// Below, at and above whole vectors.
const std::vector<int> kCounts = {1, 7, 8, 9, 500};

class SumsOnEachPath : public testing::TestWithParam<InstructionSet> {
 protected:
  // Calls check(fast, plain, x) for every setting.
  template <class Check>
  void compare(const Check& check) const {
    for (const double df : kDegrees) {
      for (const int count : kCounts) {
        const auto table = student_table(df);
        const SpreadComponents fast(*table, scattered(count), GetParam());
        const SpreadComponents plain(*table, scattered(count), InstructionSet::plain);
        for (const double x : kPoints) {
          SCOPED_TRACE(testing::Message() << df << " " << count << " " << x);
          check(fast, plain, x);
        }
      }
    }
  }
};

// Sums of 500 terms below 1/500 round to 1e-15 or so. Far out t, rounded, moves a normal tail by t^2 times its
// rounding, which is below 1e-12 while the tail is above 1e-40.
constexpr double kBound = 1e-14;

TEST_P(SumsOnEachPath, TailsAreThePlainOnes) {
  compare([](const SpreadComponents& fast, const SpreadComponents& plain, double x) {
    for (const double side : {-1.0, 1.0}) {
      const double truth = plain.tail(x, side);
      EXPECT_NEAR(fast.tail(x, side), truth, kBound);
      EXPECT_NEAR(fast.tail(x, side), truth, 1e-12 * truth);
      EXPECT_EQ(fast.tail_and_density(x, side).tail, fast.tail(x, side));
    }
    EXPECT_NEAR(fast.tail(x, -1.0) + fast.tail(x, 1.0), 1.0, kBound);
  });
}

// The mutant: scales that are wrong by a relative 1e-12.
TEST(SpreadComponents, ItsBoundSeesWrongScales) {
  const auto table = student_table(19.0);
  std::vector<Component> wrong = scattered(500);
  for (Component& component : wrong) component.scale *= 1.0 + 1e-12;
  const SpreadComponents right(*table, scattered(500), InstructionSet::plain),
      other(*table, wrong, InstructionSet::plain);
  EXPECT_GT(std::abs(right.tail(4.0, 1.0) - other.tail(4.0, 1.0)), kBound);
}

// The derivative of an interpolation: 1e-11 of the largest density of a component, in units of its scale.
TEST_P(SumsOnEachPath, DensityIsThePlainOne) {
  compare([](const SpreadComponents& fast, const SpreadComponents& plain, double x) {
    const double truth = plain.tail_and_density(x, 1.0).density;
    EXPECT_NEAR(fast.tail_and_density(x, 1.0).density, truth, 1e-11);
    EXPECT_EQ(fast.tail_and_density(x, 1.0).density, fast.tail_and_density(x, -1.0).density);
  });
}

TEST_P(SumsOnEachPath, LogDensityIsThePlainOne) {
  compare([](const SpreadComponents& fast, const SpreadComponents& plain, double x) {
    const double truth = plain.log_density(x);
    EXPECT_NEAR(fast.log_density(x), truth, 1e-13 + 1e-15 * std::abs(truth));
  });
}

TEST_P(SumsOnEachPath, MeanAbsoluteDeviationIsThePlainOne) {
  compare([](const SpreadComponents& fast, const SpreadComponents& plain, double x) {
    const double truth = plain.mean_absolute_deviation(x);
    EXPECT_NEAR(fast.mean_absolute_deviation(x), truth, kBound * truth);
  });
}

TEST_P(SumsOnEachPath, NoComponentsSumToNothing) {
  const auto table = student_table(19.0);
  const SpreadComponents none(*table, {}, GetParam());
  EXPECT_EQ(none.tail(1.0, 1.0), 0.0);
  EXPECT_EQ(none.log_density(1.0), -kInfinity);
  EXPECT_EQ(none.mean_absolute_deviation(1.0), 0.0);
}

// What a user sees: quantiles to their last digits, and the CRPS to what its quadrature promises.
TEST_P(SumsOnEachPath, ScoresAreThePlainOnes) {
  std::vector<double> weights, means, scales;
  for (const Component& component : scattered(500)) {
    weights.push_back(component.weight);
    means.push_back(component.mean);
    scales.push_back(component.scale);
  }
  for (const double df : kDegrees) {
    const StudentMixture fast(weights, means, scales, df, GetParam());
    const StudentMixture plain(weights, means, scales, df, InstructionSet::plain);
    for (const double u : {1e-9, 0.005, 0.1, 0.5, 0.75, 0.995}) {
      EXPECT_NEAR(fast.quantile(u), plain.quantile(u), 1e-13 * (1.0 + std::abs(plain.quantile(u)))) << df << " " << u;
    }
    for (const double y : {-3.0, 5.0, 8.0}) EXPECT_NEAR(fast.crps(y), plain.crps(y), 1e-12 * plain.crps(y)) << df;
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, SumsOnEachPath, testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& param_info) { return instruction_set_name(param_info.param); });

}  // namespace
}  // namespace ta2s2
