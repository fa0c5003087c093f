// Everything a fit leaves behind: what a prediction, a report or another program needs, and nothing that points into
// the run itself. Round-trips through the model file (io/model_file.hpp).
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/data/scaling.hpp"
#include "ta2s2/gp/output_transform.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/predictive/activity.hpp"
#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// Groups of chains that share no ancestor; 0 if they were not recorded.
inline Index num_groups(const std::optional<Evidence>& evidence, const std::vector<Mode>& modes) {
  if (evidence) return static_cast<Index>(evidence->by_group.size());
  return modes.empty() ? 0 : static_cast<Index>(modes.front().group_weights.size());
}

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
  std::optional<PassReport> passes = std::nullopt;   // of the sampler `ta2s2`
  OutputTransform transform = {};                    // with the constants of the first fit

  bool has_sample() const { return !options.fast; }
  Index num_groups() const { return ta2s2::num_groups(evidence, modes); }
};

// As many runs as the prior's constants are of.
inline Index prior_runs_of(const MemberRecord& record) {
  return record.prior_runs > 0 ? record.prior_runs : record.data.num_runs();
}

// ---- one or several outputs, each by one member or by an average over several ----

// What the members together would have said of each run, had it been left out: found once by a fit, for whoever judges
// it. NaN of a run that cannot be left out.
struct LeftOutFacts {
  Index num_draws = 0;                // that were weighed anew
  Vector mean, sd, pit, crps, k_hat;  // of each run; k-hat is NaN too where the draws are too few to tell

  Index num_runs() const { return mean.size(); }
  bool is_known(Index run) const { return std::isfinite(mean[run]); }
};

struct OutputRecord {
  std::vector<MemberRecord> members;                    // of the same runs, scaled alike
  std::vector<double> weights;                          // of the models; sum to one
  std::optional<Weighting> weighting;                   // what gave them; none with one model
  std::optional<LeftOutFacts> left_out = std::nullopt;  // not in files of versions 1 and 2
  // The factor by which predictions are wider than the models say; none if it was not asked for.
  std::optional<double> recalibration = std::nullopt;
  // Which inputs act, in the members together; not in files of earlier releases (workflow/input_activity.hpp).
  std::optional<Activity> activity = std::nullopt;

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

// What tells this model from the others of an average: "matern52*box-cox", "matern52, linear trend".
std::string member_label(const FitOptions& options);
// The fit of this label, or the only one if it is empty. Error{usage} that lists the models there are.
const MemberRecord& find_member(const OutputRecord& output, const std::string& label);
// The model with the largest weight.
const MemberRecord& heaviest_member(const OutputRecord& output);

}  // namespace ta2s2
