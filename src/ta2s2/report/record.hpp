// The record of each kind of page: everything that it shows. The JSON document and the page are made from it alone
// (docs/report.md).
#pragma once

#include <variant>

#include "ta2s2/report/record_members.hpp"

namespace ta2s2::report {

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
  std::optional<double> share, power;  // of "rational", of others that have a parameter
};
void visit_fields(Is<CorrelationTerm> auto& c, auto&& field) {
  field("name", c.name), field("share", c.share, kLeftOut), field("power", c.power, kLeftOut);
}

// What tells the members apart.
struct PageMember {
  CorrelationTerm correlation;
  std::vector<TrendTerm> trend;
  Numbers trend_shares;
};
void visit_fields(Is<PageMember> auto& m, auto&& field) {
  field("correlation", m.correlation), field("trend", m.trend), field("trend_shares", m.trend_shares);
}

struct PageDraw {
  Index member = 0;
  double weight = 0.0;
  Numbers phi;
  double nugget = 0.0;
};
void visit_fields(Is<PageDraw> auto& d, auto&& field) {
  field("model", d.member), field("weight", d.weight), field("phi", d.phi), field("nugget", d.nugget);
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
  double output_mean = 0.0, output_sd = 1.0;
  Index degrees_of_freedom = 0;
  StudentTable student;
  std::vector<PageMember> members;
  std::vector<PageDraw> draws;
  Index num_draws = 0, all_draws = 0;
  Shown tolerance, measured;
  std::vector<Probe> probes;
};
void visit_fields(Is<PageEmulator> auto& e, auto&& field) {
  field("inputs", e.inputs), field("output", e.output), field("low", e.low), field("width", e.width),
      field("output_mean", e.output_mean), field("output_sd", e.output_sd),
      field("degrees_of_freedom", e.degrees_of_freedom), field("student", e.student), field("models", e.members),
      field("draws", e.draws), field("num_draws", e.num_draws), field("all_draws", e.all_draws),
      field("tolerance", e.tolerance), field("measured", e.measured), field("probes", e.probes);
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
