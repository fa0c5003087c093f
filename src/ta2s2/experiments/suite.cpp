#include "ta2s2/experiments/suite.hpp"

#include <cmath>

#include "ta2s2/base/error.hpp"
#include "ta2s2/experiments/measured_fit.hpp"
#include "ta2s2/experiments/suite_summary.hpp"

namespace ta2s2 {
namespace {

constexpr Index kTestRuns = 500;
// Scoring all of 2000 draws takes longer than the fits themselves; 500 of them move a CRPS by 0.7% (rms over cases),
// less than another design does.
constexpr Index kScoredDraws = 500;

struct PlannedFit {
  const Simulator* function;
  const SuiteModel* model;
  Index num_runs;
  int design;

  ResultRow key(std::uint64_t seed) const {
    return {function->name, std::to_string(num_runs), std::to_string(design), std::to_string(seed), model->name};
  }
  std::string label() const {
    return function->name + ", " + std::to_string(num_runs) + " runs, design " + std::to_string(design) + ", " +
           model->name;
  }
};

double sd_of(const Vector& values) {
  return std::sqrt((values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1));
}

// Scores that have a unit are divided by the sd of the test outputs, so that functions can be averaged.
ResultRow result_row(ResultRow key, const FitRecord& record, const Scores& scores, double sd,
                     const std::string& settings) {
  const std::vector<double> numbers = {static_cast<double>(record.data.num_inputs()),
                                       scores.crps,
                                       scores.crps / sd,
                                       scores.rmse / sd,
                                       scores.nlpd - std::log(sd),
                                       scores.coverage[3],
                                       scores.interval_score_95 / sd,
                                       total_evaluations(record),
                                       record.times.total_seconds,
                                       static_cast<double>(scores.n)};
  for (const double number : numbers) key.push_back(cell(number));
  key.push_back(settings);
  return key;
}

std::vector<PlannedFit> plan_fits(const SuiteOptions& options) {
  std::vector<PlannedFit> fits;
  for (int design = 1; design <= options.num_designs; ++design) {
    for (const Simulator& function : options.functions) {
      for (const Index num_runs : suite_sizes(function.num_inputs())) {
        for (const SuiteModel& model : options.models) fits.push_back({&function, &model, num_runs, design});
      }
    }
  }
  return fits;
}

TestProblem problem_of(const PlannedFit& fit) {
  return {simulate_training_runs(*fit.function, fit.num_runs, static_cast<std::uint64_t>(fit.design)),
          simulate_test_runs(*fit.function, kTestRuns, 1)};
}

FitOptions options_of(const PlannedFit& fit, const SuiteOptions& options) {
  FitOptions result = options_with(fit.model->settings, options.seed);
  if (options.samples) result.annealing.num_samples = *options.samples;
  return result;
}

// True if its row is there already.
bool is_done(const PlannedFit& fit, const SuiteOptions& options, const ResultFile& results) {
  const ResultRow* row = results.find(fit.key(options.seed));
  if (row == nullptr) return false;
  if (row->back() == fingerprint(options_of(fit, options), problem_of(fit))) return true;
  throw Error(ErrorCode::usage, results.path().string() + ": found a row of " + fit.label() +
                                    " made with other settings, runs or another version; expected another --out");
}

double measure(const PlannedFit& fit, const SuiteOptions& options, ResultFile& results, Executor& executor) {
  const TestProblem problem = problem_of(fit);
  const FitOptions fit_options = options_of(fit, options);
  const FitRecord record = fit_runs(problem.train, fit_options, executor);
  const Scores scores = score_thinned(record, kScoredDraws, problem.test, executor);
  results.append(result_row(fit.key(options.seed), record, scores, sd_of(problem.test.output()),
                            fingerprint(fit_options, problem)));
  return record.times.total_seconds;
}

}  // namespace

const ResultRow& suite_columns() {
  static_assert(kCoverageLevels[3] == 0.95);
  static const ResultRow columns = {"function",     "runs",         "design",     "seed",
                                    "model",        "inputs",       "crps",       "crps_over_sd",
                                    "rmse_over_sd", "nlpd_over_sd", "coverage95", "interval_score95_over_sd",
                                    "evaluations",  "seconds",      "test_runs",  "settings"};
  return columns;
}

void run_suite(const SuiteOptions& options, Executor& executor, ExperimentObserver& observer) {
  make_folder(options.out);
  ResultFile results(options.out / "suite.csv", suite_columns(), kNumSuiteKeys);
  std::vector<PlannedFit> fits = plan_fits(options);
  std::erase_if(fits, [&](const PlannedFit& fit) { return is_done(fit, options, results); });
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const double seconds = measure(fits[i], options, results, executor);
    observer.on_fit({static_cast<Index>(i + 1), static_cast<Index>(fits.size()), fits[i].label(), seconds});
  }
  write_suite_summary(results, options.out);
}

}  // namespace ta2s2
