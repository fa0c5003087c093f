// Cubic interpolation that rises where its points rise (Fritsch and Butland 1984), straight beyond the last ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace ta2s2 {

// `xs` rise strictly, `ys` do not fall. One point gives a constant.
inline double monotone_interpolation(std::span<const double> xs, std::span<const double> ys, double x) {
  const std::size_t size = xs.size();
  if (size == 1) return ys[0];
  const auto rise = [&](std::size_t k) { return (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]); };
  // The slope at a point: between the rises on both sides, nearer to the smaller one.
  const auto slope = [&](std::size_t k) {
    if (k == 0) return rise(0);
    if (k + 1 == size) return rise(size - 2);
    const double left = rise(k - 1), right = rise(k);
    if (left <= 0.0 || right <= 0.0) return 0.0;
    const double width_left = xs[k] - xs[k - 1], width_right = xs[k + 1] - xs[k];
    const double share = (width_left + 2.0 * width_right) / (3.0 * (width_left + width_right));
    return left * right / (share * right + (1.0 - share) * left);
  };
  if (x <= xs.front()) return ys.front() + (x - xs.front()) * slope(0);
  if (x >= xs.back()) return ys.back() + (x - xs.back()) * slope(size - 1);
  const auto k = static_cast<std::size_t>(std::ranges::upper_bound(xs, x) - xs.begin()) - 1;
  const double width = xs[k + 1] - xs[k], s = (x - xs[k]) / width, r = 1.0 - s;
  return ys[k] * r * r * (1.0 + 2.0 * s) + ys[k + 1] * s * s * (1.0 + 2.0 * r) +
         width * s * r * (slope(k) * r - slope(k + 1) * s);
}

}  // namespace ta2s2
