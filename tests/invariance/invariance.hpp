// Does a kernel leave its tempered density invariant?
//
// Exact draws are moved a few steps under one fixed plan, made from markers that are independent of them. If the kernel
// leaves the density invariant, what comes out are exact draws again. To test a kernel of your own:
//
//   const auto target = make_named_target("Banana_d6");
//   const InvarianceReport report = check_invariance(*target, MyKernel(), {.beta = 0.2});
//   EXPECT_GT(report.verdict(), 1e-3) << report;
//
// The program `invariance` does so for every kernel of move_list.cpp and every target of target_catalogue.cpp.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "ta2s2/smc/move.hpp"
#include "targets/exact_target.hpp"

namespace ta2s2 {

struct InvarianceTrial {
  double beta = 1.0;
  Index num_chains = 2000;  // and as many fresh draws to compare with
  Index num_steps = 10;
  Index num_markers = 500;
  std::uint64_t seed = 1;
};

// One comparison and the probability that an invariant kernel looks at least as bad.
struct InvarianceCheck {
  std::string name;
  double statistic;  // standard errors of a mean change, or sqrt(n / 2) times a Kolmogorov-Smirnov distance
  double p;
};

struct InvarianceReport {
  std::vector<InvarianceCheck> checks;

  const InvarianceCheck& worst() const;
  // Bonferroni: the smallest p times the number of checks, at most 1. An invariant kernel falls below alpha with
  // probability at most alpha.
  double verdict() const;
};

std::ostream& operator<<(std::ostream& out, const InvarianceReport& report);

// The checks: from start to end of a chain, the mean change of each coordinate, of its square and of its product with
// the next one (both about the fresh draws' means), of H and of the share of each mode; between final states and fresh
// exact draws, the two-sample Kolmogorov-Smirnov distance of each coordinate and of H; and whether the energies that
// the chains kept are those of their positions. H is always evaluated anew.
InvarianceReport check_invariance(const ExactTarget& target, const Move& kernel, const InvarianceTrial& trial);

}  // namespace ta2s2
