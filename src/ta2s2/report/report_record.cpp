#include "ta2s2/report/report_record.hpp"

#include <optional>

#include "ta2s2/error.hpp"
#include "ta2s2/report/detail/average_section.hpp"
#include "ta2s2/report/detail/inputs_section.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/report/detail/judgement_section.hpp"
#include "ta2s2/report/detail/next_runs_section.hpp"
#include "ta2s2/report/detail/page_emulator.hpp"
#include "ta2s2/report/detail/predictions_section.hpp"
#include "ta2s2/report/detail/run_section.hpp"
#include "ta2s2/report/detail/upgrade.hpp"

namespace ta2s2 {
namespace {

using detail::Json;

// Of an average: its first model; `average` tells of all.
Json model_json(const OutputRecord& output) {
  const MemberRecord& fit = output.members.front();
  return {{"output", fit.data.output_name()},
          {"inputs", fit.data.input_names()},
          {"runs", fit.data.num_runs()},
          {"num_inputs", fit.data.num_inputs()},
          {"correlation", fit.options.correlation},
          {"trend", fit.options.trend},
          {"prior", fit.options.prior},
          {"nugget", fit.options.nugget},
          {"has_sample", fit.has_sample()}};
}

std::vector<Index> columns_of(const Json& inputs) {
  std::vector<Index> columns;
  for (const Json& row : inputs.at("rows")) columns.push_back(row.at("column"));
  return columns;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::bad_file, path + ": " + why);
}

// A page keeps its record in one element, in which "<" is written as an escape, so that the next "<" ends it.
std::string record_text(const std::string& text) {
  const std::string mark = "<script type=\"application/json\" id=\"record\">";
  const auto begin = text.find(mark);
  if (begin == std::string::npos) return text;
  const auto first = begin + mark.size();
  return text.substr(first, text.find('<', first) - first);
}

}  // namespace

std::string make_report_record(const OutputRecord& output, const OutputRuns* validation, Executor& executor) {
  const detail::LeftOutPredictions left_out = detail::predict_left_out(output, executor);
  std::optional<detail::ValidationPredictions> unseen;
  if (validation) unseen = detail::predict_validation(output, *validation, executor);
  const Json inputs = detail::inputs_json(output, executor);
  return text_of({{"format", kReportFormatName},
                  {"format_version", kReportFormatVersion},
                  {"kind", "fit"},
                  {"model", model_json(output)},
                  {"verdict", detail::judgement_json(output, left_out, unseen ? &*unseen : nullptr)},
                  {"leave_one_out", detail::left_out_json(output, left_out)},
                  {"validation", unseen ? detail::validation_json(*unseen) : Json()},
                  {"inputs", inputs},
                  {"main_effects", detail::main_effects_json(output, executor)},
                  {"next_runs", detail::next_runs_json(output, executor)},
                  {"average", detail::average_json(output)},
                  {"models", detail::models_json(output, columns_of(inputs), executor)},
                  {"totals", detail::totals_json(output)},
                  {"provenance", detail::provenance_json(output)},
                  {"emulator", detail::page_emulator_json(output, executor)}});
}

std::string find_report_record(const std::string& text, const std::string& path) {
  Json record;
  try {
    record = Json::parse(record_text(text));
  } catch (const nlohmann::json::exception&) {
    refuse(path, "holds no report record; expected a report page or a record made by `ta2s2 report`");
  }
  if (!record.is_object() || record.value("format", "") != kReportFormatName) {
    refuse(path, "holds no report record; expected a report page or a record made by `ta2s2 report`");
  }
  const int version = record.value("format_version", 0);
  if (version > kReportFormatVersion) {
    refuse(path, "has report format version " + std::to_string(version) + "; this program reads up to version " +
                     std::to_string(kReportFormatVersion) + ": use a newer ta2s2");
  }
  return text_of(detail::upgraded(std::move(record)));
}

}  // namespace ta2s2
