#include "ta2s2/report/render_report.hpp"

#include <cmath>
#include <kainjow/mustache.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/report/detail/page_files.hpp"

namespace ta2s2 {
namespace {

using detail::Json;
using kainjow::mustache::data;
using kainjow::mustache::mustache;
using kainjow::mustache::partial;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return detail::number_text(value.get<double>());
  return value.dump();
}

// What the template sees of the record. Numbers become text for people; every text is escaped where it is put in.
data to_data(const Json& value) {
  if (value.is_null()) return data(data::type::bool_false);
  if (value.is_boolean()) return data(value.get<bool>());
  if (value.is_array()) {
    data list(data::type::list);
    for (const Json& item : value) list.push_back(to_data(item));
    return list;
  }
  if (value.is_object()) {
    data object(data::type::object);
    for (const auto& [key, item] : value.items()) object.set(key, to_data(item));
    return object;
  }
  return data(text_of(value));
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Within an element of data nothing may look like markup: a name may be "</script>".
std::string embedded(std::string record) {
  replace_all(record, "<", "\\u003c");
  return record;
}

// Two decimals, never less than it is.
std::string stated_tolerance(double tolerance) {
  return detail::number_text(std::ceil(100.0 * tolerance - 1e-9) / 100.0, 3);
}

// What the template sees of one output: without what only the page's script reads.
Json shown_output(Json record) {
  if (record.contains("emulator")) {
    record["page_draws"] = record.at("emulator").at("num_draws");
    record["page_tolerance"] = stated_tolerance(record.at("emulator").at("tolerance"));
    record["has_one_input"] = record.at("model").at("num_inputs") == 1;
    record.erase("emulator");
  }
  for (Json& model : record["models"]) {
    if (model.contains("posterior")) model["posterior"].erase("draws");
  }
  return record;
}

// Names in a page of several outputs have a prefix of their output.
Json shown_parts(Json record) {
  if (record.at("kind") == "fit") return shown_output(std::move(record));
  if (record.at("kind") == "comparison") return record;
  int number = 0;
  for (Json& output : record["outputs"]) {
    output = shown_output(std::move(output));
    output["prefix"] = "o" + std::to_string(++number) + "-";
    output["of_output"] = output.at("model").at("output");
  }
  return record;
}

std::string title_of(const Json& record) {
  if (record.at("kind") == "outputs") return text_of(record.at("num_outputs")) + " outputs: emulator report";
  return text_of(record.at("model").at("output")) +
         (record.at("kind") == "comparison" ? ": two fits" : ": emulator report");
}

}  // namespace

std::string render_report(const std::string& record_text) {
  const Json record = Json::parse(record_text);
  data page = to_data(shown_parts(record));
  for (const char* name : {"fit", "outputs", "comparison", "facts", "sections", "predictions", "inputs"}) {
    const std::string file = std::string(name) + ".html";
    page.set(std::string(name) + "_part", partial([file] { return detail::page_file(file); }));
  }
  for (const char* kind : {"fit", "outputs", "comparison"}) {
    page.set(std::string("is_") + kind, record.at("kind") == kind);
  }
  page.set("title", title_of(record));
  page.set("style", detail::page_file("report.css"));
  page.set("plot_library", detail::page_file("plot.min.js"));
  page.set("licences", detail::page_file("LICENCES.txt"));
  page.set("script",
           detail::page_file("emulator.js") + detail::page_file("figures.js") + detail::page_file("report.js"));
  page.set("record", embedded(record_text));
  mustache document(detail::page_file("report.html"));
  if (!document.is_valid()) throw Error(ErrorCode::internal, "the report's template: " + document.error_message());
  return document.render(page);
}

}  // namespace ta2s2
