#include "ta2s2/gp/covariance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

// One input's factor, written as docs/math.md, section 1 states it.
double plain_factor(const std::string& spec, double distance, double phi) {
  if (spec == "squared-exponential") return std::exp(-0.5 * distance * distance / phi);
  if (spec == "matern52") {
    const double s = std::sqrt(5.0) * distance / std::sqrt(phi);
    return (1.0 + s + s * s / 3.0) * std::exp(-s);
  }
  if (spec == "matern32") {
    const double s = std::sqrt(3.0) * distance / std::sqrt(phi);
    return (1.0 + s) * std::exp(-s);
  }
  if (spec == "rational(0.5)") return 0.5 + 0.5 / (1.0 + 0.5 * distance * distance / phi);
  return std::exp(-0.5 * std::pow(distance, 1.9) / std::pow(phi, 0.95));
}

double plain_correlation(const std::string& spec, const Matrix& X, Index i, const Matrix& W, Index j,
                         const Vector& phi) {
  double product = 1.0;
  for (Index d = 0; d < X.cols(); ++d) product *= plain_factor(spec, std::abs(X(i, d) - W(j, d)), phi[d]);
  return product;
}

class EachCovariance : public testing::TestWithParam<std::string> {
 protected:
  // 130 rows: two whole chunks of 64 and a remainder.
  const Matrix X = test::scattered_points(130, 3);
  const Matrix W = test::scattered_points(70, 3, 2);
  const Vector phi = Vector{{0.05, 0.4, 2.0}};
  const std::unique_ptr<Covariance> covariance = make_covariance(GetParam());
};

// Some ten roundings each side of numbers at most one.
constexpr double kRounding = 1e-14;

TEST_P(EachCovariance, FillsItsFormula) {
  Matrix K, T;
  covariance->fill(X, phi, K);
  covariance->fill_cross(X, W, phi, T);
  ASSERT_EQ(K.rows(), 130);
  ASSERT_EQ(T.cols(), 70);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) {
      EXPECT_NEAR(K(i, j), plain_correlation(GetParam(), X, i, X, j, phi), kRounding);
    }
    for (Index j = 0; j < W.rows(); ++j) {
      EXPECT_NEAR(T(i, j), plain_correlation(GetParam(), X, i, W, j, phi), kRounding);
    }
  }
}

TEST_P(EachCovariance, DerivativeIsThatOfTheMatrix) {
  // Central differences: h^2/6 times the third derivative (at most about 10), plus 1e-16 / h.
  const double h = 1e-4, tolerance = 5e-8;
  Matrix K, dK, above, below;
  covariance->fill(X, phi, K);
  for (Index d = 0; d < 3; ++d) {
    covariance->fill_derivative(X, phi, K, d, dK);
    Vector up = phi, down = phi;
    up[d] *= std::exp(h);
    down[d] *= std::exp(-h);
    covariance->fill(X, up, above);
    covariance->fill(X, down, below);
    EXPECT_LT((dK - (above - below) / (2.0 * h)).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_GT(dK.cwiseAbs().maxCoeff(), 1e-2);
    EXPECT_EQ(dK, dK.transpose().eval());
  }
}

TEST_P(EachCovariance, ManyTinyLengthScalesLeaveTheConstantShareNotNan) {
  const Matrix far = test::scattered_points(5, 200);
  Matrix K, expected = Matrix::Constant(5, 5, std::pow(covariance->constant_share(), 200));
  expected.diagonal().setOnes();
  covariance->fill(far, Vector::Constant(200, std::exp(-40.0)), K);
  // With a share of 1/2 a factor is above it by the part 2 phi / r^2: 1e-10 for the nearest of 2000 distances, 2e-4.
  EXPECT_LE((K - expected).cwiseAbs().maxCoeff(), 1e-8 * expected(0, 1));
}

INSTANTIATE_TEST_SUITE_P(List, EachCovariance, testing::ValuesIn(covariance_examples()));

TEST(Covariance, RefusesWhatItDoesNotKnow) {
  for (const char* bad : {"gaussian", "matern52(1)", "power-exponential", "power-exponential(0)",
                          "power-exponential(2.1)", "power-exponential(x)", ""}) {
    EXPECT_THROW(make_covariance(bad), Error) << bad;
  }
  EXPECT_EQ(make_covariance("power-exponential(1.5)")->spec(), "power-exponential(1.5)");
}

}  // namespace
}  // namespace ta2s2
