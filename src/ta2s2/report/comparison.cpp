// Two fits side by side, from their records.
#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/report/report.hpp"
#include "ta2s2/report/sections.hpp"

namespace ta2s2 {
namespace report {
namespace {

const OutputPage& page_of(const LabelledRecord& labelled) {
  if (const OutputPage* page = std::get_if<OutputPage>(&labelled.record)) return *page;
  throw Error(
      ErrorCode::usage,
      labelled.label + ": holds a comparison or several outputs; expected the model or the report of one output");
}

// What the comparison shows of a fit: of an average the length-scales of the member with the largest weight.
ComparedFit compared_fit(const LabelledRecord& labelled, Index index, bool are_validated) {
  const OutputPage& page = page_of(labelled);
  const MemberSection& heaviest = page.members.front();
  return {labelled.label,
          page.model,
          page.verdict,
          page.inputs,
          page.main_effects,
          page.average,
          page.totals,
          page.provenance,
          {{0, heaviest.title, heaviest.length_scales, heaviest.nugget}},
          index,
          are_validated ? page.validation : page.leave_one_out,
          judged_by(are_validated)};
}

bool have_same_data(const ComparedFit& first, const ComparedFit& second) {
  return first.provenance.fingerprint == second.provenance.fingerprint;
}

// Log evidences compare models of the same runs, if both know their constants or share the prior that hides one.
bool is_comparable(const ComparedFit& first, const ComparedFit& second) {
  const auto &a = first.totals.evidence, &b = second.totals.evidence;
  if (!a || !b || !have_same_data(first, second) || a->is_normalised != b->is_normalised) return false;
  return a->is_normalised || first.model.prior == second.model.prior;
}

std::string how_strong(double odds_log) {
  const double size = std::abs(odds_log);
  return size < 1.0 ? "hardly worth a mention" : size < 3.0 ? "positive" : size < 5.0 ? "strong" : "very strong";
}

EvidenceSection evidence_section(const ComparedFit& first, const ComparedFit& second) {
  if (!is_comparable(first, second)) {
    const char* why = have_same_data(first, second)
                          ? "one of the fits has no evidence, or not one that the other's compares with"
                          : "the fits are of different runs";
    return {false, {}, {}, std::string("The evidences cannot be compared: ") + why + "."};
  }
  const EvidenceRow &a = *first.totals.evidence, &b = *second.totals.evidence;
  const double difference = a.log_evidence - b.log_evidence;
  const double error = std::hypot(a.standard_error, b.standard_error);
  if (std::abs(difference) < 2.0 * error) {
    return {true, difference, error,
            "The evidence does not decide: the difference " + format_number(difference, 3) + " +- " +
                format_number(error, 2) + " is within its Monte Carlo error."};
  }
  return {true, difference, error,
          "The runs speak for the " + std::string(difference > 0.0 ? "first" : "second") +
              " fit: its log evidence is higher by " + format_number(std::abs(difference), 3) + " +- " +
              format_number(error, 2) + ", " + how_strong(difference) + " on Kass and Raftery's scale."};
}

std::optional<ScoresSection> scores_section(const ComparedFit& first, const ComparedFit& second) {
  if (!first.judged || !second.judged) return std::nullopt;
  const ScoreRow &a = first.judged->scores.posterior, &b = second.judged->scores.posterior;
  return ScoresSection{
      first.judged_by,
      {{"RMSE", "smaller", a.rmse, b.rmse},
       {"CRPS", "smaller", a.crps, b.crps},
       {"NLPD", "smaller", a.nlpd, b.nlpd},
       {"interval score 95%", "smaller", a.interval_score_95, b.interval_score_95},
       {"coverage of 95%", "near 0.95", a.coverage_95, b.coverage_95}},
      "Look at the CRPS, which rewards predictions that are both close and honest about their error. Here the " +
          std::string(a.crps < b.crps ? "first" : "second") + " fit's is smaller by " +
          percent(std::abs(a.crps - b.crps) / std::max(a.crps, b.crps), 3) + " (" + first.judged_by + ")."};
}

std::vector<ComparedSetting> different_settings(const ComparedFit& first, const ComparedFit& second) {
  std::vector<ComparedSetting> rows;
  for (const SettingRow& setting : first.provenance.settings) {
    for (const SettingRow& other : second.provenance.settings) {
      if (setting.name == other.name && setting.value != other.value) {
        rows.push_back({setting.name, setting.value, other.value});
      }
    }
  }
  return rows;
}

}  // namespace
}  // namespace report

ReportRecord compare_reports(const LabelledRecord& first, const LabelledRecord& second) {
  // Both are judged by the same runs: those of the validation if both have one.
  const bool are_validated = report::page_of(first).validation && report::page_of(second).validation;
  const report::ComparedFit a = report::compared_fit(first, 0, are_validated);
  const report::ComparedFit b = report::compared_fit(second, 1, are_validated);
  report::ComparisonPage page;
  page.model = a.model;
  page.fits = {a, b};
  page.same_data = report::have_same_data(a, b);
  page.evidence = report::evidence_section(a, b);
  page.scores = report::scores_section(a, b);
  page.settings = report::different_settings(a, b);
  return page;
}

}  // namespace ta2s2
