#include "ta2s2/report/detail/run_section.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "ta2s2/workflow/verdict.hpp"

namespace ta2s2::detail {
namespace {

double mean_jump(const PartTally& part) {
  return std::sqrt(part.squared_jump / static_cast<double>(std::max<std::int64_t>(part.steps, 1)));
}

Json moves_json(const LevelReport& level) {
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

Json level_json(const LevelReport& level) {
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

std::string run_sentence(const FitRecord& fit, std::int64_t evaluations) {
  if (fit.levels.empty()) return "Only the posterior's maximum was sought, so there are no levels.";
  return "Look for a temperature that falls to 1 in even steps, and for energies that settle. Here " +
         counted(static_cast<long long>(fit.levels.size()), "level") + " took " + std::to_string(evaluations) +
         " evaluations.";
}

std::string moves_sentence(const FitRecord& fit) {
  if (fit.levels.empty()) return "";
  const LevelReport& last = fit.levels.back();
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

// As a shell takes it: one word.
std::string quoted(const std::string& text) {
  const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.,=/:";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// What each setting would be had only the sampler been chosen; the sampler itself has a default too.
std::string default_text(const OptionSpec& spec, const FitOptions& options) {
  FitOptions defaults;
  if (spec.name != "sampler") apply_settings(defaults, {{"sampler", options.sampler}});
  return spec.get(defaults);
}

}  // namespace

Json run_json(const FitRecord& fit) {
  Json levels = Json::array(), moves = Json::array(), coordinates = Json::array();
  std::int64_t evaluations = 0;
  for (const LevelReport& level : fit.levels) {
    levels.push_back(level_json(level));
    for (Json& move : moves_json(level)) moves.push_back(std::move(move));
    evaluations += level.evaluations;
  }
  for (const CoordinateDiagnostics& d : fit.diagnostics) coordinates.push_back(coordinate_json(d));
  const SampleSize size = sample_size(fit);
  Json json = {{"levels", levels},
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
               {"evidence", Json()}};
  if (fit.evidence) {
    json["evidence"] = {{"log_evidence", fit.evidence->log_evidence},
                        {"standard_error", fit.evidence->standard_error},
                        {"is_normalised", fit.evidence->is_normalised},
                        {"text", evidence_text(*fit.evidence)}};
  }
  return json;
}

Json provenance_json(const FitRecord& fit) {
  Json settings = Json::array();
  std::string command = "ta2s2 fit runs.csv --output " + quoted(fit.data.output_name());
  for (const OptionSpec& spec : option_table()) {
    if (!spec.is_recorded) continue;
    const std::string value = spec.get(fit.options), standard = default_text(spec, fit.options);
    const bool is_default = value == standard || (spec.name == "simd" && standard == "auto");
    settings.push_back({{"name", spec.name},
                        {"value", value.empty() ? "not set" : value},
                        {"is_default", is_default},
                        {"help", spec.help}});
    const bool is_changed = value != standard && spec.name != "output";
    if (!is_changed && spec.name != "seed") continue;
    command += spec.is_flag ? " --" + spec.name : " --" + spec.name + " " + quoted(value);
  }
  return {{"fingerprint", fit.data.fingerprint()},
          {"runs", fit.data.num_runs()},
          {"version", fit.version},
          {"created", fit.times.created},
          {"seed", std::to_string(fit.options.annealing.seed)},
          {"command", command + " -o model.json"},
          {"settings", settings},
          {"notices", fit.notices}};
}

}  // namespace ta2s2::detail
