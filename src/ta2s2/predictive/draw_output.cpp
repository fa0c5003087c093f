#include "ta2s2/predictive/draw_output.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/predictive/law_frame.hpp"

namespace ta2s2 {

DrawOutput::DrawOutput(const GpModel& model, const GpParameters& parameters)
    : transform_(model.transform()), parameters_(parameters.transform) {
  const double least = model.y().minCoeff(), largest = model.y().maxCoeff();
  const double beyond = is_plain() ? kInfinity : LawFrame::kClipRanges * (largest - least);
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

DrawOutput::Moments DrawOutput::moments(double mean, double scale, const StudentRule& rule) const {
  const double first = rule.mean([&](double t) { return of_process(mean + scale * t); });
  const double second = rule.mean([&](double t) { return std::pow(of_process(mean + scale * t) - first, 2); });
  return {first, second};
}

// The gain has a kink where y is the best: it is integrated on the side of the kink that is away from the law's middle,
// and on the other side it differs from what is lost there by E y - best.
double DrawOutput::mean_gain(double best, double side, double mean, double scale, const StudentRule& rule) const {
  const double kink = to_process(std::clamp(best, low_, high_));
  const auto gain = [&](double t) { return side * (of_process(mean + scale * t) - best); };
  const double end = (kink - mean) / scale;
  if (!std::isfinite(end)) return std::max(end * side < 0.0 ? rule.mean(gain) : 0.0, 0.0);
  const double away = end < 0.0 ? -1.0 : 1.0;
  double sum = 0.0;
  for (const StudentRule::Node& node : rule.beyond(std::abs(end))) {
    sum += node.weight * std::max(away * side * gain(away * node.t), 0.0);
  }
  return std::max(away == side ? sum : rule.mean(gain) + sum, 0.0);
}

}  // namespace ta2s2
