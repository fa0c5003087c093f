#include "ta2s2/workflow/record_fields.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace ta2s2 {

StoredRuns stored_form(const OutputRuns& runs) {
  return {runs.fingerprint(), runs.input_names(), runs.output_name(), runs.inputs().transpose(), runs.output()};
}

void restore(OutputRuns& runs, StoredRuns form) {
  runs = OutputRuns(form.inputs.transpose(), std::move(form.output), std::move(form.input_names),
                    std::move(form.output_name));
}

StoredScaling stored_form(const Scaling& scaling) {
  StoredScaling form{scaling.low(), scaling.width(), scaling.output_mean(), scaling.output_sd(), {}};
  for (Index input = 0; scaling.has_logs() && input < scaling.num_inputs(); ++input) {
    form.scales.push_back(scaling.scale(input));
  }
  return form;
}

void restore(Scaling& scaling, StoredScaling form) {
  scaling =
      Scaling(std::move(form.low), std::move(form.width), form.output_mean, form.output_sd, std::move(form.scales));
}

// In the order of the enumerators.
const std::vector<std::string>& words_of(TransformKind) {
  static const std::vector<std::string> words = transform_names();
  return words;
}

StoredTransform stored_form(const OutputTransform& transform) {
  return {transform.kind(), transform.sign(), transform.origin(), transform.scale()};
}

void restore(OutputTransform& transform, const StoredTransform& form) {
  transform = OutputTransform(form.kind, form.sign, form.origin, form.scale);
}

Named<std::string> stored_form(const FitOptions& options) {
  Named<std::string> settings;
  for (const Setting& setting : recorded_settings(options)) settings.emplace_back(setting.name, setting.text);
  return settings;
}

void restore(FitOptions& options, const Named<std::string>& settings) {
  // A file without them is older than they are.
  std::vector<Setting> known = {{"transform", kNoTransform}, {"recalibration", "none"}};
  const bool is_early = std::none_of(settings.begin(), settings.end(),
                                     [](const auto& setting) { return setting.first == "max-evaluations"; });
  for (const auto& [name, text] : settings) {
    if (name == "recycle") {  // what draws-from was called once
      known.push_back({"draws-from", text == "true" ? "all-levels" : "last-level"});
    } else if (is_early && name == "sampler" && text == "ta2s2") {  // what annealed was called once
      known.push_back({name, "annealed"});
    } else {
      known.push_back({name, text});
    }
  }
  options = {};
  apply_settings(options, known);
}

MemberRecord blank(std::type_identity<MemberRecord>) {
  const OutputRuns some_run(Matrix::Zero(1, 1), Vector::Zero(1), {"x"}, "y");
  const Scaling unscaled(Vector::Zero(1), Vector::Ones(1), 0.0, 1.0);
  return {"", some_run, unscaled, {}, {}, {}, {}, {}, {}, {}, {}, {}};
}

std::string stored_form(const std::optional<Weighting>& weighting) {
  return to_word(weighting);
}

void restore(std::optional<Weighting>& weighting, const std::string& word) {
  weighting = word.empty() ? std::nullopt : std::optional(parse_weighting(word));
}

StoredLeftOut stored_form(const LeftOutFacts& facts) {
  const auto known = [](const Vector& numbers) {
    std::vector<std::optional<double>> stored;
    for (const double number : numbers) stored.push_back(std::isnan(number) ? std::nullopt : std::optional(number));
    return stored;
  };
  return {facts.num_draws, known(facts.mean), known(facts.sd), known(facts.pit), known(facts.crps), known(facts.k_hat)};
}

void restore(LeftOutFacts& facts, const StoredLeftOut& form) {
  const auto numbers = [](const std::vector<std::optional<double>>& known) {
    Vector restored(static_cast<Index>(known.size()));
    for (Index i = 0; i < restored.size(); ++i) restored[i] = known[static_cast<std::size_t>(i)].value_or(NAN);
    return restored;
  };
  facts = {form.num_draws,    numbers(form.mean), numbers(form.sd),
           numbers(form.pit), numbers(form.crps), numbers(form.k_hat)};
}

StoredTimes stored_times(const MemberRecord& record) {
  StoredTimes times{record.times, {}};
  for (const LevelSummary& level : record.levels) times.level_seconds.push_back(level.seconds);
  return times;
}

void complete(MemberRecord& record, const StoredTimes& times) {
  record.times = times.fit;
  if (times.level_seconds.size() < record.levels.size()) throw std::invalid_argument("a level without its seconds");
  for (std::size_t i = 0; i < record.levels.size(); ++i) {
    LevelSummary& level = record.levels[i];
    level.seconds = times.level_seconds[i];
    level.impossible[0] =
        level.evaluations - std::accumulate(level.impossible.begin() + 1, level.impossible.end(), std::int64_t{0});
  }
  if (!record.has_sample()) record.evidence.reset();  // files once held zeros
}

}  // namespace ta2s2
