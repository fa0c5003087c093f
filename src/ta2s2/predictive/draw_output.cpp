#include "ta2s2/predictive/draw_output.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"

namespace ta2s2 {

DrawOutput::DrawOutput(const GpModel& model, const GpParameters& parameters)
    : transform_(model.transform()), parameters_(parameters.transform) {
  const double least = model.y().minCoeff(), largest = model.y().maxCoeff();
  const double beyond = is_plain() ? kInfinity : kClipRanges * (largest - least);
  low_ = least - beyond;
  high_ = largest + beyond;
}

double DrawOutput::of_process(double z) const {
  if (is_plain()) return z;
  return std::clamp(transform_.inverse(z, parameters_.data()), low_, high_);
}

double DrawOutput::slope(double z) const {
  if (is_plain()) return 1.0;
  const double y = transform_.inverse(z, parameters_.data());
  if (!(y > low_ && y < high_)) return 0.0;
  const double log_slope = transform_.at(y, parameters_.data()).log_slope;
  return std::isfinite(log_slope) ? std::exp(-log_slope) : 0.0;
}

double DrawOutput::to_process(double y) const {
  if (is_plain()) return y;
  const double z = transform_.at(y, parameters_.data()).value;
  return std::isfinite(z) ? z : -transform_.sign() * kInfinity;
}

}  // namespace ta2s2
