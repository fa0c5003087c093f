// The dense types every layer shares.
#pragma once

#include <Eigen/Dense>
#include <limits>

// A matrix that one side allocates is freed by the other, so both must agree on how Eigen aligns memory, whatever
// instructions they are compiled for. The target ta2s2::ta2s2 sees to it.
#if EIGEN_MAX_ALIGN_BYTES != 16
#error "compile with -DEIGEN_MAX_ALIGN_BYTES=16, as the target ta2s2::ta2s2 does"
#endif

/// Emulators of simulators: Gaussian processes whose hyper-parameters are sampled, not guessed.
namespace ta2s2 {

using Index = Eigen::Index;                   ///< of rows, columns and counts; signed
using Matrix = Eigen::MatrixXd;               ///< column-major
using Vector = Eigen::VectorXd;               ///< a column
using MatrixView = Eigen::Ref<const Matrix>;  ///< of a matrix or a part of one, without a copy
using VectorView = Eigen::Ref<const Vector>;  ///< of a vector or a column, without a copy

/// The release of this library: "0.1.0".
const char* version();

/// Positive infinity.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace ta2s2
