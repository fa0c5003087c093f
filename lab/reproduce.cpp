#include "lab/reproduce.hpp"

#include <algorithm>

#include "lab/figures.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::lab {
namespace {

// One line of results.csv before it is measured.
struct WantedRow {
  System system;
  std::string sample;  // "full", or "100" of its draws
};

// One fit and the rows that it gives: the plug-in prediction costs none of its own.
struct PlannedFit {
  const PaperExperiment* experiment;
  const PriorGroup* prior;
  System system;
  int design;
  std::uint64_t seed;
  std::vector<WantedRow> rows;

  std::string label() const {
    return experiment->name + ", " + prior->name + ", " + system.name + ", design " + std::to_string(design) +
           ", seed " + std::to_string(seed);
  }
};

const PaperExperiment& find_experiment(const std::string& name) {
  for (const PaperExperiment& experiment : paper_experiments()) {
    if (experiment.name == name) return experiment;
  }
  throw Error(ErrorCode::usage, "there is no experiment called \"" + name + "\"");
}

std::vector<WantedRow> rows_of(const System& system, const std::vector<System>& chosen) {
  std::vector<WantedRow> rows;
  for (const System& other : chosen) {
    if (other.name == system.name && !other.is_map) {
      rows.push_back({other, "full"});
      rows.push_back({other, std::to_string(kThinnedDraws)});
    }
    if (other.is_map && system.name == kReferenceSystem) rows.push_back({other, "full"});
  }
  return rows;
}

bool runs_with(const System& system, const PriorGroup& prior) {
  const bool has_gradient = prior.name != "reference";
  return (prior.is_papers || system.takes_our_model) && (has_gradient || !system.needs_gradient);
}

// Systems that fit: those asked for, and `exact` if only its maximum was.
std::vector<PlannedFit> plan_fits(const PaperExperiment& experiment, const PriorGroup& prior, int design,
                                  std::uint64_t seed, const std::vector<System>& chosen) {
  std::vector<PlannedFit> fits;
  for (const System& system : systems()) {
    if (system.is_map || !runs_with(system, prior)) continue;
    std::vector<WantedRow> rows = rows_of(system, chosen);
    if (!rows.empty()) fits.push_back({&experiment, &prior, system, design, seed, std::move(rows)});
  }
  return fits;
}

// The first design with every seed, then the other designs with the first one.
std::vector<PlannedFit> plan_experiment(const PaperExperiment& experiment, const ReproduceOptions& options) {
  std::vector<PlannedFit> fits;
  const auto add = [&](int design, std::uint64_t seed) {
    for (const PriorGroup& prior : experiment.priors) {
      for (PlannedFit& fit : plan_fits(experiment, prior, design, seed, options.systems)) {
        fits.push_back(std::move(fit));
      }
    }
  };
  for (int i = 0; i < options.num_repeats; ++i) add(1, options.first_seed + static_cast<std::uint64_t>(i));
  if (!experiment.has_designs) return fits;
  for (int design = 2; design <= options.num_designs.value_or(options.num_repeats); ++design)
    add(design, options.first_seed);
  return fits;
}

FitOptions options_of(const PlannedFit& planned, const ReproduceOptions& options) {
  std::vector<Setting> settings = planned.prior->settings;
  settings.insert(settings.end(), planned.system.settings.begin(), planned.system.settings.end());
  FitOptions result = options_with(settings, planned.seed);
  if (options.samples) result.samples = *options.samples;
  return result;
}

ResultRow key_of(const PlannedFit& fit, const WantedRow& row) {
  return {fit.experiment->name,       row.system.name,          fit.prior->name,
          std::to_string(fit.design), std::to_string(fit.seed), row.sample};
}

Scores scores_of(const MemberRecord& record, const WantedRow& row, const OutputRuns& test, Executor& executor) {
  if (row.system.is_map) return validate(make_plug_in(record), test, executor);
  if (row.sample == "full") return validate(make_predictive(record), test, executor);
  return score_thinned(record, kThinnedDraws, test, executor);
}

double coverage_at(const Scores& scores, double level) {
  const auto found = std::find(kCoverageLevels.begin(), kCoverageLevels.end(), level);
  return scores.coverage[static_cast<std::size_t>(found - kCoverageLevels.begin())];
}

// The effective size and the evidence are the whole sample's: rows of fewer draws leave them empty.
ResultRow result_row(ResultRow key, const WantedRow& row, const Scores& scores, const MemberRecord& record,
                     const std::string& settings) {
  const bool is_whole = row.sample == "full" && !row.system.is_map;
  const double evaluations = total_evaluations(record);
  const double ess = is_whole ? sample_size(record).of_chains : kNoNumber;
  const std::vector<double> numbers = {scores.crps,
                                       scores.crps_normal_mixture,
                                       scores.rmse,
                                       scores.nlpd,
                                       coverage_at(scores, 0.5),
                                       coverage_at(scores, 0.8),
                                       coverage_at(scores, 0.95),
                                       scores.interval_score_95,
                                       evaluations,
                                       record.times.total_seconds,
                                       ess,
                                       ess / evaluations,
                                       is_whole && record.evidence ? record.evidence->log_evidence : kNoNumber,
                                       static_cast<double>(scores.n)};
  for (const double number : numbers) key.push_back(cell(number));
  key.push_back(settings);
  return key;
}

class Reproduction {
 public:
  Reproduction(const ReproduceOptions& options, Executor& executor, ExperimentObserver& observer)
      : options_(options),
        executor_(executor),
        observer_(observer),
        results_(options.out / "results.csv", reproduction_columns(), kNumReproductionKeys) {}

  void run() {
    plan();
    refuse_other_settings();
    std::erase_if(fits_, [&](const PlannedFit& fit) { return is_done(fit); });
    for (std::size_t i = 0; i < fits_.size(); ++i) {
      const double seconds = measure(fits_[i]);
      observer_.on_fit({static_cast<Index>(i + 1), static_cast<Index>(fits_.size()), fits_[i].label(), seconds});
    }
    write_franke_figures();
    write_reproduction_summary(results_, options_.out);
    const FigureReport figures = draw_figures(options_.out);
    if (!figures.notice.empty()) observer_.on_notice(figures.notice);
  }

 private:
  using ProblemKey = std::pair<const PaperExperiment*, int>;

  void plan() {
    for (const std::string& name : options_.experiments) {
      const PaperExperiment& experiment = find_experiment(name);
      try {
        problem_of(experiment, 1);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_file || options_.experiments.size() == 1) throw;
        observer_.on_notice(error.what());
        continue;
      }
      for (PlannedFit& fit : plan_experiment(experiment, options_)) fits_.push_back(std::move(fit));
    }
  }

  const TestProblem& problem_of(const PaperExperiment& experiment, int design) {
    const ProblemKey key{&experiment, design};
    auto found = problems_.find(key);
    if (found == problems_.end()) found = problems_.emplace(key, experiment.problem(design, options_.data)).first;
    return found->second;
  }

  std::string settings_of(const PlannedFit& fit) {
    return fingerprint(options_of(fit, options_), problem_of(*fit.experiment, fit.design));
  }

  void refuse_other_settings() {
    for (const PlannedFit& fit : fits_) {
      for (const WantedRow& row : fit.rows) {
        const ResultRow* found = results_.find(key_of(fit, row));
        if (found == nullptr || found->back() == settings_of(fit)) continue;
        throw Error(ErrorCode::usage, results_.path().string() + ": found a row of " + fit.label() +
                                          " made with other settings, runs or another version; expected another --out");
      }
    }
  }

  // Figures show the first seed on the first design.
  bool is_shown(const PlannedFit& fit) const { return fit.design == 1 && fit.seed == options_.first_seed; }

  std::filesystem::path figure_file(const std::string& what, const PlannedFit& fit) const {
    return options_.out / (what + "_" + fit.experiment->name + "_" + fit.prior->name + "_" + fit.system.name + ".csv");
  }

  bool is_done(const PlannedFit& fit) const {
    if (is_shown(fit) &&
        !(std::filesystem::exists(figure_file("draws", fit)) && std::filesystem::exists(figure_file("map", fit)))) {
      return false;
    }
    return std::all_of(fit.rows.begin(), fit.rows.end(),
                       [&](const WantedRow& row) { return results_.find(key_of(fit, row)) != nullptr; });
  }

  double measure(const PlannedFit& fit) {
    const TestProblem& problem = problem_of(*fit.experiment, fit.design);
    const MemberRecord record = fit_runs(problem.train, options_of(fit, options_), executor_);
    if (is_shown(fit)) {
      write_draws(figure_file("draws", fit), record);
      write_map(figure_file("map", fit), record);
    }
    for (const WantedRow& row : fit.rows) {
      ResultRow key = key_of(fit, row);
      if (results_.find(key) != nullptr) continue;
      const Scores scores = scores_of(record, row, problem.test, executor_);
      results_.append(result_row(std::move(key), row, scores, record, settings_of(fit)));
    }
    return record.times.total_seconds;
  }

  void write_franke_figures() {
    if (!contains(options_.experiments, "franke")) return;
    const OutputRuns& runs = problem_of(find_experiment("franke"), 1).train;
    const std::filesystem::path levels = options_.out / "franke_levels.csv", modes = options_.out / "franke_modes.csv";
    if (!std::filesystem::exists(levels)) write_franke_levels(levels, runs, executor_);
    if (std::filesystem::exists(modes)) return;
    write_franke_modes(modes, runs, options_.samples.value_or(2000), options_.first_seed, executor_);
  }

  const ReproduceOptions& options_;
  Executor& executor_;
  ExperimentObserver& observer_;
  ResultFile results_;
  std::map<ProblemKey, TestProblem> problems_;
  std::vector<PlannedFit> fits_;
};

}  // namespace

const ResultRow& reproduction_columns() {
  static const ResultRow columns = {
      "experiment",   "system",           "prior",       "design",  "seed",       "sample",
      "crps",         "crps_normal",      "rmse",        "nlpd",    "coverage50", "coverage80",
      "coverage95",   "interval_score95", "evaluations", "seconds", "ess",        "ess_per_evaluation",
      "log_evidence", "test_runs",        "settings"};
  return columns;
}

void reproduce(const ReproduceOptions& options, Executor& executor, ExperimentObserver& observer) {
  make_folder(options.out);
  Reproduction reproduction(options, executor, observer);
  reproduction.run();
}

}  // namespace ta2s2::lab
