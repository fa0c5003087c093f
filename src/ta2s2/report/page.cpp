#include <cmath>
#include <kainjow/mustache.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/report/report.hpp"

namespace ta2s2 {
namespace report {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;
using kainjow::mustache::partial;

data to_data(bool value) {
  return data(value);
}
data to_data(const std::string& text) {
  return data(text);
}
data to_data(std::integral auto value) {
  return data(std::to_string(value));
}
data to_data(double value) {
  return std::isfinite(value) ? data(format_number(value, 4)) : data(false);
}
data to_data(Shown value) {
  return to_data(static_cast<double>(value));
}
template <class T>
data to_data(const std::optional<T>& value);
template <class T>
data to_data(const std::vector<T>& values);
template <class T>
requires std::is_aggregate_v<T> data to_data(const T& section);

template <class T>
data to_data(const std::optional<T>& value) {
  return value ? to_data(*value) : data(false);
}

template <class T>
data to_data(const std::vector<T>& values) {
  data list(data::type::list);
  for (const T& value : values) list.push_back(to_data(value));
  return list;
}

// What the template sees of the record: numbers are text for people, and what only the page's script reads is not
// there. Every text is escaped where it is put in.
struct ToData {
  data object{data::type::object};

  void operator()(const char*, const PageEmulator&) {}
  void operator()(const char*, const std::vector<PairDraw>&) {}
  void operator()(const char*, const std::vector<OutputPage>&) {}  // shown_page adds them
  template <class T>
  void operator()(const char* key, const T& value, Missing missing = Missing::is_null) {
    if constexpr (requires { value.has_value(); }) {
      if (!value && missing == Missing::is_left_out) return;
    }
    object.set(key, to_data(value));
  }
};

template <class T>
requires std::is_aggregate_v<T> data to_data(const T& section) {
  ToData fields;
  visit_fields(section, fields);
  return fields.object;
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
  return format_number(std::ceil(100.0 * tolerance - 1e-9) / 100.0, 3);
}

data shown_output(const OutputPage& page) {
  data shown = to_data(page);
  shown.set("page_draws", std::to_string(page.emulator.num_draws));
  shown.set("page_tolerance", stated_tolerance(page.emulator.tolerance));
  shown.set("has_one_input", page.model.num_inputs == 1);
  return shown;
}

data shown_page(const OutputPage& page) {
  data shown = shown_output(page);
  shown.set("title", page.model.output + ": emulator report");
  shown.set("is_fit", true);
  return shown;
}

data shown_page(const ComparisonPage& page) {
  data shown = to_data(page);
  shown.set("title", page.model.output + ": two fits");
  shown.set("is_comparison", true);
  return shown;
}

// Names in a page of several outputs have a prefix of their output.
data shown_page(const OutputsPage& page) {
  data shown = to_data(page), outputs(data::type::list);
  for (const OutputPage& each : page.outputs) {
    data output = shown_output(each);
    output.set("prefix", "o" + std::to_string(outputs.list_value().size() + 1) + "-");
    output.set("of_output", each.model.output);
    outputs.push_back(output);
  }
  shown.set("outputs", outputs);
  shown.set("title", std::to_string(page.num_outputs) + " outputs: emulator report");
  shown.set("is_outputs", true);
  return shown;
}

}  // namespace
}  // namespace report

std::string render_page(const ReportRecord& record) {
  using namespace report;
  data page = std::visit([](const auto& each) { return shown_page(each); }, record);
  for (const char* name : {"outputs", "comparison", "sections", "predictions", "inputs"}) {
    const std::string file = std::string(name) + ".html";
    page.set(std::string(name) + "_part", partial([file] { return page_file(file); }));
  }
  page.set("style", page_file("report.css"));
  page.set("plot_library", page_file("plot.min.js"));
  page.set("licences", page_file("LICENCES.txt"));
  page.set("script", page_file("emulator.js") + page_file("figures.js") + page_file("report.js"));
  page.set("record", embedded(to_json(record)));
  mustache document(page_file("report.html"));
  if (!document.is_valid()) throw Error(ErrorCode::internal, "the report's template: " + document.error_message());
  return document.render(page);
}

}  // namespace ta2s2
