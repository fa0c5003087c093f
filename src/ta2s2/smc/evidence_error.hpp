// How far a log evidence may be off, from what each chain added to it and which chain it came from.
#pragma once

#include <span>
#include <vector>

#include "ta2s2/base/types.hpp"

namespace ta2s2 {

// One log mean weight of the sum that is the log evidence, by the chains whose states it weighs.
struct EvidenceTerm {
  // A chain's total of the normalised weights minus its share of the states: its part of the term's error.
  std::vector<double> excess;
  // The chain of the term before from which each chain started; not read of the first term.
  std::vector<Index> parents;
};

// Chains as independent as they are given the level's plan. Zero for one chain, which tells nothing.
double term_variance(const EvidenceTerm& term);

// A chain starts where its parent was, and if it forgets that slowly it repeats the errors of its parent and of its
// siblings. So chains are independent only if their ancestors kLineage levels earlier differ: the genealogy of Lee and
// Whiteley (2018) in the window of Olsson and Douc (2019).
inline constexpr std::size_t kLineage = 2;
double evidence_variance(std::span<const EvidenceTerm> terms);

}  // namespace ta2s2
