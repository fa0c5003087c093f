// Products over inputs of the terms that a sample function is made of (predictive/sample_function.hpp), for those who
// take it apart.
#pragma once

#include <vector>

#include "ta2s2/predictive/sample_function.hpp"

namespace ta2s2::detail {

// Factors of terms at some values of one input: cosines, sines, correlations with runs, as fill_input_factors gives
// them.
struct TermSplit {
  Index waves, runs;

  explicit TermSplit(const SampleFunction& path)
      : waves(path.num_waves()), runs(path.num_terms() - 2 * path.num_waves()) {}

  auto sines(Matrix& m) const { return m.middleRows(waves, waves).array(); }
  auto correlations(Matrix& m) const { return m.bottomRows(runs).array(); }
  auto correlations(const Matrix& m) const { return m.bottomRows(runs).array(); }
};

Vector term_coefficients(const SampleFunction& path);

// Matrices that one stretch of points after another uses: made anew they would cost as much as what is done with them.
struct TermWorkspace {
  std::vector<Matrix> factors, others;
  Matrix before, behind, along;
};

// Points of a stretch: its matrices of some hundred terms stay in the second cache.
inline constexpr Index kPathStretch = 16;

// Leaves in work.others the coefficients times the factors of all inputs but one, of each input in turn.
void multiply_others(const TermSplit& split, const Vector& start, TermWorkspace& work);

// With this the real part of a product is a plain sum over rows: a c - b d.
Matrix conjugated(const TermSplit& split, Matrix factors);

// The trend is a sum of functions of one input each: at `values` of one input, all others at zero, without the
// constant.
Vector trend_of_input(const SampleFunction& path, Index input, const Vector& values);

}  // namespace ta2s2::detail
