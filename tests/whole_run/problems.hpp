// What whole runs are held against: posteriors of Franke's function by quadrature, and densities known in closed form.
#pragma once

#include <functional>

#include "targets/exact_target.hpp"

namespace ta2s2::whole_run {

struct Problem {
  std::shared_ptr<const TargetDensity> sampled;  // as a fit would see it, with its box
  std::shared_ptr<const ExactTarget> exact;      // the same density, with its truth
};

struct NamedProblem {
  std::string name;  // "Franke_d3_design2_log-uniform", "Banana_d10"
  std::function<Problem()> make;
};

// Design 1, 2 or 3 of Franke's function. Two dimensions: squared exponential, no trend, nugget fixed at 1e-6; three:
// Matern 5/2, constant trend, nugget inferred. Every axis of the grid has `fineness` times its cells.
Problem franke_problem(Index dim, int design, const std::string& prior, Index fineness = 1);

std::vector<NamedProblem> problems();

// Throws std::out_of_range if there is none of that name.
Problem make_problem(const std::string& name);

}  // namespace ta2s2::whole_run
