#include "ta2s2/linalg/decompositions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ta2s2 {
namespace {

Matrix example() {
  Matrix A(3, 3);
  A << 4, 2, 1, 2, 5, 3, 1, 3, 6;
  return A;
}

TEST(Cholesky, FactorAndDeterminant) {
  Matrix L = example();
  ASSERT_EQ(cholesky_in_place(L), CholeskyStatus::ok);
  EXPECT_EQ(L(0, 2), 1.0);  // the upper triangle is untouched
  const double log_determinant = cholesky_log_determinant(L);
  L.triangularView<Eigen::StrictlyUpper>().setZero();
  EXPECT_LT((L * L.transpose() - example()).cwiseAbs().maxCoeff(),
            1e-14);                                     // a few roundings of entries up to 6
  EXPECT_NEAR(log_determinant, std::log(67.0), 1e-14);  // 4 (30 - 9) - 2 (12 - 3) + (6 - 5)
}

// Sizes on both sides of a block, odd and even. A = B B' + n I has a condition below 10: a few roundings per entry.
TEST(Cholesky, Inverse) {
  for (const Index n : {1, 2, 3, 16, 17, 70}) {
    const Matrix B = Matrix::NullaryExpr(n, n, [](Index i, Index j) { return std::sin(1.0 + 3.0 * i + 7.0 * j * i); });
    const Matrix A = B * B.transpose() + static_cast<double>(n) * Matrix::Identity(n, n);
    Matrix L = A, inverse_factor, inverse;
    ASSERT_EQ(cholesky_in_place(L), CholeskyStatus::ok);
    cholesky_inverse(L, inverse_factor, inverse);
    const Matrix whole = inverse.selfadjointView<Eigen::Lower>();
    EXPECT_LT((whole * A - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-13) << n;
    const Matrix lower = L.triangularView<Eigen::Lower>();
    EXPECT_LT((inverse_factor * lower - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-13) << n;
  }
}

TEST(Cholesky, SaysWhyThereIsNone) {
  Matrix indefinite = example();
  indefinite(2, 2) = -1.0;
  EXPECT_EQ(cholesky_in_place(indefinite), CholeskyStatus::not_positive_definite);
  for (Index i = 0; i < 3; ++i) {
    Matrix broken = example();
    broken(2, i) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(cholesky_in_place(broken), CholeskyStatus::not_finite);
  }
}

}  // namespace
}  // namespace ta2s2
