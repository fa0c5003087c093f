#include "ta2s2/report/detail/run_section.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/report/detail/shell_word.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::detail {
namespace {

double mean_jump(const PartTally& part) {
  return std::sqrt(part.squared_jump / static_cast<double>(std::max<std::int64_t>(part.steps, 1)));
}

Json moves_json(const LevelSummary& level) {
  Json moves = Json::array();
  for (const PartTally& part : level.parts) {
    const double steps = static_cast<double>(std::max<std::int64_t>(part.steps, 1));
    moves.push_back({{"level", level.level},
                     {"name", part.name},
                     {"steps", part.steps},
                     {"acceptance", shown(part.acceptance())},
                     {"jump", shown(mean_jump(part))},
                     {"evaluations_per_step", shown(static_cast<double>(part.evaluations) / steps)}});
  }
  return moves;
}

Json level_json(const LevelSummary& level) {
  return {{"level", level.level},
          {"inverse_temperature", shown(level.beta)},
          {"temperature", level.beta > 0.0 ? Json(shown(1.0 / level.beta)) : Json()},
          {"effective_sample_size", shown(level.effective_sample_size)},
          {"states", level.num_states},
          {"acceptance", shown(level.acceptance())},
          {"evaluations", level.evaluations},
          {"mean_energy", shown(level.mean_energy)},
          {"sd_energy", shown(level.sd_energy)},
          {"seconds", shown(level.seconds)}};
}

Json coordinate_json(const CoordinateDiagnostics& d) {
  return {{"name", d.name},
          {"effective_sample_size", shown(d.effective_sample_size)},
          {"r_hat", d.r_hat ? Json(shown(*d.r_hat)) : Json()},
          {"mass_near_low", shown(d.mass_near_low)},
          {"mass_near_high", shown(d.mass_near_high)}};
}

std::string run_sentence(const MemberRecord& fit, std::int64_t evaluations) {
  if (fit.levels.empty()) return "Only the posterior's maximum was sought, so there are no levels.";
  return "Look for a temperature that falls to 1 in even steps, and for energies that settle. Here " +
         counted(static_cast<long long>(fit.levels.size()), "level") + " took " + std::to_string(evaluations) +
         " evaluations.";
}

std::string moves_sentence(const MemberRecord& fit) {
  if (fit.levels.empty()) return "";
  const LevelSummary& last = fit.levels.back();
  std::string text =
      "Look for moves that are accepted and jump at every level: one that does neither is wasted. Here " +
      percent_text(last.acceptance(), 2) + " of the steps of the last level moved";
  const auto best = std::max_element(last.parts.begin(), last.parts.end(), [](const PartTally& a, const PartTally& b) {
    return mean_jump(a) < mean_jump(b);
  });
  if (best == last.parts.end()) return text + ".";
  return text + "; those of " + best->name + " go farthest, " + number_text(mean_jump(*best), 2) +
         " of the posterior's sds in the root mean square.";
}

// What each setting would be had only the sampler been chosen; the sampler itself has a default too.
std::string default_text(const OptionSpec& spec, const FitOptions& options) {
  FitOptions defaults;
  if (spec.name != "sampler") apply_settings(defaults, {{"sampler", options.sampler}});
  return spec.get(defaults);
}

Json evidence_json(const std::optional<Evidence>& evidence) {
  if (!evidence) return {};
  return {{"log_evidence", evidence->log_evidence},
          {"standard_error", evidence->standard_error},
          {"is_normalised", evidence->is_normalised},
          {"text", evidence_text(*evidence)}};
}

// Models that are equally likely beforehand: the mean of their evidences. Other weights than these stand for no model
// of the runs.
std::optional<Evidence> evidence_of(const OutputRecord& output) {
  if (is_single(output)) return output.members.front().evidence;
  if (output.weighting != "evidence") return std::nullopt;
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
std::vector<std::string> notices_of(const OutputRecord& output) {
  std::vector<std::string> notices;
  for (const MemberRecord& fit : output.members) {
    for (const std::string& notice : fit.notices) {
      if (std::find(notices.begin(), notices.end(), notice) == notices.end()) notices.push_back(notice);
    }
  }
  return notices;
}

}  // namespace

Json run_json(const MemberRecord& fit) {
  Json levels = Json::array(), moves = Json::array(), coordinates = Json::array();
  std::int64_t evaluations = 0;
  for (const LevelSummary& level : fit.levels) {
    levels.push_back(level_json(level));
    for (Json& move : moves_json(level)) moves.push_back(std::move(move));
    evaluations += level.evaluations;
  }
  for (const CoordinateDiagnostics& d : fit.diagnostics) coordinates.push_back(coordinate_json(d));
  const SampleSize size = sample_size(fit);
  return {{"levels", levels},
          {"moves", moves},
          {"coordinates", coordinates},
          {"draws", fit.sample.size()},
          {"groups", fit.num_groups()},
          {"ess_weights", shown(size.of_weights)},
          {"ess_chains", shown(size.of_chains)},
          {"evaluations", evaluations},
          {"seconds", shown(fit.times.total_seconds)},
          {"has_levels", !fit.levels.empty()},
          {"sentence", run_sentence(fit, evaluations)},
          {"moves_sentence", moves_sentence(fit)},
          {"evidence", evidence_json(fit.evidence)}};
}

Json totals_json(const OutputRecord& output) {
  Index draws = 0, modes = 0;
  std::int64_t evaluations = 0;
  double seconds = 0.0;  // models are fitted together
  for (const MemberRecord& fit : output.members) {
    draws += fit.sample.size();
    modes += static_cast<Index>(fit.modes.size());
    for (const LevelSummary& level : fit.levels) evaluations += level.evaluations;
    seconds = std::max(seconds, fit.times.total_seconds);
  }
  return {{"draws", draws},
          {"modes", modes},
          {"evaluations", evaluations},
          {"seconds", shown(seconds)},
          {"evidence", evidence_json(evidence_of(output))}};
}

Json provenance_json(const OutputRecord& output) {
  const MemberRecord& fit = output.members.front();
  const FitOptions options = options_of(output);
  Json settings = Json::array();
  std::string command = "ta2s2 fit runs.csv --output " + shell_word(fit.data.output_name());
  for (const OptionSpec& spec : option_table()) {
    if (!spec.is_recorded) continue;
    const std::string value = spec.get(options), standard = default_text(spec, options);
    const bool is_default = value == standard || (spec.name == "simd" && standard == "auto");
    settings.push_back({{"name", spec.name},
                        {"value", value.empty() ? "not set" : value},
                        {"is_default", is_default},
                        {"help", spec.help}});
    const bool is_changed = value != standard && spec.name != "output";
    if (!is_changed && spec.name != "seed") continue;
    command += spec.is_flag ? " --" + spec.name : " --" + spec.name + " " + shell_word(value);
  }
  return {{"fingerprint", fit.data.fingerprint()},
          {"runs", fit.data.num_runs()},
          {"version", fit.version},
          {"created", fit.times.created},
          {"seed", std::to_string(fit.options.annealing.seed)},
          {"command", command + " -o model.json"},
          {"settings", settings},
          {"notices", notices_of(output)}};
}

}  // namespace ta2s2::detail
