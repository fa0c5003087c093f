// The only file of the report that knows JSON: the document of a record, and earlier documents.
#include <cmath>
#include <nlohmann/json.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/report/report.hpp"

namespace ta2s2 {
namespace report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;
template <class T>
constexpr bool kIsNumber = std::same_as<T, double> || std::same_as<T, Shown>;

template <class T>
Json written(const T& value);

struct ToJson {
  Json json = Json::object();

  template <class T>
  void operator()(const char* key, const T& value, Missing missing = Missing::is_null) {
    if constexpr (kIsOptional<T>) {
      if (!value && missing == Missing::is_left_out) return;
    }
    json[key] = written(value);
  }
};

template <class T>
Json written(const T& value) {
  if constexpr (kIsOptional<T>) {
    return value ? written(*value) : Json();
  } else if constexpr (kIsList<T>) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(written(item));
    return list;
  } else if constexpr (kIsNumber<T>) {
    const double number = value;
    return std::isfinite(number) ? Json(number) : Json();
  } else if constexpr (std::integral<T> || std::same_as<T, std::string>) {
    return value;
  } else {
    ToJson fields;
    visit_fields(value, fields);
    return std::move(fields.json);
  }
}

template <class T>
T read(const Json& json);

// What an earlier version did not write keeps its default. Null in a field that may be left out is no finite number.
struct FromJson {
  const Json& json;

  template <class T>
  void operator()(const char* key, T& value, Missing missing = Missing::is_null) const {
    if (!json.contains(key)) return;
    if constexpr (kIsOptional<T>) {
      if (missing == Missing::is_left_out) return void(value = read<typename T::value_type>(json.at(key)));
    }
    value = read<T>(json.at(key));
  }
};

template <class T>
T read(const Json& json) {
  T value{};
  if constexpr (kIsOptional<T>) {
    if (!json.is_null()) value = read<typename T::value_type>(json);
  } else if constexpr (kIsList<T>) {
    for (const Json& item : json) value.push_back(read<typename T::value_type>(item));
  } else if constexpr (kIsNumber<T>) {
    value = json.is_null() ? std::nan("") : json.get<double>();
  } else if constexpr (std::integral<T> || std::same_as<T, std::string>) {
    value = json.get<T>();
  } else {
    visit_fields(value, FromJson{json});
  }
  return value;
}

// ---- documents of earlier versions ----

// Until version 2 a record was of one model, which had no part of its own, and total effects were those of predicted
// means, without main effects beside them.
Json model_of(Json& part) {
  Json rows = Json::array();
  for (const Json& row : part.at("inputs").at("rows")) {
    rows.push_back({{"name", row.at("name")},
                    {"low", row.at("low")},
                    {"high", row.at("high")},
                    {"length_scale", row.at("length_scale")},
                    {"length_in_ranges", row.at("length_in_ranges")}});
  }
  Json model = {
      {"index", 0},
      {"label", part.at("model").at("correlation")},
      {"weight", 1.0},
      {"title", part.at("model").at("correlation")},
      {"length_scales", {{"rows", rows}, {"sentence", part.at("inputs").at("sentences").at("length_scales")}}},
      {"nugget", part.at("nugget")}};
  for (const char* key : {"posterior", "run"}) {
    if (part.contains(key)) model[key] = part.at(key);
  }
  return model;
}

Json inputs_of(const Json& inputs) {
  Json rows = Json::array();
  for (const Json& row : inputs.at("rows")) {
    rows.push_back({{"name", row.at("name")},
                    {"column", row.at("column")},
                    {"total", row.at("total_effect")},
                    {"p_inert", row.at("p_inert")}});
  }
  return {
      {"rows", rows}, {"inert_below", inputs.at("inert_below")}, {"sentence", inputs.at("sentences").at("importance")}};
}

std::string how_left_out(const Json& left_out) {
  return "No refit: " + left_out.at("draws").dump() + " of " + left_out.at("all_draws").dump() +
         " draws are weighed anew as if they had not seen the run, and the weights Pareto-smoothed. The plug-in MAP "
         "stays that of all runs, so that its scores here are optimistic.";
}

void upgrade_emulator(Json& predictive) {
  Json shares = Json::array();
  for (std::size_t j = 0; j < predictive.at("trend").size(); ++j) shares.push_back(1.0);
  predictive["models"] = {{{"correlation", predictive.at("correlation")},
                           {"trend", predictive.at("trend")},
                           {"trend_shares", predictive.value("trend_shares", shares)}}};  // version 1 has none
  for (Json& draw : predictive["draws"]) draw["model"] = 0;
}

// A fit's record, or its part of a comparison.
void upgrade_part(Json& part) {
  const Json& run = part.at("run");
  part["totals"] = {
      {"evaluations", run.at("evaluations")}, {"seconds", run.at("seconds")}, {"evidence", run.at("evidence")}};
  part["totals"]["modes"] =
      part.contains("num_modes") ? part.at("num_modes") : Json(part.at("posterior").at("modes").size());
  part["next_runs"] = Json();
  part["average"] = Json();
  part["models"] = {model_of(part)};
  part["inputs"] = inputs_of(part.at("inputs"));
  if (part.contains("leave_one_out") && !part.at("leave_one_out").is_null()) {
    part["leave_one_out"]["how"] = how_left_out(part.at("leave_one_out"));
  }
  if (part.contains("emulator")) upgrade_emulator(part["emulator"]);
  for (const char* key : {"nugget", "posterior", "run", "num_modes"}) part.erase(key);
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

ReportRecord record_of(const Json& document) {
  const std::string kind = document.at("kind");
  if (kind == "outputs") return read<OutputsPage>(document);
  if (kind == "comparison") return read<ComparisonPage>(document);
  return read<OutputPage>(document);
}

}  // namespace
}  // namespace report

std::string to_json(const ReportRecord& record) {
  const report::Json document = std::visit([](const auto& page) { return report::written(page); }, record);
  return document.dump(-1, ' ', false, report::Json::error_handler_t::replace);
}

ReportRecord find_report_record(const std::string& text, const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::bad_file, path + ": " + why); };
  try {
    const report::Json document = report::Json::parse(report::document_in(text));
    if (document.value("format", "") == report::kFormatName) {
      const int version = document.value("format_version", 0);
      if (version <= report::kFormatVersion) return report::record_of(report::upgraded(document));
      refuse("has report format version " + std::to_string(version) + "; this program reads up to version " +
             std::to_string(report::kFormatVersion) + ": use a newer ta2s2");
    }
  } catch (const nlohmann::json::exception&) {  // the sentence below says what is wrong
  }
  refuse("holds no report record; expected a report page or a record made by `ta2s2 report`");
  return {};
}

}  // namespace ta2s2
