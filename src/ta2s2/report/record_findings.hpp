// What a report shows of an emulator's predictions and inputs, as plain values. A struct lists its fields once, in the
// order of the JSON document (workflow/record_fields.hpp says how).
#pragma once

#include <cmath>
#include <cstdlib>
#include <optional>

#include "ta2s2/report/text.hpp"
#include "ta2s2/workflow/record_fields.hpp"

namespace ta2s2::report {

inline constexpr Missing kLeftOut = Missing::is_left_out;
// What an earlier version did not write keeps its default (io/record_json.hpp).
void may_lack_fields(const auto& record);

// In JSON null stands for one that is not finite.
class Number {
 public:
  Number(double value = 0.0) : value_(value) {}
  operator double() const { return value_; }

 private:
  double value_;
};
inline std::optional<double> stored_form(const Number& number) {
  return number;
}
template <std::derived_from<Number> T>
void restore(T& number, const std::optional<double>& form) {
  number = form.value_or(std::nan(""));
}

// A number that is drawn or read, not computed with: eight digits keep the file small.
struct Shown : Number {
  Shown(double value = 0.0) : Number(std::strtod(format_number(value, 8).c_str(), nullptr)) {}
};
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// ---- what it is of, and whether to trust it ----

inline constexpr int kFormatVersion = 4;
inline constexpr const char* kFormatName = "ta2s2-report";

struct Header {
  std::string kind, format = kFormatName;
  Index version = kFormatVersion;
};
void visit_fields(Is<Header> auto& h, auto&& field) {
  field("format", h.format), field("format_version", h.version), field("kind", h.kind);
}

// Of an average: its first member.
struct ModelSection {
  std::string output;
  Texts inputs;
  Index runs = 0, num_inputs = 0;
  std::string correlation, trend, prior, nugget;
  bool has_sample = false;
};
void visit_fields(Is<ModelSection> auto& m, auto&& field) {
  field("output", m.output), field("inputs", m.inputs), field("runs", m.runs), field("num_inputs", m.num_inputs),
      field("correlation", m.correlation), field("trend", m.trend), field("prior", m.prior), field("nugget", m.nugget),
      field("has_sample", m.has_sample);
}

struct Reason {
  std::string level, text;
};
void visit_fields(Is<Reason> auto& r, auto&& field) {
  field("level", r.level), field("text", r.text);
}

struct VerdictSection {
  std::string level, headline;
  std::optional<std::string> grade, summary;  // none in records of earlier releases
  std::string sampler;
  std::vector<Reason> reasons;
  Texts advice;
};
void visit_fields(Is<VerdictSection> auto& v, auto&& field) {
  field("level", v.level), field("headline", v.headline), field("grade", v.grade, kLeftOut),
      field("summary", v.summary, kLeftOut), field("sampler", v.sampler), field("reasons", v.reasons),
      field("advice", v.advice);
}

// ---- predictions against truth ----

struct ScoreRow {
  Index runs = 0;
  Number rmse, crps, nlpd, interval_score_95, coverage_95;
};
void visit_fields(Is<ScoreRow> auto& s, auto&& field) {
  field("runs", s.runs), field("rmse", s.rmse), field("crps", s.crps), field("nlpd", s.nlpd),
      field("interval_score_95", s.interval_score_95), field("coverage_95", s.coverage_95);
}

struct CoverageRow {
  Shown level, observed, map, low, high;
};
void visit_fields(Is<CoverageRow> auto& c, auto&& field) {
  field("level", c.level), field("observed", c.observed), field("map", c.map), field("low", c.low),
      field("high", c.high);
}

struct PitBin {
  Shown from, to;
  Index runs = 0;
  std::optional<Index> low, high;
};
void visit_fields(Is<PitBin> auto& b, auto&& field) {
  field("from", b.from), field("to", b.to), field("runs", b.runs), field("low", b.low, kLeftOut),
      field("high", b.high, kLeftOut);
}

struct PitBins {
  std::vector<PitBin> bins;
  std::optional<Index> low, high;  // of every bin, in version 1
};
void visit_fields(Is<PitBins> auto& p, auto&& field) {
  field("bins", p.bins), field("low", p.low, kLeftOut), field("high", p.high, kLeftOut);
}

struct DistanceRow {
  Shown squared, low, high;
};
void visit_fields(Is<DistanceRow> auto& d, auto&& field) {
  field("squared", d.squared), field("low", d.low), field("high", d.high);
}

// By the posterior, and by the plug-in of its maximum.
template <class Row>
struct Compared {
  Row posterior, map;
};
void visit_fields(auto& pair, auto&& field) requires requires {
  pair.posterior;
  pair.map;
}
{ field("posterior", pair.posterior), field("map", pair.map); }

struct JudgedSentences {
  std::string scores, truth, residuals, pit, coverage;
};
void visit_fields(Is<JudgedSentences> auto& s, auto&& field) {
  field("scores", s.scores), field("truth", s.truth), field("residuals", s.residuals), field("pit", s.pit),
      field("coverage", s.coverage);
}

// None of a run that was not left out. Infinite where too few draws are left, which null says.
struct KHat : std::optional<Shown> {
  using std::optional<Shown>::optional;
  bool empty() const { return !has_value(); }
};
inline std::optional<double> stored_form(const KHat& k_hat) {
  return *k_hat;
}
inline void restore(KHat& k_hat, const std::optional<double>& form) {
  k_hat = form.value_or(kInfinity);
}

struct JudgedRow {
  Index run = 0;
  Shown observed, mean, sd, low, high, residual, pit;
  KHat k_hat;                      // of a left-out run
  std::optional<bool> is_outside;  // of a validation run
};
void visit_fields(Is<JudgedRow> auto& r, auto&& field) {
  field("run", r.run), field("observed", r.observed), field("mean", r.mean), field("sd", r.sd), field("low", r.low),
      field("high", r.high), field("residual", r.residual), field("pit", r.pit), field("k_hat", r.k_hat, kLeftOut),
      field("is_outside", r.is_outside, kLeftOut);
}

struct KHatSection {
  Number good, largest;
  std::string sentence;
};
void visit_fields(Is<KHatSection> auto& k, auto&& field) {
  field("good", k.good), field("largest", k.largest), field("sentence", k.sentence);
}

// Of runs that were left out, or of validation runs.
struct JudgedSection {
  Compared<ScoreRow> scores;
  Shown explained;
  std::vector<CoverageRow> coverage;
  PitBins pit;
  std::optional<Compared<DistanceRow>> mahalanobis;
  JudgedSentences sentences;
  std::optional<Index> draws, all_draws, unreliable;  // these of left-out runs,
  std::optional<std::string> how;
  std::optional<std::vector<Index>> cannot_miss;
  std::optional<KHatSection> k_hats;
  std::vector<JudgedRow> runs;
  Index shown = 0;
  bool is_thinned = false;
  std::optional<Index> num_joint, outside;  // those of validation runs
};
void visit_fields(Is<JudgedSection> auto& j, auto&& field) {
  field("scores", j.scores), field("explained", j.explained), field("coverage", j.coverage), field("pit", j.pit),
      field("mahalanobis", j.mahalanobis), field("sentences", j.sentences), field("draws", j.draws, kLeftOut),
      field("all_draws", j.all_draws, kLeftOut), field("how", j.how, kLeftOut),
      field("unreliable", j.unreliable, kLeftOut), field("cannot_miss", j.cannot_miss, kLeftOut), field("runs", j.runs),
      field("shown", j.shown), field("is_thinned", j.is_thinned);
  if (j.draws) field("k_hats", j.k_hats);
  field("num_joint", j.num_joint, kLeftOut), field("outside", j.outside, kLeftOut);
}

// ---- inputs ----

struct IntervalRow {
  Shown q025, q50, q975;
};
void visit_fields(Is<IntervalRow> auto& i, auto&& field) {
  field("q025", i.q025), field("q50", i.q50), field("q975", i.q975);
}

struct InputRow {
  std::string name;
  Index column = 0;
  std::optional<IntervalRow> first;  // none until version 2
  IntervalRow total;
  Shown p_inert;
  std::optional<Shown> p_active;  // none in records of earlier releases
};
void visit_fields(Is<InputRow> auto& i, auto&& field) {
  field("name", i.name), field("column", i.column), field("first", i.first, kLeftOut), field("total", i.total),
      field("p_inert", i.p_inert), field("p_active", i.p_active, kLeftOut);
}

// By falling importance.
struct InputsSection {
  std::vector<InputRow> rows;
  Number inert_below;
  std::optional<Index> paths;  // none until version 2, as the next two
  std::optional<IntervalRow> additive;
  std::optional<Texts> notices;
  std::string sentence;
};
void visit_fields(Is<InputsSection> auto& i, auto&& field) {
  field("rows", i.rows), field("inert_below", i.inert_below), field("paths", i.paths, kLeftOut),
      field("additive", i.additive, kLeftOut), field("notices", i.notices, kLeftOut), field("sentence", i.sentence);
}

struct EffectPoint {
  Shown x, mean, low, high;
};
void visit_fields(Is<EffectPoint> auto& p, auto&& field) {
  field("x", p.x), field("mean", p.mean), field("low", p.low), field("high", p.high);
}

struct EffectCurve {
  std::string name;
  std::vector<EffectPoint> rows;
  bool is_log = false;  // the scale of the input
};
void visit_fields(Is<EffectCurve> auto& e, auto&& field) {
  field("name", e.name), field("rows", e.rows), field("is_log", e.is_log, kLeftOut);
}

// In the order of the columns.
struct EffectsSection {
  std::vector<EffectCurve> inputs;
  std::string sentence;
};
void visit_fields(Is<EffectsSection> auto& e, auto&& field) {
  field("inputs", e.inputs), field("sentence", e.sentence);
}

struct NextRunRow {
  Index number = 0;
  Numbers at;
  Shown mean, sd, value;
};
void visit_fields(Is<NextRunRow> auto& r, auto&& field) {
  field("number", r.number), field("at", r.at), field("mean", r.mean), field("sd", r.sd), field("value", r.value);
}

struct NextRunsSection {
  Texts inputs;
  std::vector<NextRunRow> rows;
  Index draws = 0;
  Numbers average_variance;
  std::string command, sentence;
};
void visit_fields(Is<NextRunsSection> auto& n, auto&& field) {
  field("inputs", n.inputs), field("rows", n.rows), field("draws", n.draws),
      field("average_variance", n.average_variance), field("command", n.command), field("sentence", n.sentence);
}

}  // namespace ta2s2::report
