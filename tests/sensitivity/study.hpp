// Simulated studies: functions whose Sobol indices are known, few runs of each, a fit, and whether its intervals hold
// the truth.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/data/dataset.hpp"
#include "ta2s2/data/input_range.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2::sensitivity {

// Where a study's function comes from.
enum class Family {
  waves,       // sums of products of two of a sine, a line and a parabola, with random coefficients
  ishigami,    // with random a and b
  g_function,  // with random a
  process,     // drawn from the prior that the fit is told of
};
std::string to_word(Family family);

struct StudyCase {
  Dataset runs;
  std::vector<InputRange> ranges;
  Vector first, total;  // the truth
  FitOptions options;   // of its fit
};

// The `index`-th case of a family: its function, its number of runs and its design depend on both.
StudyCase make_case(Family family, Index index);

enum class Uncertainty { whole, of_hyper_parameters_alone };

// How many indices there are, and how many of them lie in their 95% intervals. An index that is zero is left out: it
// lies in no central interval of a quantity that is above zero with certainty.
struct Coverage {
  Index first_indices = 0, covered_first = 0, total_indices = 0, covered_total = 0;
  double mean_width = 0.0;  // of the intervals of totals

  double first() const { return static_cast<double>(covered_first) / static_cast<double>(first_indices); }
  double total() const { return static_cast<double>(covered_total) / static_cast<double>(total_indices); }
};

struct StudySize {
  Index studies, samples, paths;  // samples: draws per level of the fits
};

// One study per task, each on one thread. Without the function's uncertainty, the mutant, indices are those of each
// draw's predicted mean.
Coverage run_studies(Family family, const StudySize& size, Uncertainty uncertainty, Executor& executor);

}  // namespace ta2s2::sensitivity
