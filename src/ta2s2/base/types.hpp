// The dense types every layer shares.
#pragma once

#include <Eigen/Dense>

namespace ta2s2 {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  // column-major
using Vector = Eigen::VectorXd;
using MatrixView = Eigen::Ref<const Matrix>;
using VectorView = Eigen::Ref<const Vector>;

}  // namespace ta2s2
