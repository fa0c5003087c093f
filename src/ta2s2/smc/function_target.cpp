#include "ta2s2/smc/function_target.hpp"

#include <cmath>

#include "ta2s2/base/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

FunctionTarget::FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names)
    : log_density_(std::move(log_density)), box_{std::move(low), std::move(high)}, names_(std::move(names)) {
  if (box_.low.size() == 0 || box_.low.size() != box_.high.size() || !(box_.low.array() < box_.high.array()).all() ||
      !box_.low.allFinite() || !box_.high.allFinite()) {
    throw Error(ErrorCode::usage,
                "a box needs as many lower as upper bounds, at least one, all finite, each lower below its upper");
  }
  for (Index d = static_cast<Index>(names_.size()); d < box_.low.size(); ++d)
    names_.push_back("x" + std::to_string(d + 1));
  log_volume_ = (box_.high - box_.low).array().log().sum();
}

Energy FunctionTarget::energy(VectorView point) const {
  if ((point.array() < box_.low.array()).any() || (point.array() > box_.high.array()).any()) {
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
  for (Index d = 0; d < dim(); ++d) point[d] = box_.low[d] + (box_.high[d] - box_.low[d]) * draw_uniform(stream);
  return point;
}

}  // namespace ta2s2
