#include "ta2s2/report/outputs_record.hpp"

#include <algorithm>

#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/report/report_record.hpp"

namespace ta2s2 {
namespace {

using detail::Json;

Json overview_row(const Json& output, const char* judged) {
  const Json& verdict = output.at("verdict");
  Json row = {{"output", output.at("model").at("output")},
              {"level", verdict.at("level")},
              {"headline", verdict.at("headline")}};
  const Json& part = output.at(judged);
  if (part.is_null()) return row;
  row["explained"] = part.at("explained");
  for (const char* key : {"coverage_95", "crps", "rmse"}) row[key] = part.at("scores").at("posterior").at(key);
  return row;
}

}  // namespace

std::string make_outputs_record(const std::vector<std::string>& records) {
  if (records.size() == 1) return records.front();
  Json outputs = Json::array();
  for (const std::string& record : records) outputs.push_back(Json::parse(record));
  const bool are_validated = std::all_of(outputs.begin(), outputs.end(),
                                         [](const Json& output) { return !output.at("validation").is_null(); });
  Json overview = Json::array();
  for (const Json& output : outputs) {
    overview.push_back(overview_row(output, are_validated ? "validation" : "leave_one_out"));
  }
  const Json record = {{"format", kReportFormatName},
                       {"format_version", kReportFormatVersion},
                       {"kind", "outputs"},
                       {"num_outputs", outputs.size()},
                       {"judged_by", are_validated ? "validation runs" : "runs, each left out in turn"},
                       {"overview", overview},
                       {"version", outputs.front().at("provenance").at("version")},
                       {"outputs", outputs}};
  return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ta2s2
