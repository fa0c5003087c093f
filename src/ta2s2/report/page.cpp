#include <cmath>
#include <kainjow/mustache.hpp>
#include <nlohmann/json.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/report/report.hpp"

namespace ta2s2 {
namespace report {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::lambda2;
using kainjow::mustache::mustache;
using kainjow::mustache::partial;
using Json = nlohmann::ordered_json;

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

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// A table under a figure, which a script closes. Its first line: what it is of | how a screen reader calls it | a
// heading for each column. Its rows follow.
std::string framed_table(const std::string& text) {
  const auto end = text.find('\n');
  const std::vector<std::string> words = split(text.substr(0, end), '|');
  std::string headings;
  for (std::size_t i = 2; i < words.size(); ++i) headings += "<th scope=\"col\">" + words[i] + "</th>";
  return "<details open><summary>Table: " + words[0] + "</summary>\n" +
         "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table of " + words[1] + "\">\n" +
         "<table><thead><tr>" + headings + "</tr></thead>\n<tbody>\n" + text.substr(end + 1) +
         "</tbody></table>\n</div></details>";
}

}  // namespace
}  // namespace report

std::string render_page(const ReportRecord& record) {
  using namespace report;
  std::string json = to_json(record);
  data page = shown_page(Json::parse(json));
  for (const char* name : {"outputs", "comparison", "sections", "predictions", "inputs"}) {
    const std::string file = std::string(name) + ".html";
    page.set(std::string(name) + "_part", partial([file] { return page_file(file); }));
  }
  page.set("table", lambda2([](const std::string& text, const auto& render) { return render(framed_table(text)); }));
  page.set("style", page_file("report.css"));
  page.set("plot_library", page_file("plot.min.js"));
  page.set("licences", page_file("LICENCES.txt"));
  page.set("script", page_file("emulator.js") + page_file("figures.js") + page_file("report.js"));
  replace_all(json, "<", "\\u003c");  // within an element of data nothing may look like markup, as "</script>" does
  page.set("record", json);
  mustache document(page_file("report.html"));
  if (!document.is_valid()) throw Error(ErrorCode::internal, "the report's template: " + document.error_message());
  return document.render(page);
}

}  // namespace ta2s2
