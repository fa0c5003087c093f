// Simulated studies: functions whose Sobol indices are known, few runs of each, a fit, and whether its intervals hold
// the truth.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/dataset.hpp"
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
  OutputRuns runs;
  std::vector<InputRange> ranges;
  Vector first, total;  // the truth
  FitOptions options;   // of its fit
};

// The `index`-th case of a family: its function, its number of runs and its design depend on both.
StudyCase make_case(Family family, Index index, Index runs_times = 1);

// What a study says of one index: the truth, its 95% interval, and the one that each draw's predicted mean alone gives,
// the mutant, which knows the hyper-parameters' uncertainty but not the function's.
struct Bounds {
  double low, high;

  bool hold(double truth) const { return low <= truth && truth <= high; }
  double width() const { return high - low; }
};
enum class IndexKind { first, total };
struct IndexFound {
  Index study, input;
  IndexKind kind;
  double truth;
  Bounds whole, of_means;
};

struct StudySize {
  Index studies, samples, paths;  // samples: draws per level of the fits
  Index runs_times = 1;           // times the family's numbers of runs
};

// Fits for this question, as docs/after_the_fit.md advises: an average over three structures, equally weighted.
std::vector<Setting> settings_for_sensitivity();

// One study per task, each on one thread. `settings` are those of the fits beyond the family's own.
std::vector<IndexFound> run_studies(Family family, const StudySize& size, const std::vector<Setting>& settings,
                                    Executor& executor);

// How many indices of a kind there are, and the share of them in their 95% intervals. An index that is zero is left
// out: it lies in no central interval of a quantity that is above zero with certainty.
struct Coverage {
  Index indices = 0;
  double whole = 0.0, of_means = 0.0;
  double mean_width = 0.0;  // of the whole intervals
};
Coverage coverage_of(const std::vector<IndexFound>& found, IndexKind kind);

}  // namespace ta2s2::sensitivity
