#include "ta2s2/report/render_report.hpp"

#include <cmath>
#include <kainjow/mustache.hpp>

#include "ta2s2/base/error.hpp"
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

// Parts that only the page's script reads: the template need not see them.
Json shown_parts(Json record) {
  record.erase("emulator");
  if (record.contains("posterior")) record["posterior"].erase("draws");
  return record;
}

// Two decimals, never less than it is.
std::string stated_tolerance(double tolerance) {
  return detail::number_text(std::ceil(100.0 * tolerance - 1e-9) / 100.0, 3);
}

}  // namespace

std::string render_report(const std::string& record_text) {
  const Json record = Json::parse(record_text);
  const bool is_comparison = record.at("kind") == "comparison";
  data page = to_data(shown_parts(record));
  if (record.contains("emulator")) {
    page.set("page_draws", text_of(record.at("emulator").at("num_draws")));
    page.set("page_tolerance", stated_tolerance(record.at("emulator").at("tolerance")));
    page.set("has_one_input", record.at("model").at("num_inputs") == 1);
  }
  for (const char* name : {"fit", "comparison", "predictions", "inputs"}) {
    const std::string file = std::string(name) + ".html";
    page.set(std::string(name) + "_part", partial([file] { return detail::page_file(file); }));
  }
  page.set("is_comparison", is_comparison);
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
