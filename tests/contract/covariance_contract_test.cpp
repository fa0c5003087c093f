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
  Matrix filled(const Matrix& points, const Vector& at) const {
    Matrix K;
    covariance->fill(points, at, K);
    return K;
  }

  const std::unique_ptr<Covariance> covariance = make_covariance(GetParam());
  const Matrix X = scattered_points(75, 3);
  const Vector phi = Vector{{0.1, 0.5, 2.0}};
};

TEST_P(CovarianceContract, SpecReadsBackAsItself) {
  EXPECT_EQ(covariance->spec(), GetParam());
  EXPECT_EQ(filled(X, phi), [&] {
    Matrix K;
    make_covariance(covariance->spec())->fill(X, phi, K);
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
    covariance->fill_cross(line, Matrix::Zero(1, 3), phi, T);
    EXPECT_EQ(T(0, 0), 1.0);
    for (Index i = 1; i < 50; ++i) EXPECT_LT(T(i, 0), T(i - 1, 0)) << d << " " << i;
  }
}

TEST_P(CovarianceContract, CrossAgreesWithTheSquareMatrix) {
  Matrix T;
  covariance->fill_cross(X, X, phi, T);
  EXPECT_LT((T - filled(X, phi)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_P(CovarianceContract, ProductOverInputs) {
  Matrix product = Matrix::Ones(75, 75);
  for (Index d = 0; d < 3; ++d) product = product.cwiseProduct(filled(X.col(d), phi.segment(d, 1)));
  EXPECT_LT((product - filled(X, phi)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(CovarianceContract, GrowsWithPhiAndItsDerivativeSaysSo) {
  Matrix dK;
  for (Index d = 0; d < 3; ++d) {
    covariance->fill_derivative(X, phi, filled(X, phi), d, dK);
    EXPECT_GE(dK.minCoeff(), 0.0);
    EXPECT_EQ(dK.diagonal(), Vector::Zero(75).eval());
    // Central difference: h^2/6 of the third derivative, and 1e-16 / h.
    Vector up = phi, down = phi;
    up[d] *= std::exp(1e-4);
    down[d] *= std::exp(-1e-4);
    EXPECT_LT((dK - (filled(X, up) - filled(X, down)) / 2e-4).cwiseAbs().maxCoeff(), 5e-8);
  }
}

// E cos(omega r) is the factor at distance r and phi = 1. A mean of 10^5 cosines has an error of at most 0.71 /
// sqrt(10^5) = 0.0022; none of four is beyond 4.5 of them but once in 40 000. Frequencies twice as high, the mutant,
// are caught.
TEST_P(CovarianceContract, FrequenciesHaveTheSpectralLaw) {
  constexpr int kDraws = 100'000;
  Stream stream({.seed = 3, .purpose = Purpose::sample_function});
  std::vector<double> frequencies(kDraws);
  for (double& frequency : frequencies) frequency = covariance->draw_frequency(stream);
  const auto mean_cosine = [&](double r) {
    double sum = 0.0;
    for (const double frequency : frequencies) sum += std::cos(frequency * r) / kDraws;
    return sum;
  };
  double farthest = 0.0, farthest_of_mutant = 0.0;
  for (const double r : {0.3, 1.0, 2.0, 4.0}) {
    Matrix T;
    covariance->fill_cross(Matrix::Zero(1, 1), Matrix::Constant(1, 1, r), Vector::Ones(1), T);
    farthest = std::max(farthest, std::abs(mean_cosine(r) - T(0, 0)));
    farthest_of_mutant = std::max(farthest_of_mutant, std::abs(mean_cosine(2.0 * r) - T(0, 0)));
  }
  EXPECT_LT(farthest, 0.01);
  EXPECT_GT(farthest_of_mutant, 0.01);
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
