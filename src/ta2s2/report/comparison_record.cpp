#include "ta2s2/report/comparison_record.hpp"

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/report/report_record.hpp"

namespace ta2s2 {
namespace {

using detail::Json;
using detail::number_text;

// What the comparison shows of a fit.
Json part_of(const LabelledRecord& labelled) {
  Json record = Json::parse(labelled.record);
  if (record.value("kind", "") != "fit") {
    throw Error(
        ErrorCode::usage,
        labelled.label + ": holds a comparison or several outputs; expected the model or the report of one output");
  }
  Json part = {{"label", labelled.label}};
  for (const char* key : {"model", "verdict", "leave_one_out", "validation", "inputs", "main_effects", "average",
                          "totals", "provenance"}) {
    part[key] = record.at(key);
  }
  // Length-scales of the model with the largest weight.
  const Json& heaviest = record.at("models").at(0);
  part["models"] = {{{"index", 0},
                     {"title", heaviest.at("title")},
                     {"length_scales", heaviest.at("length_scales")},
                     {"nugget", heaviest.at("nugget")}}};
  return part;
}

bool have_same_data(const Json& first, const Json& second) {
  return first.at("provenance").at("fingerprint") == second.at("provenance").at("fingerprint");
}

// Log evidences compare models of the same runs, if both know their constants or share the prior that hides one.
bool is_comparable(const Json& first, const Json& second) {
  const Json &a = first.at("totals").at("evidence"), &b = second.at("totals").at("evidence");
  if (a.is_null() || b.is_null() || !have_same_data(first, second)) return false;
  const bool both_normalised = a.at("is_normalised") && b.at("is_normalised");
  return both_normalised || (a.at("is_normalised") == b.at("is_normalised") &&
                             first.at("model").at("prior") == second.at("model").at("prior"));
}

std::string how_strong(double odds_log) {
  const double size = std::abs(odds_log);
  return size < 1.0 ? "hardly worth a mention" : size < 3.0 ? "positive" : size < 5.0 ? "strong" : "very strong";
}

Json evidence_json(const Json& first, const Json& second) {
  if (!is_comparable(first, second)) {
    const char* why = have_same_data(first, second)
                          ? "one of the fits has no evidence, or not one that the other's compares with"
                          : "the fits are of different runs";
    return {{"is_comparable", false}, {"sentence", std::string("The evidences cannot be compared: ") + why + "."}};
  }
  const Json &a = first.at("totals").at("evidence"), &b = second.at("totals").at("evidence");
  const double difference = a.at("log_evidence").get<double>() - b.at("log_evidence").get<double>();
  const double error = std::hypot(a.at("standard_error").get<double>(), b.at("standard_error").get<double>());
  const bool is_first = difference > 0.0;
  std::string sentence = "The runs speak for the " + std::string(is_first ? "first" : "second") +
                         " fit: its log evidence is higher by " + number_text(std::abs(difference), 3) + " +- " +
                         number_text(error, 2) + ", " + how_strong(difference) + " on Kass and Raftery's scale.";
  if (std::abs(difference) < 2.0 * error) {
    sentence = "The evidence does not decide: the difference " + number_text(difference, 3) + " +- " +
               number_text(error, 2) + " is within its Monte Carlo error.";
  }
  return {{"is_comparable", true}, {"difference", difference}, {"error", error}, {"sentence", sentence}};
}

Json score_rows(const Json& first, const Json& second) {
  Json rows = Json::array();
  const auto add = [&](const std::string& key, const std::string& what, const std::string& better) {
    rows.push_back({{"what", what},
                    {"better", better},
                    {"first", first.at("judged").at("scores").at("posterior").at(key)},
                    {"second", second.at("judged").at("scores").at("posterior").at(key)}});
  };
  add("rmse", "RMSE", "smaller");
  add("crps", "CRPS", "smaller");
  add("nlpd", "NLPD", "smaller");
  add("interval_score_95", "interval score 95%", "smaller");
  add("coverage_95", "coverage of 95%", "near 0.95");
  return rows;
}

// Keeps of each fit the runs that both are judged by: the validation's if both have one.
void choose_judged(Json& first, Json& second) {
  const bool both_validated = !first.at("validation").is_null() && !second.at("validation").is_null();
  for (Json* part : {&first, &second}) {
    (*part)["judged"] = part->at(both_validated ? "validation" : "leave_one_out");
    (*part)["judged_by"] = both_validated ? "validation runs" : "runs, each left out in turn";
    part->erase("validation");
    part->erase("leave_one_out");
  }
}

Json scores_json(const Json& first, const Json& second) {
  if (first.at("judged").is_null() || second.at("judged").is_null()) return {};
  const Json rows = score_rows(first, second);
  const double a = rows[1].at("first"), b = rows[1].at("second");
  const std::string which = first.at("judged_by");
  return {{"of", which},
          {"rows", rows},
          {"sentence",
           "Look at the CRPS, which rewards predictions that are both close and honest about their error. Here the " +
               std::string(a < b ? "first" : "second") + " fit's is smaller by " +
               detail::percent_text(std::abs(a - b) / std::max(a, b)) + " (" + which + ")."}};
}

Json different_settings(const Json& first, const Json& second) {
  Json rows = Json::array();
  const Json &a = first.at("provenance").at("settings"), &b = second.at("provenance").at("settings");
  for (const Json& setting : a) {
    for (const Json& other : b) {
      if (setting.at("name") != other.at("name") || setting.at("value") == other.at("value")) continue;
      rows.push_back({{"name", setting.at("name")}, {"first", setting.at("value")}, {"second", other.at("value")}});
    }
  }
  return rows;
}

}  // namespace

std::string make_comparison_record(const LabelledRecord& first, const LabelledRecord& second) {
  Json a = part_of(first), b = part_of(second);
  a["index"] = 0;
  b["index"] = 1;
  choose_judged(a, b);
  const Json record = {{"format", kReportFormatName},
                       {"format_version", kReportFormatVersion},
                       {"kind", "comparison"},
                       {"model", a.at("model")},
                       {"fits", {a, b}},
                       {"same_data", have_same_data(a, b)},
                       {"evidence", evidence_json(a, b)},
                       {"scores", scores_json(a, b)},
                       {"settings", different_settings(a, b)}};
  return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ta2s2
