// Where the truth lies in what a fit says of it: a posterior distribution function at the truth. Over problems drawn
// from the prior it is uniform on [0, 1].
#pragma once

#include <string>
#include <vector>

#include "calibration/simulated_problem.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::calibration {

struct Rank {
  std::string quantity;
  double value = 0.0;
};

// "log_phi_x1"..., "z_nugget": share of the draws below the truth.
// "energy": the same of H, the minus log posterior density, which feels a fault in any direction of z.
// "sigma2": the mean over draws of its inverse gamma distribution function given the draw.
// "new_run_1"...: the predictive distribution function at a new run (probability integral transform).
// Draws of one chain are dependent: a rank from draws worth L independent ones has the variance (1 + 2/L)/12 instead of
// 1/12. With L > 100 that is 2% more, where 400 problems tell the variance to 4.5% (one sd).
std::vector<Rank> posterior_ranks(const SimulatedProblem& problem, const MemberRecord& record);

}  // namespace ta2s2::calibration
