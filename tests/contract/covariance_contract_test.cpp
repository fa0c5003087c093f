// Laws that every covariance of the list obeys.
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/linalg/decompositions.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

Matrix scattered_points(Index n, Index p) {
  Stream stream({.seed = 7, .purpose = Purpose::design});
  Matrix X(n, p);
  for (double& value : X.reshaped()) value = draw_uniform(stream);
  return X;
}

class CovarianceContract : public testing::TestWithParam<std::string> {
 protected:
  Matrix filled(const Matrix& points, const Vector& phi_there) const {
    Matrix K;
    covariance->fill(points, with_shape(phi_there), K);
    return K;
  }

  // Its own shape is not one.
  static GpParameters with_shape(const Vector& phi_there) { return {phi_there, 0.0, 0.7}; }

  const std::unique_ptr<Covariance> covariance = make_covariance(GetParam());
  const Matrix X = scattered_points(75, 3);
  const Vector phi = Vector{{0.1, 0.5, 2.0}};
};

TEST_P(CovarianceContract, SpecReadsBackAsItself) {
  EXPECT_EQ(covariance->spec(), GetParam());
  EXPECT_EQ(filled(X, phi), [&] {
    Matrix K;
    make_covariance(covariance->spec())->fill(X, with_shape(phi), K);
    return K;
  }());
}

TEST_P(CovarianceContract, SymmetricWithUnitDiagonalAndAtMostOne) {
  const Matrix K = filled(X, phi);
  EXPECT_EQ(K, K.transpose().eval());
  EXPECT_EQ(K.diagonal(), Vector::Ones(75).eval());
  EXPECT_LE(K.maxCoeff(), 1.0);
  EXPECT_GE(K.minCoeff(), 0.0);
}

// A nugget of 1e-10 is far above what rounding takes from the smallest eigenvalue, about 75 * 1e-16 times 75.
TEST_P(CovarianceContract, PositiveDefinite) {
  for (const double log_phi : {-7.0, -2.0, 0.0, 3.0, 7.0}) {
    Matrix K = filled(X, Vector::Constant(3, std::exp(log_phi)));
    K.diagonal().array() += 1e-10;
    EXPECT_EQ(cholesky_in_place(K), CholeskyStatus::ok) << log_phi;
  }
}

// Shifting by a power of two near the data's size changes the differences by one rounding of 1e-16 at most.
TEST_P(CovarianceContract, ShiftInvariant) {
  EXPECT_LT((filled(X.array() + 2.0, phi) - filled(X, phi)).cwiseAbs().maxCoeff(), 1e-13);
}

// The same at distance 2 and phi = 4 v as at distance 1 and phi = v: phi is a squared length-scale.
TEST_P(CovarianceContract, ScalesWithTheLengthScale) {
  EXPECT_LT((filled(2.0 * X, 4.0 * phi) - filled(X, phi)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(CovarianceContract, FallsWithDistanceInEachInput) {
  for (Index d = 0; d < 3; ++d) {
    Matrix line = Matrix::Zero(50, 3), T;
    line.col(d) = Vector::LinSpaced(50, 0.0, 1.0);
    covariance->fill_cross(line, Matrix::Zero(1, 3), with_shape(phi), T);
    EXPECT_EQ(T(0, 0), 1.0);
    for (Index i = 1; i < 50; ++i) EXPECT_LT(T(i, 0), T(i - 1, 0)) << d << " " << i;
  }
}

TEST_P(CovarianceContract, CrossAgreesWithTheSquareMatrix) {
  Matrix T;
  covariance->fill_cross(X, X, with_shape(phi), T);
  EXPECT_LT((T - filled(X, phi)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_P(CovarianceContract, IsAProductOverInputsIfItSaysSo) {
  Matrix product = Matrix::Ones(75, 75);
  for (Index d = 0; d < 3; ++d) product = product.cwiseProduct(filled(X.col(d), phi.segment(d, 1)));
  EXPECT_EQ((product - filled(X, phi)).cwiseAbs().maxCoeff() < 1e-14, covariance->is_product());
}

// Nothing depends on a shape unless there is one, and then everything does.
TEST_P(CovarianceContract, DependsOnItsShapeIfItHasOne) {
  Matrix K, dK;
  covariance->fill(X, GpParameters{phi, 0.0, 0.8}, K);
  EXPECT_EQ(K != filled(X, phi), covariance->shape().has_value());
  Vector sums;
  covariance->sum_log_derivatives(X, with_shape(phi), Matrix::Ones(75, 75), sums);
  EXPECT_EQ(sums.size(), covariance->shape() ? 4 : 3);
  // The sums are those of the matrices, here of their logarithms.
  for (Index d = 0; d < sums.size(); ++d) {
    covariance->fill_derivative(X, with_shape(phi), Matrix::Ones(75, 75), d, dK);
    EXPECT_NEAR(sums[d], 0.5 * dK.sum(), 1e-10 * std::abs(sums[d]));
  }
}

TEST_P(CovarianceContract, GrowsWithPhiAndItsDerivativeSaysSo) {
  Matrix dK;
  for (Index d = 0; d < 3; ++d) {
    covariance->fill_derivative(X, with_shape(phi), filled(X, phi), d, dK);
    EXPECT_GE(dK.minCoeff(), 0.0);
    EXPECT_EQ(dK.diagonal(), Vector::Zero(75).eval());
    // Central difference: h^2/6 of the third derivative, and 1e-16 / h.
    Vector up = phi, down = phi;
    up[d] *= std::exp(1e-4);
    down[d] *= std::exp(-1e-4);
    EXPECT_LT((dK - (filled(X, up) - filled(X, down)) / 2e-4).cwiseAbs().maxCoeff(), 5e-8);
  }
}

// E cos(omega'r) is the correlation at the difference r. A mean of 10^5 cosines has an error of at most 0.71 /
// sqrt(10^5) = 0.0022; none of six is beyond 4.5 of them but once in 25 000. Frequencies twice as high, the mutant,
// are caught.
TEST_P(CovarianceContract, FrequenciesHaveTheSpectralLaw) {
  constexpr Index kDraws = 100'000;
  for (const Index p : {1, 2}) {
    const GpParameters at = with_shape(Vector{{1.0, 0.3}}.head(p));
    Stream stream({.seed = 3, .purpose = Purpose::sample_function});
    Matrix frequencies(kDraws, p), T;
    covariance->draw_frequencies(at, stream, frequencies);
    double farthest = 0.0, farthest_of_mutant = 0.0;
    for (const Vector& r : {Vector{{0.3, 0.2}}, Vector{{1.0, 0.5}}, Vector{{2.0, -0.4}}}) {
      const Vector difference = r.head(p);
      covariance->fill_cross(Matrix::Zero(1, p), difference.transpose(), at, T);
      const Vector angles = frequencies * difference;
      farthest = std::max(farthest, std::abs(angles.array().cos().mean() - T(0, 0)));
      farthest_of_mutant = std::max(farthest_of_mutant, std::abs((2.0 * angles).array().cos().mean() - T(0, 0)));
    }
    EXPECT_LT(farthest, 0.01) << p;
    EXPECT_GT(farthest_of_mutant, 0.01) << p;
  }
}

// In two inputs the waves of a product are independent, those of a radial correlation are not: a product of its cosines
// in each input would be the product of its correlations in each.
TEST_P(CovarianceContract, WavesOfInputsAreIndependentIfItIsAProduct) {
  constexpr Index kDraws = 100'000;
  Stream stream({.seed = 4, .purpose = Purpose::sample_function});
  Matrix frequencies(kDraws, 2), T;
  const GpParameters at = with_shape(Vector::Ones(2));
  covariance->draw_frequencies(at, stream, frequencies);
  const Vector cosines = frequencies.col(0).array().cos() * frequencies.col(1).array().cos();
  covariance->fill_cross(Matrix::Zero(1, 2), Matrix{{1.0, 0.0}}, at, T);
  EXPECT_EQ(std::abs(cosines.mean() - T(0, 0) * T(0, 0)) < 0.01, covariance->is_product());
}

INSTANTIATE_TEST_SUITE_P(List, CovarianceContract, testing::ValuesIn(covariance_examples()));

TEST(CovarianceList, PowerExponentialWithPowerTwoIsTheSquaredExponential) {
  const Matrix X = scattered_points(75, 3);
  const Vector phi{{0.1, 0.5, 2.0}};
  Matrix K, S;
  make_covariance("power-exponential(2)")->fill(X, phi, K);
  make_covariance("squared-exponential")->fill(X, phi, S);
  EXPECT_LT((K - S).cwiseAbs().maxCoeff(), 1e-15 * 8);
}

TEST(CovarianceList, NamesEveryExample) {
  const auto names = covariance_names(), examples = covariance_examples();
  ASSERT_EQ(names.size(), examples.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i].substr(0, names[i].find('(')), examples[i].substr(0, examples[i].find('(')));
  }
}

}  // namespace
}  // namespace ta2s2
