#include "ta2s2/smc/function_target.hpp"

#include <cmath>

#include "ta2s2/base/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

FunctionTarget::FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names)
    : log_density_(std::move(log_density)), low_(std::move(low)), high_(std::move(high)), names_(std::move(names)) {
  if (low_.size() == 0 || low_.size() != high_.size() || !(low_.array() < high_.array()).all() || !low_.allFinite() ||
      !high_.allFinite()) {
    throw Error(ErrorCode::usage,
                "a box needs as many lower as upper bounds, at least one, all finite, each lower below its upper");
  }
  for (Index d = static_cast<Index>(names_.size()); d < low_.size(); ++d) names_.push_back("x" + std::to_string(d + 1));
  log_volume_ = (high_ - low_).array().log().sum();
}

Energy FunctionTarget::energy(VectorView point) const {
  if ((point.array() < low_.array()).any() || (point.array() > high_.array()).any()) {
    return Energy::impossible(Impossible::outside_box);
  }
  const double h = -log_density_(point);
  if (!std::isfinite(h)) return Energy::impossible(Impossible::not_finite);
  return {log_volume_, h - log_volume_, Impossible::no};
}

void FunctionTarget::energies(MatrixView points, Workspace&, std::span<Energy> out) const {
  for (Index i = 0; i < points.cols(); ++i) out[static_cast<std::size_t>(i)] = energy(points.col(i));
}

Vector FunctionTarget::draw_start(Stream& stream) const {
  Vector point(dim());
  for (Index d = 0; d < dim(); ++d) point[d] = low_[d] + (high_[d] - low_[d]) * draw_uniform(stream);
  return point;
}

}  // namespace ta2s2
