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
                         const GpParameters& at) {
  if (spec == "rational-quadratic") {
    const double shape = std::exp(at.log_shape);
    const double sum = ((X.row(i) - W.row(j)).array().square() / at.phi.transpose().array()).sum();
    return std::pow(1.0 + sum / (2.0 * shape), -shape);
  }
  double product = 1.0;
  for (Index d = 0; d < X.cols(); ++d) product *= plain_factor(spec, std::abs(X(i, d) - W(j, d)), at.phi[d]);
  return product;
}

class EachCovariance : public testing::TestWithParam<std::string> {
 protected:
  // 130 rows: two whole chunks of 64 and a remainder.
  const Matrix X = test::scattered_points(130, 3);
  const Matrix W = test::scattered_points(70, 3, 2);
  const GpParameters at{Vector{{0.05, 0.4, 2.0}}, 0.0, 0.7};
  const std::unique_ptr<Covariance> covariance = make_covariance(GetParam());
};

// Some ten roundings each side of numbers at most one.
constexpr double kRounding = 1e-14;

TEST_P(EachCovariance, FillsItsFormula) {
  Matrix K, T;
  covariance->fill(X, at, K);
  covariance->fill_cross(X, W, at, T);
  ASSERT_EQ(K.rows(), 130);
  ASSERT_EQ(T.cols(), 70);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) {
      EXPECT_NEAR(K(i, j), plain_correlation(GetParam(), X, i, X, j, at), kRounding);
    }
    for (Index j = 0; j < W.rows(); ++j) {
      EXPECT_NEAR(T(i, j), plain_correlation(GetParam(), X, i, W, j, at), kRounding);
    }
  }
}

// By each log phi, and by the logarithm of the shape.
TEST_P(EachCovariance, DerivativeIsThatOfTheMatrix) {
  // Central differences: h^2/6 times the third derivative (at most about 10), plus 1e-16 / h.
  const double h = 1e-4, tolerance = 5e-8;
  Matrix K, dK, above, below;
  covariance->fill(X, at, K);
  for (Index d = 0; d < (covariance->shape() ? 4 : 3); ++d) {
    covariance->fill_derivative(X, at, K, d, dK);
    GpParameters up = at, down = at;
    (d < 3 ? up.phi[d] : up.log_shape) += d < 3 ? at.phi[d] * std::expm1(h) : h;
    (d < 3 ? down.phi[d] : down.log_shape) += d < 3 ? at.phi[d] * std::expm1(-h) : -h;
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
  // A rational quadratic falls by a power: of shape one, to 2 phi / 33, the expected sum of 200 squared distances.
  const double remains = covariance->is_product() ? 0.0 : 1e-18;
  // With a share of 1/2 a factor is above it by the part 2 phi / r^2: 1e-10 for the nearest of 2000 distances, 2e-4.
  EXPECT_LE((K - expected).cwiseAbs().maxCoeff(), 1e-8 * expected(0, 1) + remains);
}

// Against long double, where the two terms of the shape's derivative are nearly equal, and where they are not.
TEST(RationalQuadratic, ItsDerivativeByTheShapeKeepsItsDigits) {
  const auto covariance = make_covariance("rational-quadratic");
  const Matrix X = Vector{{0.0, 1.0}};
  for (const double log_shape : {-3.0, 0.0, 3.0, 8.0}) {
    for (double log_phi = -7.0; log_phi < 40.0; log_phi += 0.37) {
      const GpParameters at{Vector::Constant(1, std::exp(log_phi)), 0.0, log_shape};
      const long double shape = std::exp(static_cast<long double>(log_shape));
      const long double x = 0.5L / at.phi[0] / shape;
      // u - log1p(x) with u = x / (1 + x), below 1e-5 by its series in x: the next term is 2e-15 of it.
      const long double difference =
          x < 1e-5L ? -x * x * (0.5L - x * (2.0L / 3.0L - 0.75L * x)) : x / (1.0L + x) - std::log1p(x);
      Matrix K = Matrix::Ones(2, 2), dK;  // of the logarithm
      covariance->fill_derivative(X, at, K, 1, dK);
      EXPECT_NEAR(dK(1, 0) / static_cast<double>(shape * difference), 1.0, 1e-13) << log_shape << " " << log_phi;
    }
  }
}

// Its limits: the squared exponential, which differs by s^2 / (8 shape) of itself, s^2 <= 4 where the correlation is
// above e^-1, and Cauchy's at shape one.
TEST(RationalQuadratic, IsTheSquaredExponentialAtALargeShape) {
  const Matrix X = test::scattered_points(30, 3);
  const Vector phi{{0.5, 1.0, 2.0}};
  Matrix K, S;
  make_covariance("rational-quadratic")->fill(X, GpParameters{phi, 0.0, std::log(1e6)}, K);
  make_covariance("squared-exponential")->fill(X, phi, S);
  EXPECT_LT((K - S).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT((K - S).cwiseAbs().maxCoeff(), 1e-9);
  Matrix one;
  make_covariance("rational-quadratic")->fill(X.leftCols(1), phi.head(1), K);
  make_covariance("rational(0)")->fill(X.leftCols(1), phi.head(1), one);
  EXPECT_LT((K - one).cwiseAbs().maxCoeff(), 1e-15 * 8);
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
