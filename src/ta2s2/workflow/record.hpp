// Everything a fit leaves behind: what a prediction, a report or another program needs, and nothing that points into
// the run itself. Round-trips through the model file (io/model_file.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/data/scaling.hpp"
#include "ta2s2/predictive/map_estimate.hpp"
#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/predictive/posterior_sample.hpp"
#include "ta2s2/smc/level_summary.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

struct Evidence {
  double log_evidence = 0.0;  // output in the user's units
  double standard_error = 0.0;
  // False if the prior's constant is unknown: the number then compares only fits under the same prior.
  bool is_normalised = true;
  std::vector<double> by_group = {};  // what each group of chains alone would report; they share no ancestor
};

// One sampling coordinate's health.
struct CoordinateDiagnostics {
  std::string name;
  double effective_sample_size = 0.0;  // of its posterior mean
  double mass_near_low = 0.0;          // posterior mass within kBorderShare of the box's width from its border
  double mass_near_high = 0.0;
  std::optional<double> r_hat = std::nullopt;  // between groups of chains; none with fewer than two
};
inline constexpr double kBorderShare = 0.05;

// One number that two runs of the same fit both estimate.
struct ComparedQuantity {
  std::string name;
  double first = 0.0, second = 0.0;
  double error = 0.0;  // Monte Carlo standard error of their difference
};

// This fit against another with another seed.
struct RunComparison {
  std::uint64_t seed = 0;  // of the other run
  Index num_modes = 0;     // that the other run found
  std::vector<ComparedQuantity> quantities;
};

// How a model came to its runs, if not all were there from the beginning.
struct RunHistory {
  std::vector<Index> batches;           // runs that were fitted, then those of each batch that was added
  std::int64_t fit_evaluations = 0;     // of H, by the fit at the beginning
  double update_evaluations = 0.0;      // by the latest update, in units of one H of all runs
  double log_evidence_increment = 0.0;  // of the latest batch given the runs before, output in the user's units
  double log_evidence_increment_error = 0.0;
};

struct FitTimes {
  std::string created;  // UTC, ISO 8601
  double total_seconds = 0.0;
};

struct MemberRecord {
  std::string version;  // of the program that made it
  OutputRuns data;
  Scaling scaling;
  FitOptions options;
  PosteriorSample sample;
  MapEstimate map;
  std::vector<Mode> modes;
  std::vector<LevelSummary> levels;  // empty if only the MAP was sought
  std::optional<Evidence> evidence;  // none if only the MAP was sought, or of a sampler that cannot tell
  std::vector<CoordinateDiagnostics> diagnostics;
  std::vector<std::string> notices;  // sentences the user should see
  FitTimes times;
  std::optional<RunComparison> check = std::nullopt;  // if a second run was asked for
  Index prior_runs = 0;  // the runs that the prior's constants are of, as make_target has them; 0: all
  std::optional<RunHistory> history = std::nullopt;  // if runs were added after the fit

  bool has_sample() const { return !options.map_only; }
  // Of chains that share no ancestor; 0 if that was not recorded.
  Index num_groups() const {
    if (evidence) return static_cast<Index>(evidence->by_group.size());
    return modes.empty() ? 0 : static_cast<Index>(modes.front().group_weights.size());
  }
};

// As many runs as the prior's constants are of.
inline Index prior_runs_of(const MemberRecord& record) {
  return record.prior_runs > 0 ? record.prior_runs : record.data.num_runs();
}

// ---- one or several outputs, each by one member or by an average over several ----

struct OutputRecord {
  std::vector<MemberRecord> members;  // of the same runs, scaled alike
  std::vector<double> weights;        // of the models; sum to one
  std::string weighting;              // what gave them: "evidence", "stacking" or "equal"; empty with one model

  const std::string& name() const { return members.front().data.output_name(); }
};

struct EmulatorRecord {
  std::vector<OutputRecord> outputs;
};

OutputRecord single_member(MemberRecord fit);
bool is_single(const OutputRecord& output);
bool is_single(const EmulatorRecord& model);  // one output, one model

// The output of this name, or the only one if the name is empty. Error{usage} that lists the outputs there are.
const OutputRecord& find_output(const EmulatorRecord& model, const std::string& name);
std::vector<std::string> output_names(const EmulatorRecord& model);

// What tells this model from the others of an average: "matern52", "matern52, linear trend".
std::string member_label(const FitOptions& options);
// The fit of this label, or the only one if it is empty. Error{usage} that lists the models there are.
const MemberRecord& find_member(const OutputRecord& output, const std::string& label);
// The model with the largest weight.
const MemberRecord& heaviest_member(const OutputRecord& output);

}  // namespace ta2s2
