// Simulation-based calibration (Talts et al. 2018) of whole fits: many problems from the prior, each fitted and ranked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calibration/posterior_ranks.hpp"
#include "ta2s2/exec/executor.hpp"

namespace ta2s2::calibration {

struct StudyOptions {
  Index num_problems = 100;
  std::uint64_t seed = 1;
  FitOptions simulate;        // what the problems are drawn from
  FitOptions fit;             // what they are fitted with
  double shape_offset = 0.0;  // of what is taken for the truth of the correlation's log shape, if it has one
};

// A study whose fits know the prior that the problems come from; everything else as by default.
StudyOptions default_study();
// The same with the rational quadratic, whose shape is sampled, under the default prior.
StudyOptions study_of_shapes();

struct RankedProblem {
  Index runs = 0;
  Index inputs = 0;
  std::vector<Rank> ranks;
};

// One fit per task, each on one thread: the same ranks on any number of workers.
std::vector<RankedProblem> run_study(const StudyOptions& options, Executor& executor);

// One rank per problem that has the quantity, so that those of one quantity are independent.
std::map<std::string, std::vector<double>> ranks_by_quantity(const std::vector<RankedProblem>& problems);

}  // namespace ta2s2::calibration
