#include "ta2s2/io/summary.hpp"

#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/io/record_json.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {
namespace {

template <class Item, class Describe>
auto by_name(const std::vector<Item>& items, Describe describe) {
  Named<decltype(describe(items.front()))> described;
  for (const Item& item : items) described.emplace_back(item.name, describe(item));
  return described;
}

auto described(const PartTally& part) {
  return Fields{[&](auto& field) {
    visit_fields(part, field);
    field("acceptance", part.acceptance());
    field("jump", root_mean_square_jump(part));
  }};
}

auto described(const LevelSummary& level) {
  return Fields{[&](auto& field) {
    visit_fields(level, field);
    field("temperature", 1.0 / level.beta);
    field("acceptance", level.acceptance());
    field("acceptance_by_move", by_name(level.parts, [](const PartTally& part) { return part.acceptance(); }));
    field("seconds", level.seconds);
    field("levels_left", level.levels_left);
  }};
}

auto described(const Mode& mode) {
  return Fields{[&](auto& field) {
    visit_fields(mode, field);
    field("weight_error", error_from_groups(mode.group_weights));
    field("weight_by_group", mode.group_weights);
  }};
}

auto described(const ComparedQuantity& quantity) {
  return Fields{[&](auto& field) {
    visit_fields(quantity, field);
    field("difference", standardised_difference(quantity));
  }};
}

auto described(const QuantitySummary& q) {
  return Named<double>{{"mean", q.mean}, {"sd", q.sd}, {"q0.025", q.low}, {"q0.5", q.median}, {"q0.975", q.high}};
}

auto described(const Finding& finding) {
  return Fields{[&](auto& field) {
    field("question", to_word(finding.question));
    field("grade", to_word(finding.grade));
    field("value", finding.value);
    field("sentence", finding.sentence);
    field("advice", finding.advice);
    field("member", finding.member);
  }};
}

// The sampler alone: the findings on convergence in one sentence.
auto described_sampler(SamplerStatus status, const Judgement& judgement) {
  std::vector<std::string> sentences;
  for (const Finding& finding : judgement.findings) {
    if (finding.question != Question::convergence) continue;
    sentences.push_back(finding.sentence);
    if (!finding.advice.empty()) sentences.push_back(finding.advice);
  }
  return Named<std::string>{{"status", to_word(status)}, {"sentence", join(sentences, "; ")}};
}

// An object for each input.
auto described_activity(const OutputRecord& output) {
  const std::vector<std::string>& names = output.members.front().data.input_names();
  const auto row = [&output, &names](const std::string& name) {
    return Fields{[&output, &names, &name](auto& field) {
      const Index d = &name - names.data();
      field("input", name);
      field("probability", output.activity->active[d]);
      field("linear", output.activity->linear[d]);
    }};
  };
  return output.activity ? std::optional(each(names, row)) : std::nullopt;
}

constexpr auto kDescribe = [](const auto& item) { return described(item); };

auto described(const Judgement& judgement) {
  return Fields{[&](auto& field) {
    field("grade", to_word(judgement.grade()));
    field("headline", judgement.headline());
    field("findings", each(judgement.findings, kDescribe));
  }};
}

// A position's `point` in the user's units, and what else there is to say of it.
template <class Point, class Rest>
auto in_natural_units(const MemberRecord& record, const Point& point, const Rest& rest) {
  return Fields{[&record, &point, rest](auto& field) {
    const NaturalPoint natural = natural_point(record, point.position);
    Named<double> length_scales;
    for (Index d = 0; d < record.data.num_inputs(); ++d) {
      length_scales.emplace_back(record.data.input_names()[static_cast<std::size_t>(d)], natural.length_scales[d]);
    }
    field("length_scales", length_scales);
    field("nugget", natural.nugget);
    for (const auto& [name, value] : natural.others) field(name, value);
    visit_fields(rest, field);
  }};
}

auto described_check(const MemberRecord& record) {
  const auto fields = [&record](auto& field) {
    field("seed", record.check->seed);
    field("modes", record.check->num_modes);
    field("quantities", by_name(record.check->quantities, kDescribe));
  };
  return record.check ? std::optional(Fields{fields}) : std::nullopt;
}

auto described_history(const MemberRecord& record) {
  const auto fields = [&record](auto& field) {
    visit_fields(*record.history, field);
    field("updated", record.times.created);
    field("share_of_evaluations", share_of_evaluations(*record.history));
  };
  return record.history ? std::optional(Fields{fields}) : std::nullopt;
}

void visit_summary(const MemberRecord& record, const Judgement& judgement, auto& field) {
  const SampleSize size = sample_size(record);
  const std::optional<Evidence>& evidence = record.evidence;
  const auto known = [&](auto member) { return evidence ? std::optional((*evidence).*member) : std::nullopt; };
  const std::vector<double> by_group = evidence ? evidence->by_group : std::vector<double>{};
  field("output", record.data.output_name());
  field("inputs", record.data.input_names());
  field("runs", record.data.num_runs());
  field("added_runs", described_history(record));
  field("data_fingerprint", record.data.fingerprint());
  field("draws", record.sample.size());
  field("ess", Named<double>{{"weights", size.of_weights}, {"chains", size.of_chains}});
  field("log_evidence", known(&Evidence::log_evidence));
  field("log_evidence_error", known(&Evidence::standard_error));
  field("log_evidence_is_normalised", known(&Evidence::is_normalised));
  field("log_evidence_by_group", by_group);
  field("log_evidence_error_by_group", error_from_groups(by_group));
  field("verdict", described_sampler(check_sampler(record).status, judgement));
  field("judgement", described(judgement));
  field("check", described_check(record));
  field("parameters", by_name(summarise_parameters(record), kDescribe));
  field("coordinates", by_name(record.diagnostics, [](const auto& item) { return item; }));
  field("map", in_natural_units(record, record.map, record.map));
  field("modes", each(record.modes, [&](const Mode& mode) { return in_natural_units(record, mode, described(mode)); }));
  const std::vector<PartTally> no_moves;
  field("moves", by_name(record.levels.empty() ? no_moves : record.levels.back().parts, kDescribe));
  field("levels", each(record.levels, kDescribe));
  field("settings", record.options);
  field("notices", record.notices);
  field("warnings", judgement.warnings());
  field("program_version", record.version);
}

void visit_summary(const OutputRecord& output, const Judgement& judgement, auto& field) {
  if (is_single(output)) {
    visit_summary(output.members.front(), judgement, field);
    field("recalibration", output.recalibration);
    field("activity", described_activity(output));
    return;
  }
  const auto member = [&](const MemberRecord& record) {
    return Fields{[&](auto& of_member) {
      of_member("model", member_label(record.options));
      of_member("weight", output.weights[static_cast<std::size_t>(&record - output.members.data())]);
      // Of a member only its sampler is judged: it does not predict alone.
      visit_summary(record, Judgement{record.data.output_name(), judge_sampler(record)}, of_member);
    }};
  };
  field("output", output.name());
  field("verdict", described_sampler(sampler_status(output), judgement));
  field("judgement", described(judgement));
  field("warnings", judgement.warnings());
  field("weighting", to_word(output.weighting));
  field("recalibration", output.recalibration);
  field("activity", described_activity(output));
  field("settings", options_of(output));
  field("models", each(output.members, member));
}

auto described(const OutputRecord& output, const Judgement& judgement) {
  return Fields{[&](auto& field) { visit_summary(output, judgement, field); }};
}

std::string text_of(const auto& fields) {
  return to_json(fields, Defaults::are_written);
}

}  // namespace

std::string summary_json(const EmulatorRecord& model, const std::vector<Judgement>& judgements) {
  if (model.outputs.size() == 1) return indented(summary_json(model.outputs.front(), judgements.front()));
  const auto of_output = [&](const OutputRecord& output) {
    return described(output, judgements[static_cast<std::size_t>(&output - model.outputs.data())]);
  };
  return indented(text_of(Fields{[&](auto& field) { field("outputs", each(model.outputs, of_output)); }}));
}

std::string summary_json(const OutputRecord& output, const Judgement& judgement) {
  return text_of(described(output, judgement));
}

std::string to_json(const Judgement& judgement) {
  return text_of(described(judgement));
}

std::string to_json(const Sample& result) {
  return text_of(Fields{[&](auto& field) {
    field("modes", result.modes);
    field("levels", each(result.levels, kDescribe));
    field("coordinates", result.diagnostics);
  }});
}

std::string to_json(const LevelSummary& level) {
  return text_of(Fields{[&](auto& field) {
    visit_fields(described(level), field);
    field("run", level.run);
  }});
}

}  // namespace ta2s2
