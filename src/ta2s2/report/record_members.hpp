// What a report shows of each member, of the sampler, and of where everything came from.
#pragma once

#include "ta2s2/report/record_findings.hpp"

namespace ta2s2::report {

// ---- members of an average, or the only one ----

struct AverageRow {
  std::string model;
  Shown weight;
  std::optional<Shown> low, high, log_evidence, error;
  Index modes = 0;
  std::string sampler;
};
void visit_fields(Is<AverageRow> auto& a, auto&& field) {
  field("model", a.model), field("weight", a.weight), field("low", a.low), field("high", a.high),
      field("log_evidence", a.log_evidence), field("error", a.error), field("modes", a.modes),
      field("sampler", a.sampler);
}

struct AverageSection {
  std::string weighting;
  Index num_models = 0;
  std::vector<AverageRow> rows;
  std::string summary;
  bool has_intervals = false;
  std::string sentence;
};
void visit_fields(Is<AverageSection> auto& a, auto&& field) {
  field("weighting", a.weighting), field("num_models", a.num_models), field("rows", a.rows),
      field("summary", a.summary), field("has_intervals", a.has_intervals), field("sentence", a.sentence);
}

struct QuantileRow {
  Number q025, q25, q50, q75, q975;
};
void visit_fields(Is<QuantileRow> auto& q, auto&& field) {
  field("q025", q.q025), field("q25", q.q25), field("q50", q.q50), field("q75", q.q75), field("q975", q.q975);
}

struct LengthScaleRow {
  std::string name;
  Number low, high;  // of the input
  QuantileRow length_scale, length_in_ranges;
};
void visit_fields(Is<LengthScaleRow> auto& l, auto&& field) {
  field("name", l.name), field("low", l.low), field("high", l.high), field("length_scale", l.length_scale),
      field("length_in_ranges", l.length_in_ranges);
}

struct LengthScaleSection {
  std::vector<LengthScaleRow> rows;
  std::string sentence;
};
void visit_fields(Is<LengthScaleSection> auto& l, auto&& field) {
  field("rows", l.rows), field("sentence", l.sentence);
}

struct NuggetSection {
  QuantileRow quantiles;
  bool is_sampled = false;
  std::string sentence;
};
void visit_fields(Is<NuggetSection> auto& n, auto&& field) {
  visit_fields(n.quantiles, field);
  field("is_sampled", n.is_sampled), field("sentence", n.sentence);
}

struct CoordinateName {
  std::string name, label;
  bool is_nugget = false;
};
void visit_fields(Is<CoordinateName> auto& c, auto&& field) {
  field("name", c.name), field("label", c.label), field("is_nugget", c.is_nugget);
}

// Length-scales, then the nugget if it was sampled.
using NaturalNumbers = std::vector<Shown>;

struct PairDraw {
  NaturalNumbers at;
  Index mode = 0;  // from 1
};
void visit_fields(Is<PairDraw> auto& d, auto&& field) {
  field("at", d.at), field("mode", d.mode);
}

struct NamedNumber {
  std::string name;
  Shown value;
};
void visit_fields(Is<NamedNumber> auto& n, auto&& field) {
  field("name", n.name), field("value", n.value);
}

struct ModeRow {
  Index number = 0;  // from 1
  Shown weight;
  std::optional<Shown> weight_error;
  std::string description, name;
  NaturalNumbers at;
  Shown energy;
  bool is_first = false;
  Shown rms_difference, largest_difference;  // of predictions from the first mode's
  std::vector<NamedNumber> largest_at;
};
void visit_fields(Is<ModeRow> auto& m, auto&& field) {
  field("number", m.number), field("weight", m.weight), field("weight_error", m.weight_error),
      field("description", m.description), field("name", m.name), field("at", m.at), field("energy", m.energy),
      field("is_first", m.is_first), field("rms_difference", m.rms_difference),
      field("largest_difference", m.largest_difference), field("largest_at", m.largest_at);
}

struct MapPoint {
  NaturalNumbers at;
  Shown energy;
};
void visit_fields(Is<MapPoint> auto& m, auto&& field) {
  field("at", m.at), field("energy", m.energy);
}

struct PosteriorSection {
  std::vector<CoordinateName> coordinates;
  std::vector<PairDraw> draws;
  Index all_draws = 0;
  std::vector<ModeRow> modes;
  MapPoint map;
  std::string sentence;
};
void visit_fields(Is<PosteriorSection> auto& p, auto&& field) {
  field("coordinates", p.coordinates), field("draws", p.draws), field("all_draws", p.all_draws),
      field("modes", p.modes), field("map", p.map), field("sentence", p.sentence);
}

// ---- the sampler, and where everything came from ----

struct LevelRow {
  Index level = 0;
  Shown inverse_temperature;
  std::optional<Shown> temperature;
  Shown effective_sample_size;
  Index states = 0;
  Shown acceptance;
  std::int64_t evaluations = 0;
  Shown mean_energy, sd_energy, seconds;
};
void visit_fields(Is<LevelRow> auto& l, auto&& field) {
  field("level", l.level), field("inverse_temperature", l.inverse_temperature), field("temperature", l.temperature),
      field("effective_sample_size", l.effective_sample_size), field("states", l.states),
      field("acceptance", l.acceptance), field("evaluations", l.evaluations), field("mean_energy", l.mean_energy),
      field("sd_energy", l.sd_energy), field("seconds", l.seconds);
}

struct MoveRow {
  Index level = 0;
  std::string name;
  std::int64_t steps = 0;
  Shown acceptance, jump, evaluations_per_step;
};
void visit_fields(Is<MoveRow> auto& m, auto&& field) {
  field("level", m.level), field("name", m.name), field("steps", m.steps), field("acceptance", m.acceptance),
      field("jump", m.jump), field("evaluations_per_step", m.evaluations_per_step);
}

struct CoordinateRow {
  std::string name;
  Shown effective_sample_size;
  std::optional<Shown> r_hat;
  Shown mass_near_low, mass_near_high;
};
void visit_fields(Is<CoordinateRow> auto& c, auto&& field) {
  field("name", c.name), field("effective_sample_size", c.effective_sample_size), field("r_hat", c.r_hat),
      field("mass_near_low", c.mass_near_low), field("mass_near_high", c.mass_near_high);
}

struct EvidenceRow {
  Number log_evidence, standard_error;
  bool is_normalised = true;
  std::string text;
};
void visit_fields(Is<EvidenceRow> auto& e, auto&& field) {
  field("log_evidence", e.log_evidence), field("standard_error", e.standard_error),
      field("is_normalised", e.is_normalised), field("text", e.text);
}

struct SamplerSection {
  std::vector<LevelRow> levels;
  std::vector<MoveRow> moves;
  std::vector<CoordinateRow> coordinates;
  Index draws = 0, groups = 0;
  Shown ess_weights, ess_chains;
  std::int64_t evaluations = 0;
  Shown seconds;
  bool has_levels = false;
  std::string sentence, moves_sentence;
  std::optional<EvidenceRow> evidence;
};
void visit_fields(Is<SamplerSection> auto& s, auto&& field) {
  field("levels", s.levels), field("moves", s.moves), field("coordinates", s.coordinates), field("draws", s.draws),
      field("groups", s.groups), field("ess_weights", s.ess_weights), field("ess_chains", s.ess_chains),
      field("evaluations", s.evaluations), field("seconds", s.seconds), field("has_levels", s.has_levels),
      field("sentence", s.sentence), field("moves_sentence", s.moves_sentence), field("evidence", s.evidence);
}

struct MemberSection {
  Index index = 0;
  std::string label;
  Shown weight;
  std::string title;
  LengthScaleSection length_scales;
  NuggetSection nugget;
  PosteriorSection posterior;
  SamplerSection sampler;
};
void visit_fields(Is<MemberSection> auto& m, auto&& field) {
  field("index", m.index), field("label", m.label), field("weight", m.weight), field("title", m.title),
      field("length_scales", m.length_scales), field("nugget", m.nugget), field("posterior", m.posterior),
      field("run", m.sampler);
}

// Of all members together.
struct TotalsSection {
  std::optional<Index> draws;  // none until version 2
  Index modes = 0;
  std::int64_t evaluations = 0;
  Shown seconds;
  std::optional<EvidenceRow> evidence;
};
void visit_fields(Is<TotalsSection> auto& t, auto&& field) {
  field("draws", t.draws, kLeftOut), field("modes", t.modes), field("evaluations", t.evaluations),
      field("seconds", t.seconds), field("evidence", t.evidence);
}

struct SettingRow {
  std::string name, value;
  bool is_default = false;
  std::string help;
};
void visit_fields(Is<SettingRow> auto& s, auto&& field) {
  field("name", s.name), field("value", s.value), field("is_default", s.is_default), field("help", s.help);
}

struct ProvenanceSection {
  std::string fingerprint;
  Index runs = 0;
  std::string version, created, seed, command;
  std::vector<SettingRow> settings;
  Texts notices;
};
void visit_fields(Is<ProvenanceSection> auto& p, auto&& field) {
  field("fingerprint", p.fingerprint), field("runs", p.runs), field("version", p.version), field("created", p.created),
      field("seed", p.seed), field("command", p.command), field("settings", p.settings), field("notices", p.notices);
}
}  // namespace ta2s2::report
