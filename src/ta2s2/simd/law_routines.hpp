// Sums over draws whose outputs were transformed, each in its own way: predictive/transformed_law.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "ta2s2/simd/mixture_routines.hpp"

namespace ta2s2 {

// How g of a draw at one y comes from a number x that all draws of a segment share, and from the draw's parameters.
enum class LawForm {
  shared,        // g = x
  box_cox,       // g = sign (v^power - 1) / power, v = x + shift; parameters shift, power, 1 / power
  sinh_arcsinh,  // g = sinh w, w = stretch x - skew; parameters stretch, skew
};

// Slots of draws with the same form.
struct LawSegment {
  LawForm form = LawForm::shared;
  std::size_t first = 0, count = 0;  // whole vectors: multiples of kPaddedComponents
  double x = 0.0, sign = 1.0;
  double slope = 0.0;  // the factor of dg/dy that the draws share
};

struct LawProblem {
  MixtureProblem mixture;                                     // means and scales in units of g
  const double* parameters[3] = {nullptr, nullptr, nullptr};  // per slot, aligned to 64 bytes; a power is not zero
};

struct LawRoutines {
  // As MixtureRoutines, at the y that the segments were made for. A draw whose g has an end before y is certain there.
  double (*tail)(const LawProblem& problem, std::span<const LawSegment> segments, double side);
  TailAndDensity (*tail_and_density)(const LawProblem& problem, std::span<const LawSegment> segments, double side);
  double (*log_density)(const LawProblem& problem, std::span<const LawSegment> segments);
};

// Null for InstructionSet::plain.
const LawRoutines* law_routines(InstructionSet path);

}  // namespace ta2s2
