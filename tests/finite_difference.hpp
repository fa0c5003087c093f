// Derivatives from values alone, to hold gradients against.
#pragma once

#include <functional>

#include "ta2s2/types.hpp"

namespace ta2s2::test {

// Central differences of steps h, h/2 and h/4 extrapolated to zero (Richardson): off by terms of order h^6, and by some
// 10/h times the rounding error of f.
inline double derivative(const std::function<double(double)>& f, double x, double h) {
  const auto central = [&](double step) { return (f(x + step) - f(x - step)) / (2.0 * step); };
  const double coarse = central(h), middle = central(0.5 * h), fine = central(0.25 * h);
  const double first = (4.0 * middle - coarse) / 3.0, second = (4.0 * fine - middle) / 3.0;
  return (16.0 * second - first) / 15.0;
}

inline Vector gradient(const std::function<double(const Vector&)>& f, const Vector& x, double h) {
  Vector out(x.size());
  for (Index d = 0; d < x.size(); ++d) {
    const auto along = [&](double value) {
      Vector moved = x;
      moved[d] = value;
      return f(moved);
    };
    out[d] = derivative(along, x[d], h);
  }
  return out;
}

}  // namespace ta2s2::test
