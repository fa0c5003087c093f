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

}  // namespace

FunctionTarget::FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names)
    : FunctionTarget(point_by_point(std::move(log_density)), kLanesOfPoints, std::move(low), std::move(high),
                     std::move(names)) {}

FunctionTarget::FunctionTarget(BlockLogDensity log_density, int lanes, Vector low, Vector high,
                               std::vector<std::string> names)
    : log_density_(std::move(log_density)),
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

bool FunctionTarget::contains(VectorView point) const {
  return (point.array() >= box_.low.array()).all() && (point.array() <= box_.high.array()).all();
}

void FunctionTarget::energies(MatrixView points, Workspace&, std::span<Energy> out) const {
  std::vector<Index> inside;
  for (Index i = 0; i < points.cols(); ++i) {
    if (contains(points.col(i))) inside.push_back(i);
    out[static_cast<std::size_t>(i)] = Energy::impossible(Impossible::outside_box);
  }
  if (inside.empty()) return;
  std::vector<double> values(inside.size());
  log_density_(points(Eigen::all, inside), values);
  for (std::size_t k = 0; k < inside.size(); ++k) {
    const double h = -values[k];
    out[static_cast<std::size_t>(inside[k])] = std::isfinite(h) ? Energy{log_volume_, h - log_volume_, Impossible::no}
                                                                : Energy::impossible(Impossible::not_finite);
  }
}

}  // namespace ta2s2
