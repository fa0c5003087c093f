// The document of a record, and documents of earlier versions.
#include <nlohmann/json.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/io/record_json.hpp"
#include "ta2s2/report/report.hpp"

namespace ta2s2 {
namespace report {
namespace {

using Json = nlohmann::ordered_json;

std::string how_left_out(const Json& left_out) {
  return "No refit: " + left_out.at("draws").dump() + " of " + left_out.at("all_draws").dump() +
         " draws are weighed anew as if they had not seen the run, and the weights Pareto-smoothed. The plug-in MAP "
         "stays that of all runs, so that its scores here are optimistic.";
}

void upgrade_emulator(Json& emulator) {
  Json member = {{"correlation", emulator.at("correlation")}, {"trend", emulator.at("trend")}};
  const Json ones = Json::array_t(member.at("trend").size(), 1.0);
  member["trend_shares"] = emulator.value("trend_shares", ones);  // version 1 has none
  emulator["models"] = {member};
  for (Json& draw : emulator["draws"]) draw["model"] = 0;
}

// A fit's record, or its part of a comparison. Until version 2 it was of one model, which had no part of its own, and
// total effects were those of predicted means, without main effects beside them. What is read no more may stay.
void upgrade_part(Json& part) {
  const Json run = part.at("run"), title = part.at("model").at("correlation");
  Json inputs = part.at("inputs");
  const Json sentences = inputs.at("sentences");
  part["totals"] = {
      {"modes", part.contains("num_modes") ? part.at("num_modes") : Json(part.at("posterior").at("modes").size())},
      {"evaluations", run.at("evaluations")},
      {"seconds", run.at("seconds")},
      {"evidence", run.at("evidence")}};
  Json member = {{"label", title},
                 {"weight", 1.0},
                 {"title", title},
                 {"length_scales", {{"rows", inputs.at("rows")}, {"sentence", sentences.at("length_scales")}}},
                 {"nugget", part.at("nugget")}};
  for (const char* key : {"posterior", "run"}) {
    if (part.contains(key)) member[key] = part.at(key);
  }
  part["models"] = {member};
  for (Json& row : inputs["rows"]) row["total"] = row.at("total_effect");
  inputs["sentence"] = sentences.at("importance");
  part["inputs"] = inputs;
  if (part.contains("leave_one_out") && !part.at("leave_one_out").is_null()) {
    part["leave_one_out"]["how"] = how_left_out(part.at("leave_one_out"));
  }
  if (part.contains("emulator")) upgrade_emulator(part["emulator"]);
}

Json upgraded(Json document) {
  if (document.value("format_version", 0) >= 3) return document;
  if (document.at("kind") == "comparison") {
    for (Json& part : document["fits"]) upgrade_part(part);
  } else {
    upgrade_part(document);
  }
  document["format_version"] = kFormatVersion;
  return document;
}

// A page keeps its record in one element, in which "<" is written as an escape, so that the next "<" ends it.
std::string document_in(const std::string& text) {
  const std::string mark = "<script type=\"application/json\" id=\"record\">";
  const auto begin = text.find(mark);
  if (begin == std::string::npos) return text;
  const auto first = begin + mark.size();
  return text.substr(first, text.find('<', first) - first);
}

ReportRecord record_of(const JsonValue& document) {
  const auto kind = from_json<std::string>(document.at("kind"));
  if (kind == "outputs") return from_json<OutputsPage>(document);
  if (kind == "comparison") return from_json<ComparisonPage>(document);
  return from_json<OutputPage>(document);
}

}  // namespace
}  // namespace report

std::string to_json(const ReportRecord& record) {
  return std::visit([](const auto& page) { return to_json(page); }, record);
}

ReportRecord find_report_record(const std::string& text, const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::bad_file, path + ": " + why); };
  try {
    const report::Json document = report::Json::parse(report::document_in(text));
    if (document.value("format", "") == report::kFormatName) {
      const int version = document.value("format_version", 0);
      if (version <= report::kFormatVersion) return report::record_of(parse_json(report::upgraded(document).dump()));
      refuse("has report format version " + std::to_string(version) + "; this program reads up to version " +
             std::to_string(report::kFormatVersion) + ": use a newer ta2s2");
    }
  } catch (const report::Json::exception&) {  // the sentence below says what is wrong
  } catch (const JsonError&) {
  }
  refuse("holds no report record; expected a report page or a record made by `ta2s2 report`");
  return {};
}

}  // namespace ta2s2
