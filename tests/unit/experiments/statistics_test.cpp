#include "ta2s2/experiments/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ta2s2 {
namespace {

// R: quantile(c(3, 1, 4, 1.5, 9), c(0, 0.25, 0.5, 0.6, 1)).
TEST(Statistics, QuantilesAreLinearBetweenOrderStatistics) {
  const std::vector<double> values = {3.0, 1.0, 4.0, 1.5, 9.0};
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.25), 1.5);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.6), 3.4);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 1.0), 9.0);
  EXPECT_DOUBLE_EQ(sample_quantile({2.0}, 0.75), 2.0);
}

// R: t.test(c(1, 2, 3, 4, 5)) gives 1.036757 to 4.963243.
TEST(Statistics, IntervalsAreStudents) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0, 5.0};
  const MeanInterval interval = t_interval(values);
  EXPECT_DOUBLE_EQ(interval.mean, 3.0);
  EXPECT_NEAR(interval.half_width, 1.963243, 5e-7);
}

TEST(Statistics, OneValueHasNoInterval) {
  const std::vector<double> values = {7.0};
  EXPECT_DOUBLE_EQ(t_interval(values).mean, 7.0);
  EXPECT_TRUE(std::isinf(t_interval(values).half_width));
}

TEST(Statistics, AShareHasItsBinomialError) {
  EXPECT_DOUBLE_EQ(binomial_error(0.9, 100.0), 0.03);
  EXPECT_DOUBLE_EQ(binomial_error(1.0, 100.0), 0.0);
}

}  // namespace
}  // namespace ta2s2
