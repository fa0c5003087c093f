#include <cmath>
#include <cstdio>

#include "commands.hpp"
#include "console.hpp"
#include "job.hpp"
#include "judgements.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/io/summary_json.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::cli {
namespace {

const std::vector<PartTally>& last_moves(const MemberRecord& record) {
  static const std::vector<PartTally> none;
  return record.levels.empty() ? none : record.levels.back().parts;
}

std::vector<double> group_evidences(const MemberRecord& record) {
  return record.evidence ? record.evidence->by_group : std::vector<double>{};
}

// "18 runs fitted, 1 + 2 added": the numbers of the latest batch, the only one whose numbers are known.
void print_history(const MemberRecord& record) {
  if (!record.history) return;
  const RunHistory& history = *record.history;
  std::printf("%lld runs fitted, ", static_cast<long long>(history.batches.front()));
  for (std::size_t k = 1; k < history.batches.size(); ++k) {
    std::printf("%s%lld", k > 1 ? " + " : "", static_cast<long long>(history.batches[k]));
  }
  std::printf(" added; the latest, %s: log evidence changed by %.3f +- %.3f, %.2f of the fit's evaluations\n",
              record.times.created.c_str(), history.log_evidence_increment, history.log_evidence_increment_error,
              share_of_evaluations(history));
}

void print_header(const MemberRecord& record) {
  std::printf("emulator of %s from %lld runs of %lld inputs (%s, %s trend, %s prior, %s nugget)\n",
              record.data.output_name().c_str(), static_cast<long long>(record.data.num_runs()),
              static_cast<long long>(record.data.num_inputs()), record.options.correlation.c_str(),
              record.options.trend.c_str(), record.options.prior.c_str(), record.options.nugget.c_str());
  print_history(record);
  if (!record.has_sample()) return;
  const SampleSize size = sample_size(record);
  std::printf("%lld draws, worth %.0f", static_cast<long long>(record.sample.size()),
              size.of_chains > 0.0 ? std::min(size.of_chains, size.of_weights) : size.of_weights);
  std::printf(" independent ones; log evidence %s\n",
              record.evidence ? evidence_text(*record.evidence).c_str() : "unknown");
}

void print_findings(const Judgement& judgement) {
  std::printf("judgement: %s\n", judgement_line(judgement).c_str());
  for (const std::string& warning : judgement.warnings()) std::printf("warning: %s\n", warning.c_str());
  for (const Finding& finding : judgement.findings) {
    if (finding.grade == Grade::note || finding.grade == Grade::unknown) {
      std::printf("note: %s\n", finding.sentence.c_str());
    }
  }
}

// Unknown numbers are dashes.
void print_optional(const char* number_format, const char* dash_format, const std::optional<double>& value) {
  value ? std::printf(number_format, *value) : std::printf(dash_format, "-");
}

void print_parameters(const MemberRecord& record) {
  std::printf("\n%-28s%12s%12s%12s%12s%12s\n", "posterior, user's units", "mean", "sd", "2.5%", "median", "97.5%");
  for (const QuantitySummary& q : summarise_parameters(record)) {
    std::printf("%-28s%12.4g%12.4g%12.4g%12.4g%12.4g\n", q.name.c_str(), q.mean, q.sd, q.low, q.median, q.high);
  }
}

void print_modes(const MemberRecord& record) {
  std::printf("\n%-8s%10s%10s%14s  length-scales; nugget at its maximum\n", "mode", "weight", "+-", "energy");
  for (std::size_t i = 0; i < record.modes.size(); ++i) {
    const Mode& mode = record.modes[i];
    const NaturalPoint point = natural_point(record, mode.position);
    std::printf("%-8zu%10.3f", i + 1, mode.weight);
    print_optional("%10.3f", "%10s", error_from_groups(mode.group_weights));
    std::printf("%14.4f ", mode.energy);
    for (const double length_scale : point.length_scales) std::printf(" %.4g", length_scale);
    std::printf("; %.3g\n", point.nugget);
  }
}

void print_diagnostics(const MemberRecord& record) {
  if (!record.has_sample()) return;
  std::printf("\n%-28s%12s%12s%12s%12s\n", "sampling coordinate", "ESS", "R-hat", "near low", "near high");
  for (const CoordinateDiagnostics& d : record.diagnostics) {
    std::printf("%-28s%12.0f", d.name.c_str(), d.effective_sample_size);
    print_optional("%12.3f", "%12s", d.r_hat);
    std::printf("%11.1f%%%11.1f%%\n", 100.0 * d.mass_near_low, 100.0 * d.mass_near_high);
  }
  std::printf("\n%-28s%12s%12s%12s\n", "move, last level", "steps", "acceptance", "jump in sds");
  for (const PartTally& part : last_moves(record)) {
    std::printf("%-28s%12lld%12.2f%12.2f\n", part.name.c_str(), static_cast<long long>(part.steps), part.acceptance(),
                root_mean_square_jump(part));
  }
  const std::vector<double> by_group = group_evidences(record);
  if (by_group.size() < 2) return;
  std::printf("\nlog evidence by group");
  for (const double log_evidence : by_group) std::printf(" %.3f", log_evidence);
  std::printf("; from their scatter +- %.3f\n", error_from_groups(by_group).value_or(0.0));
}

void print_check(const MemberRecord& record) {
  if (!record.check) return;
  std::printf("\n%-40s%12s%12s%16s\n", "second run", "this", "second", "standard errors");
  for (const ComparedQuantity& q : record.check->quantities) {
    std::printf("%-40s%12.4g%12.4g%16.1f\n", q.name.c_str(), q.first, q.second, standardised_difference(q));
  }
  std::printf("%-40s%12zu%12lld\n", "number of modes", record.modes.size(),
              static_cast<long long>(record.check->num_modes));
}

void print_levels(const MemberRecord& record) {
  if (record.levels.empty()) return;
  std::printf("\n%-6s%14s%8s%12s%13s%10s\n", "level", "temperature", "ESS", "acceptance", "evaluations", "seconds");
  for (const LevelSummary& level : record.levels) {
    std::printf("%-6lld%14.5g%8.0f%12.2f%13lld%10.2f\n", static_cast<long long>(level.level),
                level.beta > 0.0 ? 1.0 / level.beta : HUGE_VAL, level.effective_sample_size, level.acceptance(),
                static_cast<long long>(level.evaluations), level.seconds);
  }
}

void print_settings(const MemberRecord& record) {
  std::printf("\nsettings that differ from their defaults:");
  bool any = false;
  for (const Setting& setting : recorded_settings(record.options)) {
    if (setting.text == find_option(setting.name)->default_text) continue;
    std::printf(" --%s %s", setting.name.c_str(), setting.text.c_str());
    any = true;
  }
  std::printf("%s\n", any ? "" : " none");
}

void print_fit(const MemberRecord& record, const Judgement& judgement) {
  print_header(record);
  print_findings(judgement);
  print_parameters(record);
  print_modes(record);
  print_diagnostics(record);
  print_check(record);
  print_levels(record);
  print_settings(record);
}

// What the models of an average weigh, and what would put them in that order.
void print_weights(const OutputRecord& output, const Judgement& judgement) {
  std::printf("average of %zu models of %s, weighted by %s\n%-40s%10s%18s%10s\n", output.members.size(),
              output.name().c_str(), output.weighting.c_str(), "model", "weight", "log evidence", "+-");
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    const std::optional<Evidence>& evidence = output.members[k].evidence;
    std::printf("%-40s%10.4f", member_label(output.members[k].options).c_str(), output.weights[k]);
    print_optional("%18.3f", "%18s", evidence ? std::optional(evidence->log_evidence) : std::nullopt);
    print_optional("%10.3f\n", "%10s\n", evidence ? std::optional(evidence->standard_error) : std::nullopt);
  }
  print_findings(judgement);
}

void print_output(const OutputRecord& output, const Judgement& judgement) {
  if (is_single(output)) return print_fit(output.members.front(), judgement);
  print_weights(output, judgement);
  for (const MemberRecord& fit : output.members) {
    std::printf("\n");
    // Of a member only its sampler is judged: it does not predict alone.
    print_fit(fit, {output.name(), judge_sampler(fit)});
  }
}

void run_show(const ModelChoice& choice, bool json) {
  const EmulatorRecord model =
      choice.model.empty() ? read_outputs(choice) : EmulatorRecord{{single_member(read_fit(choice))}};
  const std::vector<Judgement> judgements = judge_all(model, *make_executor(0, &stop_on_signals()));
  Output output("", {});
  if (json) {
    output.stream() << summary_json(model, judgements) << '\n';
    return output.commit();
  }
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    if (k > 0) std::printf("\n");
    print_output(model.outputs[k], judgements[k]);
  }
}

}  // namespace

void add_show_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("show", "Tell what a model learnt");
  const auto choice = std::make_shared<ModelChoice>();
  const auto json = std::make_shared<bool>(false);
  add_fit_choice(command, *choice);
  command.add_flag("--json", *json, "print JSON");
  command.footer("Example:\n  ta2s2 show model.json");
  command.callback([choice, json] { run_show(*choice, *json); });
}

}  // namespace ta2s2::cli
