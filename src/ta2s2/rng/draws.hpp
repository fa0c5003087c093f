// Our own draws from a stream: those of the standard library differ between implementations.
#pragma once

#include <span>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// Uniform on the open interval (0, 1), (k + 1/2) 2^-52: never 0, never 1.
inline double draw_uniform(Stream& stream) {
  return (static_cast<double>(stream.bits() >> 12) + 0.5) * 0x1.0p-52;
}

// Uniform on {0, ..., count - 1}; its bias is below count / 2^64.
Index draw_index(Stream& stream, Index count);

double draw_normal(Stream& stream);
Vector draw_normals(Stream& stream, Index count);
// N(0, L L') for a lower triangular L.
Vector draw_correlated_normals(Stream& stream, const Matrix& lower_factor);

double draw_exponential(Stream& stream);  // mean 1

double draw_gamma(Stream& stream, double shape);  // rate 1

// An index with probability proportional to weights (non-negative, at least one positive).
Index draw_categorical(Stream& stream, std::span<const double> weights);

}  // namespace ta2s2
