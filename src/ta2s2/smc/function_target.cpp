#include "ta2s2/sample.hpp"

#include <cmath>

#include "ta2s2/error.hpp"

namespace ta2s2 {

namespace {

constexpr int kLanesOfPoints = 4;

FunctionTarget::BlockLogDensity point_by_point(FunctionTarget::LogDensity log_density) {
  return [log_density = std::move(log_density)](MatrixView points, std::span<double> out) {
    for (Index i = 0; i < points.cols(); ++i) out[static_cast<std::size_t>(i)] = log_density(points.col(i));
  };
}

// The user's function may resize what it was given.
void require_size(const Vector& gradient, Index dim) {
  if (gradient.size() == dim) return;
  throw Error(ErrorCode::usage, "the gradient of the log density has " + std::to_string(gradient.size()) +
                                    " numbers, and a point has " + std::to_string(dim));
}

FunctionTarget::BlockLogDensityAndGradient point_by_point(FunctionTarget::LogDensityAndGradient log_density) {
  return
      [log_density = std::move(log_density)](MatrixView points, std::span<double> out, Eigen::Ref<Matrix> gradients) {
        Vector gradient(points.rows());
        for (Index i = 0; i < points.cols(); ++i) {
          out[static_cast<std::size_t>(i)] = log_density(points.col(i), gradient);
          require_size(gradient, points.rows());
          gradients.col(i) = gradient;
        }
      };
}

// Where only values are asked for.
FunctionTarget::BlockLogDensity without_gradient(FunctionTarget::BlockLogDensityAndGradient log_density) {
  return [log_density = std::move(log_density)](MatrixView points, std::span<double> out) {
    Matrix unused(points.rows(), points.cols());
    log_density(points, out, unused);
  };
}

}  // namespace

FunctionTarget::FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names)
    : FunctionTarget(point_by_point(std::move(log_density)), nullptr, kLanesOfPoints, std::move(low), std::move(high),
                     std::move(names)) {}

FunctionTarget::FunctionTarget(BlockLogDensity log_density, int lanes, Vector low, Vector high,
                               std::vector<std::string> names)
    : FunctionTarget(std::move(log_density), nullptr, lanes, std::move(low), std::move(high), std::move(names)) {}

FunctionTarget::FunctionTarget(LogDensityAndGradient log_density, Vector low, Vector high,
                               std::vector<std::string> names)
    : FunctionTarget(point_by_point(std::move(log_density)), kLanesOfPoints, std::move(low), std::move(high),
                     std::move(names)) {}

FunctionTarget::FunctionTarget(BlockLogDensityAndGradient log_density, int lanes, Vector low, Vector high,
                               std::vector<std::string> names)
    : FunctionTarget(without_gradient(log_density), log_density, lanes, std::move(low), std::move(high),
                     std::move(names)) {}

FunctionTarget::FunctionTarget(BlockLogDensity log_density, BlockLogDensityAndGradient with_gradient, int lanes,
                               Vector low, Vector high, std::vector<std::string> names)
    : log_density_(std::move(log_density)),
      with_gradient_(std::move(with_gradient)),
      lanes_(lanes),
      box_{std::move(low), std::move(high)},
      names_(std::move(names)) {
  if (box_.low.size() == 0 || box_.low.size() != box_.high.size() || !(box_.low.array() < box_.high.array()).all() ||
      !box_.low.allFinite() || !box_.high.allFinite()) {
    throw Error(ErrorCode::usage,
                "a box needs as many lower as upper bounds, at least one, all finite, each lower below its upper");
  }
  for (Index d = static_cast<Index>(names_.size()); d < box_.low.size(); ++d)
    names_.push_back("x" + std::to_string(d + 1));
  log_volume_ = (box_.high - box_.low).array().log().sum();
}

std::vector<Index> FunctionTarget::find_inside(MatrixView points, std::span<Energy> out) const {
  std::vector<Index> inside;
  for (Index i = 0; i < points.cols(); ++i) {
    const auto point = points.col(i).array();
    const bool is_inside = (point >= box_.low.array()).all() && (point <= box_.high.array()).all();
    if (is_inside) inside.push_back(i);
    out[static_cast<std::size_t>(i)] = Energy::impossible(Impossible::outside_box);
  }
  return inside;
}

Energy FunctionTarget::energy_of(double log_density) const {
  const double h = -log_density;
  return std::isfinite(h) ? Energy{log_volume_, h - log_volume_, Impossible::no}
                          : Energy::impossible(Impossible::not_finite);
}

void FunctionTarget::energies(MatrixView points, Workspace&, std::span<Energy> out) const {
  const std::vector<Index> inside = find_inside(points, out);
  if (inside.empty()) return;
  std::vector<double> values(inside.size());
  log_density_(points(Eigen::all, inside), values);
  for (std::size_t k = 0; k < inside.size(); ++k) out[static_cast<std::size_t>(inside[k])] = energy_of(values[k]);
}

void FunctionTarget::energies_and_gradients(MatrixView points, Workspace&, std::span<Energy> out,
                                            Eigen::Ref<Matrix> gradients) const {
  gradients.setZero();
  const std::vector<Index> inside = find_inside(points, out);
  if (inside.empty()) return;
  std::vector<double> values(inside.size());
  Matrix found(points.rows(), static_cast<Index>(inside.size()));
  with_gradient_(points(Eigen::all, inside), values, found);
  for (std::size_t k = 0; k < inside.size(); ++k) {
    out[static_cast<std::size_t>(inside[k])] = energy_of(values[k]);
    gradients.col(inside[k]) = -found.col(static_cast<Index>(k));
  }
}

Energy FunctionTarget::energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const {
  Energy energy;
  gradient.resize(dim());
  energies_and_gradients(point, workspace, {&energy, 1}, gradient);
  return energy;
}

}  // namespace ta2s2
