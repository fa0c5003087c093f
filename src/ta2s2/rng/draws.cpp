#include "ta2s2/rng/draws.hpp"

#include <cmath>
#include <numbers>

namespace ta2s2 {

Index draw_index(Stream& stream, Index count) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(stream.bits()) * static_cast<Wide>(count);
  return static_cast<Index>(product >> 64);
}

namespace {

struct NormalPair {
  double first, second;
};

// Box and Muller (1958).
NormalPair draw_normal_pair(Stream& stream) {
  const double radius = std::sqrt(-2.0 * std::log(draw_uniform(stream)));
  const double angle = 2.0 * std::numbers::pi * draw_uniform(stream);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

double draw_normal(Stream& stream) {
  return draw_normal_pair(stream).first;
}

Vector draw_normals(Stream& stream, Index count) {
  Vector normals(count);
  for (Index i = 0; i < count; i += 2) {
    const NormalPair pair = draw_normal_pair(stream);
    normals[i] = pair.first;
    if (i + 1 < count) normals[i + 1] = pair.second;
  }
  return normals;
}

Vector draw_correlated_normals(Stream& stream, const Matrix& lower_factor) {
  Vector normals = draw_normals(stream, lower_factor.rows());
  // In place, from the last row up: a row needs only the normals before it.
  for (Index r = normals.size() - 1; r >= 0; --r) {
    double sum = 0.0;
    for (Index j = 0; j <= r; ++j) sum += lower_factor(r, j) * normals[j];
    normals[r] = sum;
  }
  return normals;
}

double draw_exponential(Stream& stream) {
  return -std::log(draw_uniform(stream));
}

// Marsaglia and Tsang (2000); a shape below one is lifted by one and multiplied by U^(1/shape).
double draw_gamma(Stream& stream, double shape) {
  if (shape < 1.0) {
    const double lift = std::pow(draw_uniform(stream), 1.0 / shape);
    return lift * draw_gamma(stream, shape + 1.0);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double normal = draw_normal(stream);
    const double v = std::pow(1.0 + c * normal, 3);
    if (v <= 0.0) continue;
    if (std::log(draw_uniform(stream)) < 0.5 * normal * normal + d - d * v + d * std::log(v)) return d * v;
  }
}

Index draw_categorical(Stream& stream, std::span<const double> weights) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  double left = draw_uniform(stream) * total;
  Index last_positive = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    last_positive = static_cast<Index>(i);
    left -= weights[i];
    if (left <= 0.0) break;
  }
  return last_positive;
}

}  // namespace ta2s2
