#include "ta2s2/predictive/student_table.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <thread>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

using PlainStudent = boost::math::students_t_distribution<long double>;

class StudentTableOf : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Df, StudentTableOf, testing::Values(2.5, 3.0, 4.0, 19.0, 99.0, 1000.0, 1e6, kInfinity));

// The plain version, in long double, over the middle, the tails and the borders of cells (w = 1 + t a power
// of two). Stated bounds: 3e-16 (a rounding of a number near 1/2, and one of the argument), and 2e-11 of the
// probability above 1e-10.
TEST_P(StudentTableOf, CdfAgreesWithTheIncompleteBeta) {
  const StudentTable table(GetParam());
  const PlainStudent plain(GetParam());
  std::vector<double> points = {0.0, 1.0, 3.0, 7.0, std::nextafter(1.0, 0.0), std::nextafter(3.0, 0.0)};
  for (int k = 0; k < 4000; ++k) points.push_back(1e-3 * std::exp(0.005 * k));  // to 4.8e5
  for (int k = 0; k < 4000; ++k) points.push_back(0.00237 * k);
  for (const double t : points) {
    const double tail = static_cast<double>(boost::math::cdf(plain, -static_cast<long double>(t)));
    ASSERT_NEAR(table.cdf(-t), tail, 3e-16) << t;
    ASSERT_NEAR(table.cdf(t), static_cast<double>(1.0L - tail), 4e-16) << t;
    if (tail > 1e-10) {
      ASSERT_NEAR(table.cdf(-t), tail, 2e-11 * tail) << t;
    }
  }
}

TEST_P(StudentTableOf, EndsWhereItShould) {
  const StudentTable table(GetParam());
  EXPECT_EQ(table.cdf(kInfinity), 1.0);
  EXPECT_EQ(table.cdf(-kInfinity), 0.0);
  EXPECT_EQ(table.cdf(1e300), 1.0);
  EXPECT_EQ(table.cdf(-1e300), 0.0);
}

TEST_P(StudentTableOf, DensityAndQuantileAreThePlainOnes) {
  const StudentTable table(GetParam());
  const PlainStudent plain(GetParam());
  for (const double t : {-40.0, -3.0, 0.0, 0.7, 12.0}) {
    const long double density = boost::math::pdf(plain, static_cast<long double>(t));
    // Some ten roundings of a log of magnitude up to 800.
    EXPECT_NEAR(table.log_density(t), static_cast<double>(std::log(density)), 1e-12) << t;
  }
  for (const double u : {1e-6, 0.025, 0.5, 0.9}) EXPECT_NEAR(table.cdf(table.quantile(u)), u, 1e-14);
}

// E|T - t| by the trapezoidal rule on both tails: d/dt E|T - t| = 2 F(t) - 1, so differences are integrals of
// the cdf. Step 0.01 gives an error of h^2/12 * |f(b) - f(a)| * 2 < 1e-5.
TEST_P(StudentTableOf, MeanAbsoluteDeviationGrowsAsTheIntegralOfTheCdf) {
  const StudentTable table(GetParam());
  double integral = 0.0;
  for (int k = 0; k < 300; ++k) integral += 0.005 * (2.0 * table.cdf(0.01 * k) + 2.0 * table.cdf(0.01 * (k + 1)) - 2.0);
  EXPECT_NEAR(table.mean_absolute_deviation(3.0) - table.mean_absolute_deviation(0.0), integral, 1e-5);
  EXPECT_EQ(table.mean_absolute_deviation(-3.0), table.mean_absolute_deviation(3.0));
  EXPECT_DOUBLE_EQ(table.mean_absolute_deviation(1e200), 1e200);
}

// What is beyond the reach: E max(T - r, 0) < r P(T > r) / (df - 1) for a power tail, less for any other.
TEST_P(StudentTableOf, ReachLeavesNothingThatMatters) {
  const StudentTable table(GetParam());
  const PlainStudent plain(GetParam());
  const double tail = static_cast<double>(boost::math::cdf(plain, -static_cast<long double>(table.reach())));
  EXPECT_LT(table.reach() * tail / (std::min(GetParam(), 1e9) - 1.0), 1e-13);
}

TEST(StudentTable, VarianceIsThatOfStudent) {
  EXPECT_DOUBLE_EQ(StudentTable(3.0).variance(), 3.0);
  EXPECT_DOUBLE_EQ(StudentTable(kInfinity).variance(), 1.0);
}

TEST(StudentTable, RefusesAPredictiveWithoutVariance) {
  for (const double df : {2.0, 0.0, -1.0, std::nan("")}) EXPECT_THROW(StudentTable{df}, Error) << df;
}

TEST(StudentTable, IsMadeOncePerDfAlsoFromSeveralThreads) {
  std::vector<std::shared_ptr<const StudentTable>> tables(4);
  {
    std::vector<std::jthread> threads;
    for (auto& table : tables) threads.emplace_back([&table] { table = student_table(17.0); });
  }
  for (const auto& table : tables) EXPECT_EQ(table, tables.front());
  EXPECT_NE(student_table(18.0), tables.front());
  EXPECT_EQ(student_table(18.0)->df(), 18.0);
}

}  // namespace
}  // namespace ta2s2
