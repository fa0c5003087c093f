// Sums over the components of a mixture of Student t: predictive/student_mixture.hpp.
#pragma once

#include <cstddef>

#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// P(T > t) as predictive/student_table.hpp holds it: piecewise polynomials in w = 1 + t, 64 cells to an octave.
struct StudentCells {
  static constexpr int kCellBits = 6;
  static constexpr int kTerms = 8;

  const double* terms = nullptr;  // [cell][kTerms], aligned to 64 bytes; the last cell is zero
  double end = 1.0;               // w at which the last one begins
};

struct MixtureProblem {
  std::size_t count = 0;  // a multiple of kPaddedComponents; components of weight zero are padding
  const double* weights = nullptr;
  const double* means = nullptr;
  const double* scales = nullptr;          // positive
  const double* inverse_scales = nullptr;  // all aligned to 64 bytes
  StudentCells cells;
  double df = 0.0;            // infinite: normal
  double log_constant = 0.0;  // log density of the standard t at 0
};

inline constexpr std::size_t kPaddedComponents = 8;

struct TailAndDensity {
  double tail, density;
};

struct MixtureRoutines {
  // P(X > x) for side = 1, P(X < x) for side = -1; a small one keeps its digits.
  double (*tail)(const MixtureProblem& problem, double x, double side);
  // The density is the derivative of the cells' polynomials, good to some 1e-12 of its largest value.
  TailAndDensity (*tail_and_density)(const MixtureProblem& problem, double x, double side);
  double (*log_density)(const MixtureProblem& problem, double x);
  double (*mean_absolute_deviation)(const MixtureProblem& problem, double y);  // E|X - y|
};

// Null for InstructionSet::plain.
const MixtureRoutines* mixture_routines(InstructionSet path);

}  // namespace ta2s2
