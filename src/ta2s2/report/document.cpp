// A record as a JSON document and as a page, and the record in either: of today's form, or of an earlier version.
#include <cmath>
#include <kainjow/mustache.hpp>
#include <nlohmann/json.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/io/record_json.hpp"
#include "ta2s2/report/report.hpp"

namespace ta2s2 {
namespace report {
namespace {

using kainjow::mustache::data;
using Json = nlohmann::ordered_json;

// ---- documents of earlier versions ----

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

// Version 3 knows no transformed outputs, and is otherwise of today's form.
Json upgraded(Json document) {
  if (document.value("format_version", 0) < 3) {
    if (document.at("kind") == "comparison") {
      for (Json& part : document["fits"]) upgrade_part(part);
    } else {
      upgrade_part(document);
    }
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

// ---- the page ----

// What the template sees of the record: numbers are text for people. It does not see the emulator, which only the
// page's script reads, nor outputs, which shown_page adds. Every text is escaped where it is put in.
data to_data(const Json& json) {
  if (json.is_string()) return data(json.get<std::string>());
  if (json.is_number_float()) return data(format_number(json.get<double>(), 4));
  if (json.is_number()) return data(json.dump());
  if (json.is_array()) {
    data list(data::type::list);
    for (const Json& item : json) list.push_back(to_data(item));
    return list;
  }
  if (!json.is_object()) return data(json.is_boolean() && json.get<bool>());
  data object(data::type::object);
  for (const auto& [key, value] : json.items()) {
    if (key != "emulator" && key != "outputs") object.set(key, to_data(value));
  }
  return object;
}

// Two decimals, never less than it is.
std::string stated_tolerance(double tolerance) {
  return format_number(std::ceil(100.0 * tolerance - 1e-9) / 100.0, 3);
}

data shown_output(const Json& output) {
  data shown = to_data(output);
  const Json& emulator = output.at("emulator");
  shown.set("page_draws", emulator.at("num_draws").dump());
  shown.set("page_tolerance", stated_tolerance(emulator.at("tolerance")));
  shown.set("has_one_input", output.at("model").at("num_inputs") == 1);
  return shown;
}

// Names in a page of several outputs have a prefix of their output.
data shown_outputs(const Json& outputs) {
  data list(data::type::list);
  for (const Json& each : outputs) {
    data output = shown_output(each);
    output.set("prefix", "o" + std::to_string(list.list_value().size() + 1) + "-");
    output.set("of_output", each.at("model").at("output").get<std::string>());
    list.push_back(output);
  }
  return list;
}

data shown_page(const Json& record) {
  const std::string kind = record.at("kind");
  data shown = kind == "fit" ? shown_output(record) : to_data(record);
  shown.set("is_" + kind, true);
  if (kind == "outputs") {
    shown.set("outputs", shown_outputs(record.at("outputs")));
    shown.set("title", record.at("num_outputs").dump() + " outputs: emulator report");
  } else {
    const std::string output = record.at("model").at("output");
    shown.set("title", output + (kind == "fit" ? ": emulator report" : ": two fits"));
  }
  return shown;
}

// A table, which a script closes if it has a summary. Its first line: the summary | how a screen reader calls it | a
// heading for each column. Its rows follow; if there are none, the script fills it.
std::string framed_table(const std::string& text) {
  const auto end = text.find('\n');
  const std::vector<std::string> words = split(text.substr(0, end), '|');
  std::string headings;
  for (std::size_t i = 2; i < words.size(); ++i) headings += "<th scope=\"col\">" + words[i] + "</th>";
  const bool has_summary = !words[0].empty();
  return (has_summary ? "<details open><summary>Table: " + words[0] + "</summary>\n" : "") +
         "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table of " + words[1] + "\">\n" +
         (end + 1 < text.size() ? "<table>" : "<table class=\"filled\">") + "<thead><tr>" + headings +
         "</tr></thead>\n<tbody>\n" + text.substr(end + 1) + "</tbody></table>\n</div>" +
         (has_summary ? "</details>" : "");
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

std::string render_page(const ReportRecord& record) {
  using namespace report;
  std::string json = to_json(record);
  data page = shown_page(Json::parse(json));
  for (const char* name : {"outputs", "comparison", "sections", "predictions", "inputs"}) {
    const std::string file = std::string(name) + ".html";
    page.set(std::string(name) + "_part", kainjow::mustache::partial([file] { return page_file(file); }));
  }
  page.set("table", kainjow::mustache::lambda2(
                        [](const std::string& text, const auto& render) { return render(framed_table(text)); }));
  page.set("style", page_file("report.css"));
  page.set("plot_library", page_file("plot.min.js"));
  page.set("licences", page_file("LICENCES.txt"));
  page.set("script", page_file("emulator.js") + page_file("figures.js") + page_file("report.js"));
  // Within an element of data nothing may look like markup: a name may be "</script>".
  for (auto at = json.find('<'); at != std::string::npos; at = json.find('<', at)) json.replace(at, 1, "\\u003c");
  page.set("record", json);
  kainjow::mustache::mustache document(page_file("report.html"));
  if (!document.is_valid()) throw Error(ErrorCode::internal, "the report's template: " + document.error_message());
  return document.render(page);
}

}  // namespace ta2s2
