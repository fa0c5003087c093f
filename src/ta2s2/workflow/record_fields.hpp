// What a stored record consists of: each type lists its fields once, in the order of the file. The list serves writing
// (a const record) and reading (one that is not).
//
// A new record type needs one function here, or beside the type:
//   void visit_fields(Is<Thing> auto& t, auto&& field) {
//     field("name", t.name);
//     field("added_later", t.added_later, Missing::keeps_default);
//   }
// io/record_json.hpp turns it into JSON and back. A field may be a number, a word, an optional, a vector, an Eigen
// vector or matrix, an enum with words_of(), a Named<T> or another record.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ta2s2/data/input_scale.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

template <class Self, class T>
concept Is = std::same_as<std::remove_const_t<Self>, T>;

enum class Missing {
  is_error,       // to be read, the field must be there
  keeps_default,  // a file from before the field was thought of is read well
  is_left_out,    // the same, and a file does not hold the field's default, such as an empty optional
};

// Values by name, in order: an object whose keys are data.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

// Fields that no type holds together: those of `visit`, which is called with the visitor.
template <class Visit>
struct Fields {
  Visit visit;
};
template <class Visit>
Fields(Visit) -> Fields<Visit>;
template <class Visit>
void visit_fields(const Fields<Visit>& fields, auto&& field) {
  fields.visit(field);
}

// ---- types that keep a promise are stored in a plain form, from which restore() makes them: ADL finds both ----

struct StoredRuns {
  std::string fingerprint;  // for other programs: nothing here reads it
  std::vector<std::string> input_names;
  std::string output_name;
  Matrix inputs;  // a column per run
  Vector output;
};
void visit_fields(Is<StoredRuns> auto& r, auto&& field) {
  field("fingerprint", r.fingerprint, Missing::keeps_default);
  field("input_names", r.input_names);
  field("output_name", r.output_name);
  field("inputs", r.inputs);
  field("output", r.output);
}
StoredRuns stored_form(const OutputRuns& runs);
void restore(OutputRuns& runs, StoredRuns form);

struct StoredScaling {
  Vector low, width;
  double output_mean = 0.0, output_sd = 1.0;
  std::vector<InputScale> scales;  // none if all are linear
};
void visit_fields(Is<StoredScaling> auto& s, auto&& field) {
  field("low", s.low);
  field("width", s.width);
  field("output_mean", s.output_mean);
  field("output_sd", s.output_sd);
  field("scales", s.scales, Missing::is_left_out);
}
StoredScaling stored_form(const Scaling& scaling);
void restore(Scaling& scaling, StoredScaling form);

const std::vector<std::string>& words_of(TransformKind);
struct StoredTransform {
  TransformKind kind = TransformKind::none;
  double sign = 1.0, origin = 0.0, scale = 1.0;
};
void visit_fields(Is<StoredTransform> auto& t, auto&& field) {
  field("kind", t.kind);
  field("sign", t.sign);
  field("origin", t.origin);
  field("scale", t.scale);
}
StoredTransform stored_form(const OutputTransform& transform);
void restore(OutputTransform& transform, const StoredTransform& form);

Named<std::string> stored_form(const FitOptions& options);
void restore(FitOptions& options, const Named<std::string>& settings);

// ---- the posterior ----

void visit_fields(Is<PartTally> auto& p, auto&& field) {
  field("name", p.name);
  field("steps", p.steps);
  field("moved", p.moved);
  field("evaluations", p.evaluations);
  field("squared_jump", p.squared_jump);
}

// Evaluations without a density; those with one are the rest.
template <class Counts>
struct ByReason {
  Counts& counts;
};
template <class Counts>
ByReason(Counts&) -> ByReason<Counts>;
template <class Counts>
void visit_fields(const ByReason<Counts>& by_reason, auto&& field) {
  constexpr const char* kReasons[] = {"possible", "outside_box", "not_positive_definite", "not_finite"};
  static_assert(std::size(kReasons) == kNumImpossible);
  for (std::size_t i = 1; i < std::size(kReasons); ++i) field(kReasons[i], by_reason.counts[i]);
}

// The seconds stand with other times (StoredTimes); what is for progress lines is not kept.
void visit_fields(Is<LevelSummary> auto& l, auto&& field) {
  field("stage", l.stage, Missing::is_left_out);
  field("level", l.level);
  field("inverse_temperature", l.beta);
  field("effective_sample_size", l.effective_sample_size);
  field("log_mean_weight", l.log_mean_weight);
  field("log_mean_weight_error", l.log_mean_weight_error);
  field("walk_scale", l.walk_scale);
  field("mixture_components", l.mixture_components);
  field("num_chains", l.num_chains);
  field("num_states", l.num_states);
  field("evaluations", l.evaluations);
  field("gradients", l.gradients, Missing::is_left_out);
  field("impossible", ByReason{l.impossible});
  field("moves", l.parts);
  field("mean_energy", l.mean_energy);
  field("sd_energy", l.sd_energy);
}

void visit_fields(Is<PosteriorSample> auto& s, auto&& field) {
  field("names", s.names);
  field("positions", s.positions);
  field("weights", s.weights);
  field("energies", s.energies);
  field("families", s.lineage.families, Missing::is_left_out);
  field("group_begin", s.lineage.group_begin, Missing::is_left_out);
}

void visit_fields(Is<MapEstimate> auto& m, auto&& field) {
  field("position", m.position);
  field("energy", m.energy);
}

void visit_fields(Is<Mode> auto& m, auto&& field) {
  field("position", m.position);
  field("energy", m.energy);
  field("weight", m.weight);
  field("mean", m.mean);
  field("sd", m.sd);
  field("group_weights", m.group_weights, Missing::keeps_default);
  field("effective_sample_size", m.effective_sample_size, Missing::keeps_default);
}

void visit_fields(Is<Evidence> auto& e, auto&& field) {
  field("log_evidence", e.log_evidence);
  field("standard_error", e.standard_error);
  field("is_normalised", e.is_normalised);
  field("by_group", e.by_group, Missing::keeps_default);
}

void visit_fields(Is<CoordinateDiagnostics> auto& d, auto&& field) {
  field("name", d.name);
  field("effective_sample_size", d.effective_sample_size);
  field("mass_near_low", d.mass_near_low);
  field("mass_near_high", d.mass_near_high);
  field("r_hat", d.r_hat, Missing::is_left_out);
}

void visit_fields(Is<ComparedQuantity> auto& q, auto&& field) {
  field("name", q.name);
  field("first", q.first);
  field("second", q.second);
  field("error", q.error);
}

void visit_fields(Is<RunComparison> auto& c, auto&& field) {
  field("seed", c.seed);
  field("modes", c.num_modes);
  field("quantities", c.quantities);
}

void visit_fields(Is<RunHistory> auto& h, auto&& field) {
  field("batches", h.batches);
  field("fit_evaluations", h.fit_evaluations);
  field("update_evaluations", h.update_evaluations);
  field("log_evidence_increment", h.log_evidence_increment);
  field("log_evidence_increment_error", h.log_evidence_increment_error);
}

void visit_fields(Is<PassSummary> auto& p, auto&& field) {
  field("log_evidence", p.log_evidence);
  field("standard_error", p.log_evidence_error);
  field("levels", p.num_levels);
  field("components", p.num_components);
  field("effective_sample_size", p.effective_sample_size);
  field("evaluations", p.evaluations);
  field("gradients", p.gradients);
}

void visit_fields(Is<PassAgreement> auto& a, auto&& field) {
  field("evidence_difference", a.evidence_difference);
  field("mean_difference", a.mean_difference);
  field("sd_difference", a.sd_difference);
  field("drift", a.drift);
  field("effective_sample_size", a.effective_sample_size);
  field("wanted_sample_size", a.wanted_sample_size);
  field("log_sd_error", a.log_sd_error);
  field("tail_index", a.tail_index);
  field("evidence_error", a.evidence_error);
  field("wanted_evidence_error", a.wanted_evidence_error);
}

void visit_fields(Is<PassReport> auto& r, auto&& field) {
  field("passes", r.passes);
  field("agreement", r.agreement);
}

// ---- the emulator ----

// But for its times.
void visit_fields(Is<MemberRecord> auto& r, auto&& field) {
  field("program_version", r.version);
  field("settings", r.options);
  field("notices", r.notices);
  field("evidence", r.evidence, Missing::is_left_out);
  field("diagnostics", r.diagnostics);
  field("map", r.map);
  field("modes", r.modes);
  field("scaling", r.scaling);
  field("transform", r.transform, Missing::is_left_out);
  field("levels", r.levels);
  field("data", r.data);
  field("sample", r.sample);
  field("check", r.check, Missing::is_left_out);
  field("prior_runs", r.prior_runs, Missing::is_left_out);
  field("history", r.history, Missing::is_left_out);
  field("passes", r.passes, Missing::is_left_out);
}
// To be read into: a record without runs has no value of its own.
MemberRecord blank(std::type_identity<MemberRecord>);

std::string stored_form(const std::optional<Weighting>& weighting);
void restore(std::optional<Weighting>& weighting, const std::string& word);

// JSON knows no NaN.
struct StoredLeftOut {
  Index num_draws = 0;
  std::vector<std::optional<double>> mean, sd, pit, crps, k_hat;
};
void visit_fields(Is<StoredLeftOut> auto& f, auto&& field) {
  field("draws", f.num_draws);
  field("mean", f.mean);
  field("sd", f.sd);
  field("pit", f.pit);
  field("crps", f.crps);
  field("k_hat", f.k_hat);
}
StoredLeftOut stored_form(const LeftOutFacts& facts);
void restore(LeftOutFacts& facts, const StoredLeftOut& form);

void visit_fields(Is<Activity> auto& a, auto&& field) {
  field("active", a.active);
  field("linear", a.linear);
}

void visit_fields(Is<OutputRecord> auto& o, auto&& field) {
  field("weighting", o.weighting);
  field("weights", o.weights);
  field("models", o.members);
  field("left_out", o.left_out, Missing::is_left_out);
  field("recalibration", o.recalibration, Missing::is_left_out);
  field("activity", o.activity, Missing::is_left_out);
}

// Times stand together, so that two runs of one seed can be compared by leaving out one object.
struct StoredTimes {
  FitTimes fit;
  std::vector<double> level_seconds;
};
void visit_fields(Is<StoredTimes> auto& t, auto&& field) {
  field("created", t.fit.created);
  field("total_seconds", t.fit.total_seconds);
  field("level_seconds", t.level_seconds);
}
StoredTimes stored_times(const MemberRecord& record);

// What no list can say: gives the record its times, and what follows from other fields. Throws std::invalid_argument if
// a level has no time.
void complete(MemberRecord& record, const StoredTimes& times);

}  // namespace ta2s2
