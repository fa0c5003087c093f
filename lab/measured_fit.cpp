#include "lab/measured_fit.hpp"

#include <cmath>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/smc/thinning.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::lab {

FitOptions options_with(const std::vector<Setting>& settings, std::uint64_t seed) {
  FitOptions options;
  apply_settings(options, settings);
  options.annealing.seed = seed;
  return options;
}

MemberRecord fit_runs(const OutputRuns& runs, const FitOptions& options, Executor& executor) {
  Observer silent;
  return fit(runs, ValidFitOptions(options), {}, {executor, silent});
}

Scores score_thinned(const MemberRecord& record, Index count, const OutputRuns& test, Executor& executor) {
  // Chain 1: the fit itself thinned with chain 0.
  Stream stream({record.options.annealing.seed, Purpose::thinning, 0, 1, 0});
  const ThinnedDraws thinned = thin(record.sample.weights, count, stream);
  MemberRecord few = record;
  few.sample.positions = record.sample.positions(Eigen::all, thinned.kept);
  few.sample.energies = record.sample.energies(thinned.kept);
  few.sample.weights = thinned.weights;
  return validate(make_predictive(few), test, executor);
}

double total_evaluations(const MemberRecord& record) {
  double sum = 0.0;
  for (const LevelSummary& level : record.levels) sum += static_cast<double>(level.evaluations);
  return sum;
}

std::string fingerprint(const FitOptions& options, const TestProblem& problem) {
  Fnv1a hash;
  hash.add_text(version());
  for (const Setting& setting : recorded_settings(options)) {
    if (setting.name == "seed") continue;
    hash.add_text(setting.name);
    hash.add_text(setting.text);
  }
  hash.add_text(problem.train.fingerprint());
  hash.add_text(problem.test.fingerprint());
  return hash.hex();
}

std::string cell(double value) {
  return std::isnan(value) ? "" : format_number(value);
}

}  // namespace ta2s2::lab
