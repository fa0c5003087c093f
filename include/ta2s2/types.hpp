// The dense types every layer shares.
#pragma once

#include <Eigen/Dense>
#include <limits>

namespace ta2s2 {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  // column-major
using Vector = Eigen::VectorXd;
using MatrixView = Eigen::Ref<const Matrix>;
using VectorView = Eigen::Ref<const Vector>;

/// The release of this library: "0.1.0".
const char* version();

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace ta2s2
