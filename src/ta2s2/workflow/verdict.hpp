// One answer to "may I use this fit?": converged, or what is wrong and what to raise.
#pragma once

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

enum class VerdictStatus {
  converged,
  not_converged,  // more draws would help
  not_exact,      // they would not: the settings do not sample the posterior
  unchecked,      // nothing is known to be wrong, but there were no groups to compare
  no_sample,      // only the maximum was sought
};

struct Verdict {
  VerdictStatus status = VerdictStatus::converged;
  std::vector<std::string> reasons;  // why it is not converged
  std::vector<std::string> advice;   // what to change
  std::vector<std::string> caveats;  // true of a converged fit too: how far the box decides the posterior
  std::string check;                 // what a second run said, if there was one and it agrees
};

Verdict judge(const MemberRecord& record);
// Of an average, that of the heaviest of its models that are not converged, if there is one, with the model's name.
// Models of little weight do not count (kLittleWeight).
Verdict judge(const OutputRecord& output);

// "converged", "not-converged", "not-exact", "unchecked" or "no-sample".
std::string to_word(VerdictStatus status);

// All but the caveats, as one line.
std::string sentence(const Verdict& verdict);

// The verdict's sentence unless it is "converged", then its caveats; empty if nothing is wrong.
std::vector<std::string> warnings(const Verdict& verdict);

// The limits that `judge` holds a fit to; verdict.cpp derives them.
inline constexpr double kLeastDraws = 100.0;
inline constexpr double kMuchMassNearBorder = 0.05;
double largest_r_hat(Index num_groups);
inline constexpr double kLittleWeight = 0.01;      // what a model predicts changes nothing that a user would see
inline constexpr double kLargestDifference = 4.5;  // between two runs, in standard errors

}  // namespace ta2s2
