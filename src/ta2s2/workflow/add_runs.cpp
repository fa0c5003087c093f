#include "ta2s2/workflow/add_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/smc/draw_lineage.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/describe_result.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2 {
namespace {

// ---- runs that cannot belong to the model ----

// Runs farther outside the range that the model is scaled by, in units of its width, are refused.
constexpr double kFarthestOutside = 1.0;

void check_columns(const OutputRuns& known, const OutputRuns& added) {
  if (known.input_names() == added.input_names() && known.output_name() == added.output_name()) return;
  throw Error(ErrorCode::bad_data, "found runs with other columns than the model's: expected the same " +
                                       std::to_string(known.num_inputs()) +
                                       " inputs in the same order, and the output \"" + known.output_name() + "\"");
}

// How far a run lies outside the range of an input, in units of its width along the input's scale; 0 inside.
double distance_outside(const Scaling& scaling, const OutputRuns& data, Index run, Index input) {
  const double u = scaling.to_unit(input, Vector::Constant(1, data.inputs()(run, input)))[0];
  return std::max({0.0, -u, u - 1.0});
}

std::string range_text(const Scaling& scaling, Index input) {
  return format_number(scaling.low()[input]) + " to " + format_number(scaling.high(input));
}

const char* on_its_scale(const Scaling& scaling, Index input) {
  return scaling.is_log(input) ? " (of logarithms)" : "";
}

void refuse_far_run(const MemberRecord& model, const OutputRuns& added, Index run, Index input) {
  const std::string place = added.where(run) + ", column \"" + added.input_names()[static_cast<std::size_t>(input)] +
                            "\": found " + format_number(added.inputs()(run, input));
  const std::string range = range_text(model.scaling, input);
  if (!model.options.ranges.empty()) {
    throw Error(ErrorCode::bad_data, place + ", expected a value in its declared range, " + range);
  }
  throw Error(ErrorCode::bad_data, place + ", expected a value no farther from the model's range, " + range +
                                       ", than that range is wide" + on_its_scale(model.scaling, input) +
                                       ": fit all runs again");
}

std::vector<std::string> check_ranges(const MemberRecord& model, const OutputRuns& added) {
  // A declared range was checked to the last digit; the width's own rounding must not refuse its end.
  const double farthest = model.options.ranges.empty() ? kFarthestOutside : 1e-12;
  model.scaling.require_positive(added);
  std::vector<std::string> notices;
  for (Index input = 0; input < added.num_inputs(); ++input) {
    Index count = 0;
    double largest = 0.0;
    for (Index run = 0; run < added.num_runs(); ++run) {
      const double outside = distance_outside(model.scaling, added, run, input);
      if (outside > farthest) refuse_far_run(model, added, run, input);
      if (outside > 1e-12) ++count;
      largest = std::max(largest, outside);
    }
    if (count == 0) continue;
    notices.push_back(
        "input \"" + added.input_names()[static_cast<std::size_t>(input)] + "\": " + std::to_string(count) +
        (count == 1 ? " of the added runs lies" : " of the added runs lie") +
        " outside the range that the model is scaled by, " + range_text(model.scaling, input) + ", by up to " +
        format_number(std::round(1e3 * largest) / 1e3) + " of its width" + on_its_scale(model.scaling, input) +
        "; the scaling is kept, and a fit of all runs would use a wider one");
  }
  return notices;
}

// The model's runs and then the new ones.
OutputRuns join_runs(const OutputRuns& known, const OutputRuns& added) {
  Matrix inputs(known.num_runs() + added.num_runs(), known.num_inputs());
  Vector output(inputs.rows());
  inputs << known.inputs(), added.inputs();
  output << known.output(), added.output();
  RunSource source;
  source.path = added.path();
  return OutputRuns(std::move(inputs), std::move(output), known.input_names(), known.output_name(), std::move(source));
}

void refuse_contradictions(const MemberRecord& model, const OutputRuns& added) {
  const auto fixed = make_nugget_prior(model.options.nugget, model.options.nugget_box).fixed;
  if (!fixed || *fixed >= kLeastNuggetForDuplicates) return;
  const OutputRuns all = join_runs(model.data, added);
  const Index num_known = model.data.num_runs();
  for (Index run = num_known; run < all.num_runs(); ++run) {
    for (Index other = 0; other < run; ++other) {
      if (all.inputs().row(run) != all.inputs().row(other) || all.output()[run] == all.output()[other]) continue;
      const std::string which = other < num_known ? "run " + std::to_string(other + 1) + " of the model"
                                                  : "line " + std::to_string(added.line_of(other - num_known));
      throw Error(ErrorCode::bad_data, added.where(run - num_known) + ": the inputs of " + which +
                                           " with another output, which a nugget fixed at " + format_number(*fixed) +
                                           " cannot explain; expected the same output, or a model with an inferred "
                                           "nugget or one of at least " +
                                           format_number(kLeastNuggetForDuplicates));
    }
  }
}

// What both ways to a model of all runs begin with: Error{bad_data} for runs of other columns, far outside the model's
// ranges, or in contradiction to others; else sentences about runs somewhat outside.
std::vector<std::string> check_added_runs(const MemberRecord& model, const OutputRuns& added) {
  check_columns(model.data, added);
  refuse_contradictions(model, added);
  return check_ranges(model, added);
}

// ---- one fit ----

using Clock = std::chrono::steady_clock;

// Weights say nothing of draws that are not of the posterior itself.
void require_exact_sample(const FitOptions& options) {
  if (options.trend_prior == TrendPrior::unit_information && options.trend != "constant" && options.trend != "none") {
    throw Error(ErrorCode::usage,
                "found a model with --trend-prior unit-information, which grows wider with every run; expected a flat "
                "trend prior: fit all runs again");
  }
  if (!options.fast && samples_exactly(options)) return;
  throw Error(ErrorCode::usage,
              "found a model of --sampler " + options.sampler + (options.fast ? ", which has no sample" : "") +
                  "; expected draws of the posterior by annealing with an exact kernel (--sampler ta2s2): "
                  "fit all runs again");
}

FitOptions settings_of(const MemberRecord& model, const AddRunsOptions& options) {
  FitOptions settings = model.options;
  settings.annealing.seed = options.seed.value_or(settings.annealing.seed);
  settings.annealing.simd = choose_instruction_set(options.instructions);
  settings.simd = instruction_set_name(settings.annealing.simd);
  settings.check = false;
  return settings;
}

// Of this update alone: streams that drew the model's sample must not move it again.
std::uint64_t seed_of_update(std::uint64_t seed, const OutputRuns& all) {
  Fnv1a hash;
  hash.add_word(seed);
  hash.add_text(all.fingerprint());
  return hash.value();
}

// The old draws, weighed anew, stay in the sample where it is taken from all levels: a quarter as many moved states
// then do, in chains as long as the fit's and no fewer than are needed to tell their scatter.
AnnealOptions annealing_of(const FitOptions& settings, Index dim, const OutputRuns& all) {
  AnnealOptions annealing = settings.anneal_options();
  annealing.seed = seed_of_update(annealing.seed, all);
  if (!takes_all_levels(settings)) return annealing;
  if (annealing.chain_length == 0) annealing.chain_length = default_chain_length(dim, annealing.num_samples);
  const Index least = std::max(annealing.num_samples / 4, kMinChains * annealing.chain_length);
  annealing.num_samples = std::min(annealing.num_samples, least);
  return annealing;
}

DrawLineage lineage_or_guess(const MemberRecord& model) {
  if (model.sample.lineage.is_known()) return model.sample.lineage;
  double least = static_cast<double>(model.sample.size());
  for (const CoordinateDiagnostics& d : model.diagnostics) least = std::min(least, d.effective_sample_size);
  return assumed_lineage(model.sample.size(), least);
}

// A reference prior is of the design: with the runs its constant changes, which a normalised evidence is divided by.
// The known runs' constant is made again, from the draws that gave it, and so cancels.
void follow_prior_constant(Evidence& increment, const MemberRecord& model, const OutputRuns& all,
                           const FitOptions& settings, Execution context) {
  FitOptions of_known = settings;
  of_known.annealing.seed = model.options.annealing.seed;
  const ModelConstants constants = constants_of(model);
  const EvidenceEstimate before = log_prior_constant(model.data, constants, of_known, context);
  const EvidenceEstimate after = log_prior_constant(all, constants, settings, context);
  shift(increment, -(after.log_evidence - before.log_evidence));
  increment.standard_error = std::hypot(increment.standard_error, after.standard_error);
}

std::int64_t evaluations_of(const std::vector<LevelSummary>& levels) {
  std::int64_t sum = 0;
  for (const LevelSummary& level : levels) sum += level.evaluations;
  return sum;
}

std::int64_t fit_evaluations_of(const MemberRecord& model) {
  return model.history ? model.history->fit_evaluations : evaluations_of(model.levels);
}

// As many old draws as the fit had, unless weighing them would take more than a fifth of what the fit took: a fit of
// one input has so few levels that an update would else save little. Fewer are a sample of the same law.
Index num_start_states(const MemberRecord& model, const FitOptions& settings, const AnnealOptions& annealing) {
  constexpr std::int64_t kPartOfFit = 5;
  const auto affordable = static_cast<Index>(fit_evaluations_of(model) / kPartOfFit);
  return std::min(settings.num_samples(), std::max(annealing.num_samples, affordable));
}

SamplerResult temper_in(const MemberRecord& model, const GpTarget& target, const FitOptions& settings,
                        const AnnealOptions& annealing, Execution context) {
  Stream stream({annealing.seed, Purpose::start_states, 0, 0, 0});
  const StartStates start = start_states(model.sample.positions, model.sample.weights, lineage_or_guess(model),
                                         num_start_states(model, settings, annealing), stream);
  return annealed_run(anneal_from(start, target, annealing, context), takes_all_levels(settings),
                      settings.num_samples(), context.executor);
}

// In units of one H of all runs: what the known runs alone say comes from the same factor, or costs a second one.
double cost_of_evaluation(const GpTarget& target, Index num_known, const FitOptions& settings) {
  if (target.information() == InformationOver::nothing && settings.annealing.simd != InstructionSet::plain) return 1.0;
  return 1.0 + std::pow(static_cast<double>(num_known) / static_cast<double>(target.model()->num_runs()), 3);
}

// `increment`: of the log evidence, in the user's units.
RunHistory history_of(const MemberRecord& model, Index num_added, const std::vector<LevelSummary>& levels, double cost,
                      const Evidence& increment) {
  RunHistory history;
  if (model.history) {
    history = *model.history;
  } else {
    history.batches = {model.data.num_runs()};
    history.fit_evaluations = fit_evaluations_of(model);
  }
  history.batches.push_back(num_added);
  history.update_evaluations = cost * static_cast<double>(evaluations_of(levels));
  history.log_evidence_increment = increment.log_evidence;
  history.log_evidence_increment_error = increment.standard_error;
  return history;
}

// The evidence of all runs is that of the known ones times what the new ones add, group by group.
Evidence added_evidence(const Evidence& known, const Evidence& increment) {
  Evidence evidence = known;
  evidence.log_evidence += increment.log_evidence;
  evidence.standard_error = std::hypot(known.standard_error, increment.standard_error);
  if (increment.by_group.size() != known.by_group.size()) evidence.by_group.clear();
  for (std::size_t g = 0; g < evidence.by_group.size(); ++g) evidence.by_group[g] += increment.by_group[g];
  keep_finite(evidence);
  return evidence;
}

// The record of all runs, as far as it does not depend on how it was sampled.
MemberRecord updated(const MemberRecord& model, const OutputRuns& all, const FitOptions& settings, Sample run,
                     std::vector<std::string> notices, Clock::time_point begin) {
  MemberRecord record = model;
  record.version = version();
  record.data = all;
  record.options = settings;
  record.check = std::nullopt;
  record.prior_runs = prior_runs_of(model);
  record.notices.insert(record.notices.end(), notices.begin(), notices.end());
  record.map = best_mode(run.modes);
  record.sample = std::move(run.sample);
  record.modes = std::move(run.modes);
  record.levels = std::move(run.levels);
  record.diagnostics = std::move(run.diagnostics);
  record.passes = std::move(run.passes);
  record.times = {utc_now(), std::chrono::duration<double>(Clock::now() - begin).count()};
  return record;
}

std::string update_notice(const RunHistory& history, Index num_runs, std::size_t num_levels) {
  const Index num_added = history.batches.back();
  char text[256];
  std::snprintf(text, sizeof text,
                "%lld run(s) added to %lld: %zu level(s), %.0f evaluations, %.2f of what the fit took; log evidence "
                "changed by %.3f +- %.3f",
                static_cast<long long>(num_added), static_cast<long long>(num_runs - num_added), num_levels,
                history.update_evaluations, share_of_evaluations(history), history.log_evidence_increment,
                history.log_evidence_increment_error);
  return text;
}

// What an update knows and how it samples.
struct UpdatedSample {
  Sample run;
  Evidence evidence;  // of all runs
  RunHistory history;
};

struct Update {
  const MemberRecord& model;
  const OutputRuns &added, &all;
  const FitOptions& settings;
  Execution context;

  // The first reference is fitted to the old draws, and there is no scout.
  UpdatedSample by_passes() const {
    const GpTarget target = make_target(all, constants_of(model), settings);
    const double offset = unit_offset(*target.model(), model.scaling);
    PassOptions passes = pass_options(settings);
    if (model.passes) passes.wanted_evidence_error = model.passes->agreement.wanted_evidence_error;
    passes.seed = seed_of_update(passes.seed, all);
    const NearbyDraws nearby{model.sample.positions, model.sample.weights};
    Sample run =
        describe_posterior(run_passes(target, passes, context, &nearby), target, offset, passes.seed, context.executor);
    if (model.evidence && model.evidence->is_normalised && !run.evidence->is_normalised) {
      const EvidenceEstimate constant = log_prior_constant(all, constants_of(model), settings, context);
      shift(*run.evidence, -constant.log_evidence);
      run.evidence->standard_error = std::hypot(run.evidence->standard_error, constant.standard_error);
      run.evidence->is_normalised = true;
    }
    Evidence increment = *run.evidence;
    if (model.evidence) {
      shift(increment, -model.evidence->log_evidence);
      increment.standard_error = std::hypot(increment.standard_error, model.evidence->standard_error);
    }
    RunHistory history = history_of(model, added.num_runs(), run.levels, 1.0, increment);
    const Evidence evidence = *run.evidence;
    return {std::move(run), evidence, std::move(history)};
  }

  // From the old draws, by the ratio of the two posteriors.
  UpdatedSample by_tempering() const {
    const Index num_known = model.data.num_runs();
    const GpTarget whole = make_target(all, constants_of(model), settings);
    const GpTarget target = whole.continuing({num_known, model.sample.positions, model.sample.weights});
    const AnnealOptions annealing = annealing_of(settings, whole.dim(), all);
    const double offset = unit_offset(*whole.model(), model.scaling);
    Sample run = describe_result(temper_in(model, target, settings, annealing, context), target, offset, annealing.seed,
                                 context.executor);
    if (model.evidence && model.evidence->is_normalised && !whole.log_prior_is_normalised()) {
      follow_prior_constant(*run.evidence, model, all, settings, context);
    }
    Evidence increment = *run.evidence;
    shift(increment, -static_cast<double>(added.num_runs()) * std::log(model.scaling.output_sd()));
    RunHistory history =
        history_of(model, added.num_runs(), run.levels, cost_of_evaluation(whole, num_known, settings), increment);
    const Evidence evidence = model.evidence ? added_evidence(*model.evidence, increment) : increment;
    return {std::move(run), evidence, std::move(history)};
  }
};

}  // namespace

double share_of_evaluations(const RunHistory& history) {
  return history.update_evaluations / static_cast<double>(std::max<std::int64_t>(history.fit_evaluations, 1));
}

MemberRecord add_runs(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options,
                      Execution context) {
  const auto begin = Clock::now();
  require_exact_sample(model.options);
  // The posterior of the known runs says nothing of another transformation's parameters.
  if (!holds_outputs(model.transform, model.scaling, added.output())) {
    return fit_all_afresh(model, added, options, context);
  }
  std::vector<std::string> notices = added.notices();
  for (std::string& notice : check_added_runs(model, added)) notices.push_back(std::move(notice));
  const OutputRuns all = join_runs(model.data, added);
  const FitOptions settings = settings_of(model, options);
  for (std::string& notice : check_duplicates(all, settings)) notices.push_back(std::move(notice));

  const Update update{model, added, all, settings, context};
  UpdatedSample found = runs_passes(settings) ? update.by_passes() : update.by_tempering();
  notices.push_back(update_notice(found.history, all.num_runs(), found.run.levels.size() - 1));
  MemberRecord record = updated(model, all, settings, std::move(found.run), std::move(notices), begin);
  record.history = std::move(found.history);
  if (model.evidence) record.evidence = std::move(found.evidence);
  return record;
}

MemberRecord fit_all_afresh(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options,
                            Execution context) {
  const std::vector<std::string> notices = check_added_runs(model, added);
  FitOptions settings = model.options;
  settings.annealing.seed = options.seed.value_or(settings.annealing.seed);
  settings.simd = options.instructions;
  MemberRecord record = fit_like(model, join_runs(model.data, added), ValidFitOptions(std::move(settings)), context);
  record.notices.insert(record.notices.begin(), notices.begin(), notices.end());
  return record;
}

namespace {

// ---- every fit of a model ----

// One fit to continue: where it stands, and what its levels are called.
struct FitTask {
  std::size_t output, place;
  std::string name;
};

std::vector<FitTask> tasks_of(const EmulatorRecord& model) {
  std::vector<FitTask> tasks;
  for (std::size_t output = 0; output < model.outputs.size(); ++output) {
    const OutputRecord& record = model.outputs[output];
    for (std::size_t place = 0; place < record.members.size(); ++place) {
      const FitOptions& options = record.members[place].options;
      tasks.push_back({output, place, run_name(record.name(), options, model.outputs.size(), record.members.size())});
    }
  }
  return tasks;
}

// add_runs or fit_all_afresh, of one fit.
using UpdateFit = MemberRecord(const MemberRecord& fit, const OutputRuns& added, const AddRunsOptions& options,
                               Execution context);

EmulatorRecord update_all(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                          const AddRunsOptions& options, Execution context, UpdateFit* update) {
  EmulatorRecord updated = model;
  const std::vector<FitTask> tasks = tasks_of(model);
  std::vector<std::string> names;
  for (const FitTask& task : tasks) names.push_back(task.name);
  run_by_name(names, context, [&](std::size_t k, Execution own) {
    const auto& [output, place, name] = tasks[k];
    MemberRecord& fit = updated.outputs[output].members[place];
    const OutputRecord& known = model.outputs[output];
    if (!is_single(known)) mark_as_part(fit.options, *known.weighting, known.members.size());
    fit = update(MemberRecord(fit), added[output], options, own);
    if (updated.outputs[output].weighting == Weighting::evidence) normalise_evidence(fit, own);
  });
  for (OutputRecord& output : updated.outputs) {
    if (!is_single(output)) output.weights = model_weights(output.members, *output.weighting, context.executor);
    learn_from_left_out(output, context.executor);
    output.activity = find_activity(output, context.executor);
  }
  return updated;
}

using Sentences = std::vector<std::string>;

// The last sentence of a continued fit is its summary.
Sentences new_sentences(const MemberRecord& before, const MemberRecord& after) {
  if (!after.history) return after.notices;
  return {after.notices.begin() + static_cast<std::ptrdiff_t>(before.notices.size()), after.notices.end() - 1};
}

std::string named(const std::string& name, const std::string& sentence) {
  return name.empty() ? sentence : name + ": " + sentence;
}

}  // namespace

Sentences notices_of_update(const EmulatorRecord& before, const EmulatorRecord& after) {
  const std::vector<FitTask> tasks = tasks_of(after);
  std::vector<Sentences> lists;
  for (const FitTask& task : tasks) {
    lists.push_back(
        new_sentences(before.outputs[task.output].members[task.place], after.outputs[task.output].members[task.place]));
  }
  Sentences notices;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    for (const std::string& sentence : lists[k]) {
      const bool is_everyones =
          std::all_of(lists.begin(), lists.end(), [&](const Sentences& list) { return contains(list, sentence); });
      if (!is_everyones) notices.push_back(named(tasks[k].name, sentence));
      if (is_everyones && k == 0) notices.push_back(sentence);
    }
  }
  return notices;
}

Sentences summaries_of_update(const EmulatorRecord& after) {
  Sentences summaries;
  for (const FitTask& task : tasks_of(after)) {
    const MemberRecord& fit = after.outputs[task.output].members[task.place];
    if (fit.history) summaries.push_back(named(task.name, fit.notices.back()));
  }
  return summaries;
}

EmulatorRecord add_runs(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                        const AddRunsOptions& options, Execution context) {
  return update_all(model, added, options, context, add_runs);
}

EmulatorRecord fit_all_afresh(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                              const AddRunsOptions& options, Execution context) {
  return update_all(model, added, options, context, fit_all_afresh);
}

}  // namespace ta2s2
