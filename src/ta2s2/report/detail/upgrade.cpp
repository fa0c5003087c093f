#include "ta2s2/report/detail/upgrade.hpp"

#include "ta2s2/report/report_record.hpp"

namespace ta2s2::detail {
namespace {

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

}  // namespace

Json upgraded(Json record) {
  if (record.value("format_version", 0) >= 3) return record;
  if (record.at("kind") == "comparison") {
    for (Json& part : record["fits"]) upgrade_part(part);
  } else {
    upgrade_part(record);
  }
  record["format_version"] = kReportFormatVersion;
  return record;
}

}  // namespace ta2s2::detail
