#include "lab/suite.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::lab {
namespace {

const std::vector<std::string> kCorrelations = {"squared-exponential", "matern52", "matern32",
                                                "power-exponential(1.9)"};
const std::vector<std::string> kTwo = {"squared-exponential", "matern52"};

SuiteModel average(const std::string& name, const std::vector<std::string>& members, Weighting weighting) {
  return {name, {}, SuiteAverage{members, weighting}};
}

}  // namespace

// Each differs from the base model in one way, or is a combination that others use.
const std::vector<SuiteModel>& suite_models() {
  static const std::vector<SuiteModel> table = {
      average(kDefaultModel, FitOptions().average_over, FitOptions().weighting),
      {kBaseModel, {}},
      {"squared-exponential", {{"correlation", "squared-exponential"}}},
      {"matern32", {{"correlation", "matern32"}}},
      {"power-exponential", {{"correlation", "power-exponential(1.9)"}}},
      {"rational", {{"correlation", "rational(0)"}}},
      {"rational-half", {{"correlation", "rational(0.5)"}}},
      {"no-trend", {{"trend", "none"}}},
      {"linear-trend", {{"trend", "linear"}}},
      {"tiny-nugget", {{"nugget", "fixed(1e-8)"}}},
      {"uniform-nugget", {{"nugget", "uniform"}}},
      {"reference-prior", {{"prior", "reference"}}},
      {"log-uniform-prior", {{"prior", "log-uniform"}}},
      {"squared-exponential-linear", {{"correlation", "squared-exponential"}, {"trend", "linear"}}},
      {"paper",
       {{"correlation", "squared-exponential"}, {"trend", "none"}, {"nugget", "uniform"}, {"prior", "reference"}}},
      average("average-equal", kCorrelations, Weighting::equal),
      average("average-evidence", kCorrelations, Weighting::evidence),
      average("average-stacking", kCorrelations, Weighting::stacking),
      average("structures-equal", kStructureCorrelations, Weighting::equal),
      average("structures-evidence", kStructureCorrelations, Weighting::evidence),
      average("two-equal", kTwo, Weighting::equal),
      average("two-evidence", kTwo, Weighting::evidence),
      average("two-stacking", kTwo, Weighting::stacking),
  };
  return table;
}

std::vector<SuiteModel> choose_suite_models(const std::string& list) {
  if (list == "all") return suite_models();
  std::vector<SuiteModel> chosen;
  for (const std::string& name : split(list, ',')) {
    const auto found = std::find_if(suite_models().begin(), suite_models().end(),
                                    [&](const SuiteModel& model) { return model.name == name; });
    if (found == suite_models().end()) {
      throw Error(ErrorCode::usage, "--models: found \"" + name + "\", expected all or some of " +
                                        join(suite_models(), ", ", &SuiteModel::name));
    }
    const bool is_new =
        std::none_of(chosen.begin(), chosen.end(), [&](const SuiteModel& model) { return model.name == name; });
    if (is_new) chosen.push_back(*found);
  }
  return chosen;
}

SuiteModel parse_suite_model(const std::string& text) {
  SuiteModel model{text, {}};
  for (const std::string& part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      throw Error(ErrorCode::usage, "--model: found \"" + part + "\", expected setting=value;setting=value");
    }
    model.settings.push_back({trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1))});
  }
  for (const Setting& setting : model.settings) {
    if (setting.name != "seed") continue;
    throw Error(ErrorCode::usage, "--model " + text + ": the suite sets the seed; use --seed");
  }
  try {
    FitOptions options;
    apply_settings(options, model.settings);
    ValidFitOptions{options};
  } catch (const Error& error) {
    throw Error(error.code(), "--model " + text + ": " + error.what());
  }
  return model;
}

std::vector<Simulator> choose_suite_functions(const std::string& list) {
  std::vector<Simulator> chosen;
  if (list.empty()) {
    for (const Simulator& simulator : simulators()) {
      if (simulator.name != "franke" && simulator.name != "wing-weight") chosen.push_back(simulator);
    }
    return chosen;
  }
  for (const std::string& name : split(list, ',')) chosen.push_back(find_simulator(name));
  return chosen;
}

std::vector<Index> suite_sizes(Index num_inputs) {
  return {std::clamp<Index>(5 * num_inputs, 10, 100), std::clamp<Index>(10 * num_inputs, 20, 150)};
}

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

// The fits of the models that a suite's model is made of: one, or those that it averages.
std::vector<FitOptions> members_of(const PlannedFit& fit, const SuiteOptions& options) {
  std::vector<FitOptions> members;
  const auto add = [&](const std::vector<Setting>& settings) {
    members.push_back(options_with(settings, options.seed));
    if (options.samples) members.back().samples = *options.samples;
  };
  const std::optional<SuiteAverage>& average = fit.model->average;
  if (!average) add(fit.model->settings);
  if (!average) return members;
  for (const std::string& text : average->members) {
    const MemberName member = parse_member(text);
    std::vector<Setting> settings = fit.model->settings;
    settings.push_back({"correlation", member.correlation});
    settings.push_back({"transform", member.transform});
    add(settings);
  }
  return members;
}

std::string fingerprint(const PlannedFit& fit, const SuiteOptions& options, const TestProblem& problem) {
  const std::vector<FitOptions> members = members_of(fit, options);
  if (!fit.model->average) return fingerprint(members.front(), problem);
  Fnv1a hash;
  hash.add_text(to_word(fit.model->average->weighting));
  for (const FitOptions& member : members) hash.add_text(fingerprint(member, problem));
  return hash.hex();
}

// The fits of one problem. Averages of the same models are made of the same fits: each is fitted once.
class CaseFits {
 public:
  CaseFits(TestProblem problem, const PlannedFit& fit)
      : problem_(std::move(problem)), function_(fit.function), num_runs_(fit.num_runs), design_(fit.design) {}

  const TestProblem& problem() const { return problem_; }
  bool is_of(const PlannedFit& fit) const {
    return fit.function == function_ && fit.num_runs == num_runs_ && fit.design == design_;
  }
  const MemberRecord& fitted(const FitOptions& options, Executor& executor) {
    const auto [place, is_new] = fits_.try_emplace(fingerprint(options, problem_));
    if (is_new) place->second = fit_runs(problem_.train, options, executor);
    return *place->second;
  }

 private:
  TestProblem problem_;
  const Simulator* function_;
  Index num_runs_;
  int design_;
  std::map<std::string, std::optional<MemberRecord>> fits_;
};

struct MeasuredModel {
  OutputRecord record;
  Scores scores;

  double evaluations() const {
    double sum = 0.0;
    for (const MemberRecord& fit : record.members) sum += total_evaluations(fit);
    return sum;
  }
  double seconds() const {
    double sum = 0.0;
    for (const MemberRecord& fit : record.members) sum += fit.times.total_seconds;
    return sum;
  }
};

MeasuredModel measure(const PlannedFit& fit, const SuiteOptions& options, CaseFits& fits, Executor& executor) {
  MeasuredModel measured;
  for (const FitOptions& member : members_of(fit, options)) {
    measured.record.members.push_back(fits.fitted(member, executor));
  }
  const Weighting weighting = fit.model->average ? fit.model->average->weighting : Weighting::equal;
  measured.record.weights = model_weights(measured.record.members, weighting, executor);
  // Chain 1: the fit itself thinned with chain 0.
  Stream stream({options.seed, Purpose::thinning, 0, 1, 0});
  const Predictive predictive = make_predictive(measured.record).thinned(kScoredDraws, stream);
  measured.scores = validate(predictive, fits.problem().test, executor);
  return measured;
}

// Scores that have a unit are divided by the sd of the test outputs, so that functions can be averaged.
ResultRow result_row(ResultRow key, const MeasuredModel& measured, double sd, const std::string& settings) {
  const Scores& scores = measured.scores;
  const std::vector<double> numbers = {static_cast<double>(measured.record.members.front().data.num_inputs()),
                                       scores.crps,
                                       scores.crps / sd,
                                       scores.rmse / sd,
                                       scores.nlpd - std::log(sd),
                                       scores.coverage[3],
                                       scores.interval_score_95 / sd,
                                       measured.evaluations(),
                                       measured.seconds(),
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

// True if its row is there already.
bool is_done(const PlannedFit& fit, const SuiteOptions& options, const ResultFile& results) {
  const ResultRow* row = results.find(fit.key(options.seed));
  if (row == nullptr) return false;
  if (row->back() == fingerprint(fit, options, problem_of(fit))) return true;
  throw Error(ErrorCode::usage, results.path().string() + ": found a row of " + fit.label() +
                                    " made with other settings, runs or another version; expected another --out");
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
  std::optional<CaseFits> fitted;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const PlannedFit& fit = fits[i];
    if (!fitted || !fitted->is_of(fit)) fitted.emplace(problem_of(fit), fit);
    const MeasuredModel measured = measure(fit, options, *fitted, executor);
    const TestProblem& problem = fitted->problem();
    results.append(
        result_row(fit.key(options.seed), measured, sd_of(problem.test.output()), fingerprint(fit, options, problem)));
    observer.on_fit({static_cast<Index>(i + 1), static_cast<Index>(fits.size()), fit.label(), measured.seconds()});
  }
  write_suite_summary(results, options.out);
}

}  // namespace ta2s2::lab
