#include "ta2s2/io/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <span>

#include "ta2s2/base/text.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/recalibration.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2 {
namespace {

// Grows as printf prints.
class Text {
 public:
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    std::va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const auto length = static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, arguments));
    const std::size_t before = text_.size();
    text_.resize(before + length + 1);
    std::vsnprintf(text_.data() + before, length + 1, format, again);
    text_.resize(before + length);
    va_end(again);
    va_end(arguments);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// ---- all of it ----

// "18 runs fitted, 1 + 2 added": the numbers of the latest batch, the only one whose numbers are known.
void print_history(Text& out, const MemberRecord& record) {
  if (!record.history) return;
  const RunHistory& history = *record.history;
  const std::span<const Index> added = std::span(history.batches).subspan(1);
  out.add("%td runs fitted, %s", history.batches.front(),
          join(added, " + ", [](Index count) { return std::to_string(count); }).c_str());
  out.add(" added; the latest, %s: log evidence changed by %.3f +- %.3f, %.2f of the fit's evaluations\n",
          record.times.created.c_str(), history.log_evidence_increment, history.log_evidence_increment_error,
          share_of_evaluations(history));
}

void print_header(Text& out, const MemberRecord& record) {
  const FitOptions& options = record.options;
  out.add("emulator of %s from %td runs of %td inputs (%s, %s trend, %s prior, %s nugget)\n",
          record.data.output_name().c_str(), record.data.num_runs(), record.data.num_inputs(),
          MemberName{options.correlation, options.transform}.text().c_str(), options.trend.c_str(),
          options.prior.c_str(), options.nugget.c_str());
  print_history(out, record);
  if (!record.has_sample()) out.add("plug-in estimate: the posterior's maximum (--fast), no sample\n");
  if (!record.has_sample()) return;
  const SampleSize size = sample_size(record);
  out.add("%td draws, worth %.0f independent ones; log evidence %s\n", record.sample.size(),
          size.of_chains > 0.0 ? std::min(size.of_chains, size.of_weights) : size.of_weights,
          record.evidence ? evidence_text(*record.evidence).c_str() : "unknown");
}

void print_findings(Text& out, const Judgement& judgement) {
  out.add("judgement: %s\n", judgement.line().c_str());
  for (const std::string& warning : judgement.warnings()) out.add("warning: %s\n", warning.c_str());
  for (const Finding& finding : judgement.findings) {
    if (finding.grade == Grade::note || finding.grade == Grade::unknown) {
      out.add("note: %s\n", finding.sentence.c_str());
    }
  }
}

// Unknown numbers are dashes.
void print_optional(Text& out, const char* number_format, const char* dash_format, const std::optional<double>& value) {
  value ? out.add(number_format, *value) : out.add(dash_format, "-");
}

void print_parameters(Text& out, const MemberRecord& record) {
  out.add("\n%-28s%12s%12s%12s%12s%12s\n", "posterior, user's units", "mean", "sd", "2.5%", "median", "97.5%");
  for (const QuantitySummary& q : summarise_parameters(record)) {
    out.add("%-28s%12.4g%12.4g%12.4g%12.4g%12.4g\n", q.name.c_str(), q.mean, q.sd, q.low, q.median, q.high);
  }
}

void print_activity(Text& out, const OutputRecord& output) {
  if (!output.activity) return;
  const std::vector<std::string>& names = output.members.front().data.input_names();
  out.add("\n%-28s%12s%12s\n", "input", "P(active)", "P(linear)");
  for (Index d = 0; d < output.activity->num_inputs(); ++d) {
    out.add("%-28s%12.3f%12.3f\n", names[static_cast<std::size_t>(d)].c_str(), output.activity->active[d],
            output.activity->linear[d]);
  }
}

void print_modes(Text& out, const MemberRecord& record) {
  out.add("\n%-8s%10s%10s%14s  length-scales; nugget", "mode", "weight", "+-", "energy");
  if (!record.modes.empty()) {
    for (const auto& [name, value] : natural_point(record, record.modes.front().position).others) {
      out.add(", %s", name.c_str());
    }
  }
  out.add(" at its maximum\n");
  for (std::size_t i = 0; i < record.modes.size(); ++i) {
    const Mode& mode = record.modes[i];
    const NaturalPoint point = natural_point(record, mode.position);
    out.add("%-8zu%10.3f", i + 1, mode.weight);
    print_optional(out, "%10.3f", "%10s", error_from_groups(mode.group_weights));
    out.add("%14.4f ", mode.energy);
    for (const double length_scale : point.length_scales) out.add(" %.4g", length_scale);
    out.add("; %.3g", point.nugget);
    for (const auto& [name, value] : point.others) out.add(", %.3g", value);
    out.add("\n");
  }
}

void print_diagnostics(Text& out, const MemberRecord& record) {
  if (!record.has_sample()) return;
  out.add("\n%-28s%12s%12s%12s%12s\n", "sampling coordinate", "ESS", "R-hat", "near low", "near high");
  for (const CoordinateDiagnostics& d : record.diagnostics) {
    out.add("%-28s%12.0f", d.name.c_str(), d.effective_sample_size);
    print_optional(out, "%12.3f", "%12s", d.r_hat);
    out.add("%11.1f%%%11.1f%%\n", 100.0 * d.mass_near_low, 100.0 * d.mass_near_high);
  }
  out.add("\n%-28s%12s%12s%12s\n", "move, last level", "steps", "acceptance", "jump in sds");
  for (const PartTally& part : record.levels.empty() ? std::vector<PartTally>() : record.levels.back().parts) {
    out.add("%-28s%12lld%12.2f%12.2f\n", part.name.c_str(), static_cast<long long>(part.steps), part.acceptance(),
            root_mean_square_jump(part));
  }
  if (!record.evidence || record.evidence->by_group.size() < 2) return;
  const std::vector<double>& by_group = record.evidence->by_group;
  out.add("\nlog evidence by group");
  for (const double log_evidence : by_group) out.add(" %.3f", log_evidence);
  out.add("; from their scatter +- %.3f\n", error_from_groups(by_group).value_or(0.0));
}

void print_check(Text& out, const MemberRecord& record) {
  if (!record.check) return;
  out.add("\n%-40s%12s%12s%16s\n", "second run", "this", "second", "standard errors");
  for (const ComparedQuantity& q : record.check->quantities) {
    out.add("%-40s%12.4g%12.4g%16.1f\n", q.name.c_str(), q.first, q.second, standardised_difference(q));
  }
  out.add("%-40s%12zu%12td\n", "number of modes", record.modes.size(), record.check->num_modes);
}

void print_levels(Text& out, const MemberRecord& record) {
  if (record.levels.empty()) return;
  out.add("\n%-14s%14s%8s%12s%13s%10s\n", "level", "temperature", "ESS", "acceptance", "evaluations", "seconds");
  for (const LevelSummary& level : record.levels) {
    const std::string name = level.stage + (level.stage.empty() ? "" : ", ") + std::to_string(level.level);
    out.add("%-14s%14.5g%8.0f%12.2f%13lld%10.2f\n", name.c_str(), level.beta > 0.0 ? 1.0 / level.beta : HUGE_VAL,
            level.effective_sample_size, level.acceptance(), static_cast<long long>(level.evaluations), level.seconds);
  }
}

void print_settings(Text& out, const MemberRecord& record) {
  std::string others;
  for (const DescribedSetting& setting : describe_settings(record.options)) {
    if (!setting.is_default()) others += " --" + setting.option->name + " " + setting.text;
  }
  out.add("\nsettings that differ from their defaults:%s\n", others.empty() ? " none" : others.c_str());
}

// `whole`: the output, if this is its only model.
void print_fit(Text& out, const MemberRecord& record, const Judgement& judgement, const OutputRecord* whole = nullptr) {
  print_header(out, record);
  print_findings(out, judgement);
  if (whole) print_activity(out, *whole);
  print_parameters(out, record);
  print_modes(out, record);
  print_diagnostics(out, record);
  print_check(out, record);
  print_levels(out, record);
  print_settings(out, record);
}

// "weights by stacking", and what is no sample.
std::string weighting_text(const OutputRecord& output) {
  const std::string plug_in = output.members.front().has_sample() ? "" : "plug-in maxima (--fast), ";
  return plug_in + rule_of(*output.weighting).phrase;
}

// What the models of an average weigh, and what would put them in that order.
void print_weights(Text& out, const OutputRecord& output, const Judgement& judgement) {
  out.add("average of %zu models of %s, %s\n%-40s%10s%18s%10s\n", output.members.size(), output.name().c_str(),
          weighting_text(output).c_str(), "model", "weight", "log evidence", "+-");
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    const std::optional<Evidence>& evidence = output.members[k].evidence;
    out.add("%-40s%10.4f", member_label(output.members[k].options).c_str(), output.weights[k]);
    print_optional(out, "%18.3f", "%18s", evidence ? std::optional(evidence->log_evidence) : std::nullopt);
    print_optional(out, "%10.3f\n", "%10s\n", evidence ? std::optional(evidence->standard_error) : std::nullopt);
  }
  print_findings(out, judgement);
}

void print_output(Text& out, const OutputRecord& output, const Judgement& judgement) {
  if (is_single(output)) return print_fit(out, output.members.front(), judgement, &output);
  print_weights(out, output, judgement);
  print_activity(out, output);
  for (const MemberRecord& fit : output.members) {
    out.add("\n");
    // Of a member only its sampler is judged: it does not predict alone.
    print_fit(out, fit, {output.name(), judge_sampler(fit)});
  }
}

// ---- a few lines ----

void print_runs(Text& out, const OutputRuns& data) {
  out.add("runs            %td, inputs %td\n", data.num_runs(), data.num_inputs());
}

// What the sampler did, in a line.
std::string sample_text(const MemberRecord& record) {
  const std::string draws = std::to_string(record.sample.size()) + " draws";
  if (!record.passes) return draws + " over " + std::to_string(record.levels.size()) + " levels";
  std::int64_t evaluations = 0, gradients = 0;
  for (const LevelSummary& level : record.levels) {
    evaluations += level.evaluations;
    gradients += level.gradients;
  }
  return draws + ", effective size " + format_fixed(record.passes->agreement.effective_sample_size, 0) + "; " +
         std::to_string(record.passes->passes.size()) + " pass(es), " + std::to_string(evaluations - gradients) +
         " evaluations and " + std::to_string(gradients) + " gradients";
}

void print_inputs(Text& out, const OutputRecord& output) {
  if (!output.activity) return;
  out.add("inputs          %s\n", activity_text(*output.activity, output.members.front().data.input_names()).c_str());
}

void print_recalibration(Text& out, const OutputRecord& output) {
  if (output.recalibration) out.add("recalibration   %s\n", recalibration_text(*output.recalibration).c_str());
}

void print_single(Text& out, const OutputRecord& output, const Judgement& judgement) {
  const MemberRecord& record = output.members.front();
  print_runs(out, record.data);
  if (record.has_sample()) {
    out.add("sample          %s\nmodes           %zu\n", sample_text(record).c_str(), record.modes.size());
    if (record.evidence) out.add("log evidence    %s\n", evidence_text(*record.evidence).c_str());
  } else {
    out.add("plug-in         posterior maximum (--fast), energy %.6f\n", record.map.energy);
  }
  print_recalibration(out, output);
  print_inputs(out, output);
  out.add("judgement       %s\nseconds         %.2f\n", judgement.line().c_str(), record.times.total_seconds);
}

void print_weights_line(Text& out, const OutputRecord& output) {
  if (is_single(output)) return;
  out.add("models         ");
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    out.add("%s %s %.3f", k > 0 ? "," : "", member_label(output.members[k].options).c_str(), output.weights[k]);
  }
  out.add(" (%s)\n", weighting_text(output).c_str());
}

void print_summary(Text& out, const EmulatorRecord& model, const std::vector<Judgement>& judgements) {
  if (is_single(model)) return print_single(out, model.outputs.front(), judgements.front());
  double seconds = 0.0;
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const OutputRecord& output = model.outputs[k];
    if (model.outputs.size() > 1) out.add("output          %s\n", output.name().c_str());
    print_runs(out, output.members.front().data);
    print_weights_line(out, output);
    print_recalibration(out, output);
    print_inputs(out, output);
    out.add("judgement       %s\n", judgements[k].line().c_str());
    for (const MemberRecord& fit : output.members) seconds = std::max(seconds, fit.times.total_seconds);
  }
  out.add("seconds         %.2f\n", seconds);
}

}  // namespace

std::string summary_text(const EmulatorRecord& model, const std::vector<Judgement>& judgements) {
  Text out;
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    if (k > 0) out.add("\n");
    print_output(out, model.outputs[k], judgements[k]);
  }
  return out.take();
}

std::string brief_text(const EmulatorRecord& model, const std::vector<Judgement>& judgements) {
  Text out;
  print_summary(out, model, judgements);
  return out.take();
}

}  // namespace ta2s2
