// The record of each kind of page: everything that it shows. The JSON document and the page are made from it alone
// (docs/report.md).
#pragma once

#include <variant>

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
  std::string stage;  // of the sampler `ta2s2`; else empty
  Shown inverse_temperature;
  std::optional<Shown> temperature;
  Shown effective_sample_size;
  Index states = 0;
  Shown acceptance;
  std::int64_t evaluations = 0;
  Shown mean_energy, sd_energy, seconds;
};
void visit_fields(Is<LevelRow> auto& l, auto&& field) {
  field("level", l.level), field("stage", l.stage, Missing::is_left_out),
      field("inverse_temperature", l.inverse_temperature), field("temperature", l.temperature),
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

// ---- the emulator that the page itself computes with: numbers with all digits ----

// The power of an input in a column of the trend.
struct TrendTerm {
  Index input = 0, power = 0;
};
void visit_fields(Is<TrendTerm> auto& t, auto&& field) {
  field("input", t.input), field("power", t.power);
}

struct CorrelationTerm {
  std::string name;
  std::optional<double> share, power;  // of "rational", of others that have a parameter that is no draw's own
};
void visit_fields(Is<CorrelationTerm> auto& c, auto&& field) {
  field("name", c.name), field("share", c.share, kLeftOut), field("power", c.power, kLeftOut);
}

// What tells the members apart.
struct PageMember {
  CorrelationTerm correlation;
  std::vector<TrendTerm> trend;
  Numbers trend_shares;
  OutputTransform transform;
};
void visit_fields(Is<PageMember> auto& m, auto&& field) {
  field("correlation", m.correlation), field("trend", m.trend), field("trend_shares", m.trend_shares),
      field("transform", m.transform, kLeftOut);
}

struct PageDraw {
  Index member = 0;
  double weight = 0.0;
  Numbers phi;
  double nugget = 0.0;
  std::optional<double> log_shape;  // of a correlation that has a shape
  Numbers transform;                // parameters of the output's transformation
};
void visit_fields(Is<PageDraw> auto& d, auto&& field) {
  field("model", d.member), field("weight", d.weight), field("phi", d.phi), field("nugget", d.nugget),
      field("log_shape", d.log_shape, kLeftOut), field("transform", d.transform, kLeftOut);
}

// Where laws that are transformed or recalibrated are clipped, of the standardised output.
struct PageClips {
  double low = 0.0, high = 0.0;
};
void visit_fields(Is<PageClips> auto& c, auto&& field) {
  field("low", c.low), field("high", c.high);
}

struct LevelNode {
  double level = 0.0, weight = 0.0;
};
void visit_fields(Is<LevelNode> auto& n, auto&& field) {
  field("level", n.level), field("weight", n.weight);
}

// A recalibrated law by quantiles of the law before it: the ends of its 95% interval, and nodes for means over it.
struct PageRecalibration {
  double kappa = 1.0, low = 0.025, high = 0.975;
  std::vector<LevelNode> nodes;
};
void visit_fields(Is<PageRecalibration> auto& r, auto&& field) {
  field("kappa", r.kappa), field("low", r.low), field("high", r.high), field("nodes", r.nodes);
}

// The distribution function at sinh of an even grid up to `last`, with its slopes along the grid.
struct StudentTable {
  double last = 0.0;
  Numbers cdf, slope;
};
void visit_fields(Is<StudentTable> auto& s, auto&& field) {
  field("last", s.last), field("cdf", s.cdf), field("slope", s.slope);
}

// What these draws predict at a point, for a test of the page.
struct Probe {
  Numbers at;
  Number mean, sd, low, high;
};
void visit_fields(Is<Probe> auto& p, auto&& field) {
  field("at", p.at), field("mean", p.mean), field("sd", p.sd), field("low", p.low), field("high", p.high);
}

struct PageEmulator {
  std::vector<Numbers> inputs;
  Numbers output, low, width;
  std::vector<InputScale> scales;  // none if all are linear
  double output_mean = 0.0, output_sd = 1.0;
  Index degrees_of_freedom = 0;
  StudentTable student;
  std::optional<PageClips> clips;                  // none if all draws are plain
  std::optional<PageRecalibration> recalibration;  // none if kappa is 1
  std::vector<PageMember> members;
  std::vector<PageDraw> draws;
  Index num_draws = 0, all_draws = 0;
  Shown tolerance, measured;
  std::vector<Probe> probes;
};
void visit_fields(Is<PageEmulator> auto& e, auto&& field) {
  field("inputs", e.inputs), field("output", e.output), field("low", e.low), field("width", e.width),
      field("scales", e.scales, kLeftOut), field("output_mean", e.output_mean), field("output_sd", e.output_sd),
      field("degrees_of_freedom", e.degrees_of_freedom), field("student", e.student), field("clips", e.clips, kLeftOut),
      field("recalibration", e.recalibration, kLeftOut), field("models", e.members), field("draws", e.draws),
      field("num_draws", e.num_draws), field("all_draws", e.all_draws), field("tolerance", e.tolerance),
      field("measured", e.measured), field("probes", e.probes);
}

// ---- one output ----

struct OutputPage {
  Header header{"fit"};
  ModelSection model;
  VerdictSection verdict;
  std::optional<JudgedSection> leave_one_out, validation;
  InputsSection inputs;
  EffectsSection main_effects;
  std::optional<NextRunsSection> next_runs;
  std::optional<AverageSection> average;
  std::vector<MemberSection> members;  // the one with the largest weight first
  TotalsSection totals;
  ProvenanceSection provenance;
  PageEmulator emulator;
};
void visit_fields(Is<OutputPage> auto& p, auto&& field) {
  visit_fields(p.header, field);
  field("model", p.model), field("verdict", p.verdict), field("leave_one_out", p.leave_one_out),
      field("validation", p.validation), field("inputs", p.inputs), field("main_effects", p.main_effects),
      field("next_runs", p.next_runs), field("average", p.average), field("models", p.members),
      field("totals", p.totals), field("provenance", p.provenance), field("emulator", p.emulator);
}

// ---- several outputs ----

struct OverviewRow {
  std::string output, level, headline;
  std::optional<Shown> explained;
  std::optional<Number> coverage_95, crps, rmse;
};
void visit_fields(Is<OverviewRow> auto& o, auto&& field) {
  field("output", o.output), field("level", o.level), field("headline", o.headline),
      field("explained", o.explained, kLeftOut), field("coverage_95", o.coverage_95, kLeftOut),
      field("crps", o.crps, kLeftOut), field("rmse", o.rmse, kLeftOut);
}

struct OutputsPage {
  Header header{"outputs"};
  Index num_outputs = 0;
  std::string judged_by;
  std::vector<OverviewRow> overview;
  std::string version;
  std::vector<OutputPage> outputs;
};
void visit_fields(Is<OutputsPage> auto& p, auto&& field) {
  visit_fields(p.header, field);
  field("num_outputs", p.num_outputs), field("judged_by", p.judged_by), field("overview", p.overview),
      field("version", p.version), field("outputs", p.outputs);
}

// ---- two fits side by side ----

struct ComparedMember {
  Index index = 0;
  std::string title;
  LengthScaleSection length_scales;
  NuggetSection nugget;
};
void visit_fields(Is<ComparedMember> auto& m, auto&& field) {
  field("index", m.index), field("title", m.title), field("length_scales", m.length_scales), field("nugget", m.nugget);
}

struct ComparedFit {
  std::string label;
  ModelSection model;
  VerdictSection verdict;
  InputsSection inputs;
  EffectsSection main_effects;
  std::optional<AverageSection> average;
  TotalsSection totals;
  ProvenanceSection provenance;
  std::vector<ComparedMember> members;  // the one with the largest weight alone
  Index index = 0;
  std::optional<JudgedSection> judged;
  std::string judged_by;
};
void visit_fields(Is<ComparedFit> auto& f, auto&& field) {
  field("label", f.label), field("model", f.model), field("verdict", f.verdict), field("inputs", f.inputs),
      field("main_effects", f.main_effects), field("average", f.average), field("totals", f.totals),
      field("provenance", f.provenance), field("models", f.members), field("index", f.index), field("judged", f.judged),
      field("judged_by", f.judged_by);
}

struct EvidenceSection {
  bool is_comparable = false;
  std::optional<Number> difference, error;
  std::string sentence;
};
void visit_fields(Is<EvidenceSection> auto& e, auto&& field) {
  field("is_comparable", e.is_comparable), field("difference", e.difference, kLeftOut),
      field("error", e.error, kLeftOut), field("sentence", e.sentence);
}

struct ComparedScore {
  std::string what, better;
  Number first, second;
};
void visit_fields(Is<ComparedScore> auto& s, auto&& field) {
  field("what", s.what), field("better", s.better), field("first", s.first), field("second", s.second);
}

struct ScoresSection {
  std::string of;
  std::vector<ComparedScore> rows;
  std::string sentence;
};
void visit_fields(Is<ScoresSection> auto& s, auto&& field) {
  field("of", s.of), field("rows", s.rows), field("sentence", s.sentence);
}

struct ComparedSetting {
  std::string name, first, second;
};
void visit_fields(Is<ComparedSetting> auto& s, auto&& field) {
  field("name", s.name), field("first", s.first), field("second", s.second);
}

struct ComparisonPage {
  Header header{"comparison"};
  ModelSection model;
  std::vector<ComparedFit> fits;
  bool same_data = false;
  EvidenceSection evidence;
  std::optional<ScoresSection> scores;
  std::vector<ComparedSetting> settings;
};
void visit_fields(Is<ComparisonPage> auto& p, auto&& field) {
  visit_fields(p.header, field);
  field("model", p.model), field("fits", p.fits), field("same_data", p.same_data), field("evidence", p.evidence),
      field("scores", p.scores), field("settings", p.settings);
}

}  // namespace ta2s2::report

namespace ta2s2 {

using ReportRecord = std::variant<report::OutputPage, report::OutputsPage, report::ComparisonPage>;

}  // namespace ta2s2
