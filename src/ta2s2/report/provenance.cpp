#include <algorithm>
#include <cmath>

#include "ta2s2/report/sections.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::report {
namespace {

double mean_jump(const PartTally& part) {
  return std::sqrt(part.squared_jump / static_cast<double>(std::max<std::int64_t>(part.steps, 1)));
}

MoveRow move_row(Index level, const PartTally& part) {
  const double steps = static_cast<double>(std::max<std::int64_t>(part.steps, 1));
  return {
      level, part.name, part.steps, part.acceptance(), mean_jump(part), static_cast<double>(part.evaluations) / steps};
}

// Levels are counted on from one stage of the sampler to the next.
LevelRow level_row(const LevelSummary& level, Index number) {
  std::optional<Shown> temperature;
  if (level.beta > 0.0) temperature = 1.0 / level.beta;
  return {number,           level.stage,        level.beta,        temperature,       level.effective_sample_size,
          level.num_states, level.acceptance(), level.evaluations, level.mean_energy, level.sd_energy,
          level.seconds};
}

std::string levels_sentence(const MemberRecord& fit, std::int64_t evaluations) {
  if (fit.levels.empty()) return "Only the posterior's maximum was sought, so there are no levels.";
  const std::string passes =
      fit.passes
          ? " The first run, the scout, only finds the posterior; each pass begins again from a density that was "
            "fitted to the one before, and the last two must agree."
          : "";
  return "Look for a temperature that falls to 1 in even steps, and for energies that settle." + passes + " Here " +
         counted(static_cast<long long>(fit.levels.size()), "level") + " took " + std::to_string(evaluations) +
         " evaluations.";
}

std::string moves_sentence(const MemberRecord& fit) {
  if (fit.levels.empty()) return "";
  const LevelSummary& last = fit.levels.back();
  std::string text =
      "Look for moves that are accepted and jump at every level: one that does neither is wasted. Here " +
      percent(last.acceptance(), 2) + " of the steps of the last level moved";
  const auto best = std::max_element(last.parts.begin(), last.parts.end(), [](const PartTally& a, const PartTally& b) {
    return mean_jump(a) < mean_jump(b);
  });
  if (best == last.parts.end()) return text + ".";
  return text + "; those of " + best->name + " go farthest, " + format_number(mean_jump(*best), 2) +
         " of the posterior's sds in the root mean square.";
}

std::optional<EvidenceRow> evidence_row(const std::optional<Evidence>& evidence) {
  if (!evidence) return std::nullopt;
  return EvidenceRow{evidence->log_evidence, evidence->standard_error, evidence->is_normalised,
                     evidence_text(*evidence)};
}

// Models that are equally likely beforehand: the mean of their evidences. Other weights than these stand for no model
// of the runs.
std::optional<Evidence> evidence_of(const OutputRecord& output) {
  if (is_single(output)) return output.members.front().evidence;
  if (output.weighting != Weighting::evidence) return std::nullopt;
  const Evidence& heaviest = *heaviest_member(output).evidence;
  double sum = 0.0, variance = 0.0;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    sum += std::exp(output.members[k].evidence->log_evidence - heaviest.log_evidence);
    variance += std::pow(output.weights[k] * output.members[k].evidence->standard_error, 2);
  }
  const double mean = heaviest.log_evidence + std::log(sum / static_cast<double>(output.members.size()));
  return Evidence{mean, std::sqrt(variance), true};
}

// Each sentence once: models of the same runs share most of theirs.
Texts notices_of(const OutputRecord& output) {
  Texts notices;
  for (const MemberRecord& fit : output.members) {
    for (const std::string& notice : fit.notices) add_once(notices, notice);
  }
  return notices;
}

}  // namespace

SamplerSection sampler_section(const MemberRecord& fit) {
  SamplerSection section;
  for (const LevelSummary& level : fit.levels) {
    const auto number = static_cast<Index>(section.levels.size());
    section.levels.push_back(level_row(level, number));
    for (const PartTally& part : level.parts) section.moves.push_back(move_row(number, part));
    section.evaluations += level.evaluations;
  }
  for (const CoordinateDiagnostics& d : fit.diagnostics) {
    section.coordinates.push_back({d.name, d.effective_sample_size, d.r_hat, d.mass_near_low, d.mass_near_high});
  }
  section.draws = fit.sample.size();
  section.groups = fit.num_groups();
  section.ess_weights = sample_size(fit).of_weights;
  section.ess_chains = sample_size(fit).of_chains;
  section.seconds = fit.times.total_seconds;
  section.has_levels = !fit.levels.empty();
  section.sentence = levels_sentence(fit, section.evaluations);
  section.moves_sentence = moves_sentence(fit);
  section.evidence = evidence_row(fit.evidence);
  return section;
}

TotalsSection totals_section(const OutputRecord& output) {
  Index modes = 0;
  std::int64_t evaluations = 0;
  double seconds = 0.0;  // members are fitted together
  for (const MemberRecord& fit : output.members) {
    modes += static_cast<Index>(fit.modes.size());
    for (const LevelSummary& level : fit.levels) evaluations += level.evaluations;
    seconds = std::max(seconds, fit.times.total_seconds);
  }
  return {num_draws(output), modes, evaluations, seconds, evidence_row(evidence_of(output))};
}

ProvenanceSection provenance_section(const OutputRecord& output) {
  const MemberRecord& fit = output.members.front();
  const FitOptions options = options_of(output);
  std::vector<SettingRow> settings;
  std::string command = "ta2s2 fit runs.csv --output " + shell_word(fit.data.output_name());
  for (const DescribedSetting& setting : describe_settings(options)) {
    const std::string &name = setting.option->name, &value = setting.text;
    settings.push_back({name, value.empty() ? "not set" : value, setting.is_default(), setting.option->help});
    const bool is_changed = value != setting.standard && name != "output";
    if (!is_changed && name != "seed") continue;
    command += " --" + name + (setting.option->is_flag ? "" : " " + shell_word(value));
  }
  return {fit.data.fingerprint(),
          fit.data.num_runs(),
          fit.version,
          fit.times.created,
          std::to_string(fit.options.annealing.seed),
          command + " -o model.json",
          settings,
          notices_of(output)};
}

}  // namespace ta2s2::report
