#include "ta2s2/base/log_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ta2s2 {
namespace {

// A handful of roundings in exp, sum and log of numbers of order one.
constexpr double kRounding = 1e-14;

TEST(LogSumExp, OfNothingIsMinusInfinity) {
  EXPECT_EQ(log_sum_exp({}), -kInfinity);
  const std::vector<double> values = {-kInfinity, -kInfinity};
  EXPECT_EQ(log_sum_exp(values), -kInfinity);
}

TEST(LogSumExp, AgreesWithThePlainFormWhereThatWorks) {
  const std::vector<double> values = {0.3, -1.2, 2.5};
  EXPECT_NEAR(log_sum_exp(values), std::log(std::exp(0.3) + std::exp(-1.2) + std::exp(2.5)), kRounding);
}

TEST(LogSumExp, NeitherOverflowsNorUnderflows) {
  const std::vector<double> large = {1e300, 1e300};
  EXPECT_EQ(log_sum_exp(large), 1e300);
  const std::vector<double> small = {-5000.0, -5000.0, -kInfinity};
  EXPECT_NEAR(log_sum_exp(small), -5000.0 + std::log(2.0), 5000.0 * kRounding);
}

TEST(LogAddExp, IsSymmetricAndTakesInfinities) {
  EXPECT_EQ(log_add_exp(1.0, 3.0), log_add_exp(3.0, 1.0));
  EXPECT_NEAR(log_add_exp(std::log(2.0), std::log(3.0)), std::log(5.0), kRounding);
  EXPECT_EQ(log_add_exp(-kInfinity, 2.0), 2.0);
  EXPECT_EQ(log_add_exp(-kInfinity, -kInfinity), -kInfinity);
}

TEST(LogSigmoid, IsRightInTheMiddleAndOnBothTails) {
  EXPECT_NEAR(log_sigmoid(0.0), -std::log(2.0), kRounding);
  EXPECT_NEAR(log_sigmoid(0.7), -std::log(1.0 + std::exp(-0.7)), kRounding);
  EXPECT_EQ(log_sigmoid(-1e6), -1e6);              // log(e^x / (1 + e^x)) = x
  EXPECT_EQ(log_sigmoid(40.0), -std::exp(-40.0));  // the plain form would round to 0
  EXPECT_EQ(log_sigmoid(1e6), 0.0);
}

}  // namespace
}  // namespace ta2s2
