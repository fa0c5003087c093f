// The standard Student t, with a distribution function cheap enough to sum over thousands of components.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "ta2s2/simd/mixture_routines.hpp"

namespace ta2s2 {

// P(T > t) for t >= 0 is held as piecewise polynomials of degree 7 in w = 1 + t, 64 cells to an octave of w, so that a
// cell and the place in it are read off the bits of w. Against the incomplete beta function the error is below 3e-16,
// and below 2e-11 of the probability itself down to 1e-10, at 6 ns instead of some 3000. Infinite df is the normal.
class StudentTable {
 public:
  explicit StudentTable(double df);  // df > 2

  double df() const { return df_; }

  // P(T <= t); P(T > t) is cdf(-t), which keeps its digits where 1 - cdf(t) loses them. Zero below 1e-40.
  double cdf(double t) const {
    const double outside = beyond(std::abs(t));
    return t < 0.0 ? outside : 1.0 - outside;
  }

  double log_density(double t) const;
  double quantile(double u) const;                 // 0 < u < 1, by Boost: not for inner loops
  double mean_absolute_deviation(double t) const;  // E|T - t|
  double variance() const;

  // The least power of two t with E max(T - t, 0) < 1e-13: what lies beyond matters to no integral of ours.
  double reach() const { return reach_; }

  // What sums over components on an instruction path read.
  StudentCells cells() const { return {cells_.front().terms.data(), cells_end_}; }
  double log_constant() const { return log_constant_; }

 private:
  static constexpr int kCellBits = StudentCells::kCellBits;
  static constexpr int kTerms = StudentCells::kTerms;
  struct alignas(64) Cell {  // one cache line
    std::array<double, kTerms> terms;
  };

  double beyond(double magnitude) const {
    const auto bits = std::bit_cast<std::uint64_t>(1.0 + magnitude);
    const std::uint64_t cell = (bits >> (52 - kCellBits)) - kFirstCell;
    if (cell >= cells_.size()) return 0.0;
    const std::uint64_t place = (bits << kCellBits) & 0x000f'ffff'ffff'ffff;
    const double s = 2.0 * std::bit_cast<double>(place | 0x3ff0'0000'0000'0000) - 3.0;  // [-1, 1) across the cell
    const std::array<double, kTerms>& c = cells_[cell].terms;
    const double s2 = s * s;
    const double low = (c[0] + c[1] * s) + (c[2] + c[3] * s) * s2;
    const double high = (c[4] + c[5] * s) + (c[6] + c[7] * s) * s2;
    return low + high * (s2 * s2);
  }

  void fill_cells();
  double deviation_kernel(double t) const;  // f(t) (df + t^2) / (df - 1)

  static constexpr std::uint64_t kFirstCell = std::bit_cast<std::uint64_t>(1.0) >> (52 - kCellBits);

  double df_;
  double log_constant_;  // log density at 0
  double reach_ = 1.0;
  std::vector<Cell> cells_;  // the last one is zero
  double cells_end_ = 1.0;   // w at which it begins
};

// The table of df, made at its first use and kept: a mixture is built per prediction point, a table takes
// milliseconds. Safe to call from several threads.
std::shared_ptr<const StudentTable> student_table(double df);

}  // namespace ta2s2
