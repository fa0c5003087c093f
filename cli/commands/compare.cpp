#include <cstdio>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/compare.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class Format { table, csv, json };

struct CompareArguments {
  std::string runs, out;
  FitArguments settings;
  Format format = Format::table;
  ConsoleOptions console;
};

// Settings of which a comparison takes several values.
const std::vector<std::string> kVaried = {"correlation", "trend", "prior", "transform"};

std::string number(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string plus_minus(double value, double error) {
  return number(value, "%.2f") + " +- " + number(error, "%.2f");
}

std::vector<std::vector<std::string>> table_of(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows = {{"correlation", "transform", "trend", "prior", "log evidence",
                                                 "log Bayes factor", "weight", "(5% - 95%)", "stacking", "loo CRPS",
                                                 "loo log density", "seconds", "verdict"}};
  for (const ComparedModel& model : comparison.models) {
    rows.push_back({model.correlation, model.transform, model.trend, model.prior,
                    plus_minus(model.evidence.log_evidence, model.evidence.standard_error),
                    plus_minus(model.log_bayes_factor, model.log_bayes_factor_error), number(model.weight, "%.3f"),
                    "(" + number(model.weight_low, "%.3f") + " - " + number(model.weight_high, "%.3f") + ")",
                    number(model.stacking_weight, "%.3f"), number(model.crps, "%.4g"),
                    number(model.log_density, "%.4g"), number(model.seconds, "%.2f"), model.sampler});
  }
  return rows;
}

void write_table(std::ostream& out, const Comparison& comparison) {
  const auto rows = table_of(comparison);
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], row[j].size());
  }
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool is_last = j + 1 == row.size();
      out << row[j] << std::string(is_last ? 0 : widths[j] - row[j].size() + 2, ' ');
    }
    out << '\n';
  }
}

void write_csv(std::ostream& out, const Comparison& comparison) {
  write_csv_cells(
      out, {"correlation", "transform", "trend", "prior", "trend_prior", "log_evidence", "log_evidence_error",
            "log_bayes_factor", "log_bayes_factor_error", "weight", "weight_q0.05", "weight_q0.95", "stacking_weight",
            "loo_crps", "loo_log_density", "loo_unreliable_runs", "seconds", "verdict"});
  for (const ComparedModel& model : comparison.models) {
    std::vector<std::string> cells = {model.correlation, model.transform, model.trend, model.prior, model.trend_prior};
    for (const double value :
         {model.evidence.log_evidence, model.evidence.standard_error, model.log_bayes_factor,
          model.log_bayes_factor_error, model.weight, model.weight_low, model.weight_high, model.stacking_weight,
          model.crps, model.log_density, static_cast<double>(model.num_unreliable), model.seconds}) {
      cells.push_back(csv_number(value));
    }
    cells.push_back(model.sampler);
    write_csv_cells(out, cells);
  }
}

Json model_json(const ComparedModel& model) {
  return {{"correlation", model.correlation},
          {"transform", model.transform},
          {"trend", model.trend},
          {"prior", model.prior},
          {"trend_prior", model.trend_prior},
          {"log_evidence", {{"value", model.evidence.log_evidence}, {"standard_error", model.evidence.standard_error}}},
          {"log_bayes_factor", {{"value", model.log_bayes_factor}, {"standard_error", model.log_bayes_factor_error}}},
          {"weight", {{"value", model.weight}, {"low", model.weight_low}, {"high", model.weight_high}}},
          {"stacking_weight", model.stacking_weight},
          {"leave_one_out",
           {{"crps", model.crps}, {"log_density", model.log_density}, {"unreliable_runs", model.num_unreliable}}},
          {"seconds", model.seconds},
          {"verdict", model.sampler}};
}

void write_json(std::ostream& out, const Comparison& comparison) {
  Json models = Json::array();
  for (const ComparedModel& model : comparison.models) models.push_back(model_json(model));
  const Json document = {{"output", comparison.output},
                         {"runs", comparison.num_runs},
                         {"models", models},
                         {"notices", comparison.notices}};
  out << document.dump(2) << '\n';
}

void run_compare(const CLI::App& command, const CompareArguments& arguments) {
  const FitRequest request = gather_request(command, arguments.settings, kVaried);
  const auto typed = [&](const char* name) { return arguments.settings.texts.at(name); };
  const Dataset runs = Dataset::read_csv(arguments.runs, request.columns);
  print_notices(runs.notices(), arguments.console);
  Output output(arguments.out, {arguments.runs, arguments.settings.config, request.columns.ranges});
  Context context = make_context(arguments.console, request.context.threads);
  context.checkpoint = request.context.checkpoint;
  const Comparison comparison = compare_models(
      runs, {typed("correlation"), typed("trend"), typed("prior"), typed("transform")}, request.settings, context);
  print_notices(comparison.notices, arguments.console);
  switch (arguments.format) {
    case Format::table:
      write_table(output.stream(), comparison);
      break;
    case Format::csv:
      write_csv(output.stream(), comparison);
      break;
    case Format::json:
      write_json(output.stream(), comparison);
      break;
  }
  output.commit();
}

}  // namespace

void add_compare_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand(
      "compare", "Compare correlations, transformations, trends and priors by evidence and by leave-one-out scores");
  const auto arguments = std::make_shared<CompareArguments>();
  command.add_option("runs", arguments->runs, "CSV file with a header and a row per run")->required();
  command.add_option("-o,--out", arguments->out, "file to write; standard output if not given");
  add_word_option<Format>(command, "--format", arguments->format,
                          {{"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}},
                          "table, csv or json");
  add_fit_settings(command, arguments->settings);
  add_console_flags(command, arguments->console);
  command.footer(
      "--correlation, --transform, --trend and --prior take several choices, separated by commas:\n"
      "every combination is fitted. all stands for every correlation or transformation, or for the\n"
      "trends constant and linear; if no correlation is given, squared-exponential, matern52 and\n"
      "matern32 are compared. With several trends all coefficients but the intercept have a prior\n"
      "worth one run (--trend-prior unit-information). docs/after_the_fit.md tells how to read the table.\n"
      "Examples:\n"
      "  ta2s2 compare runs.csv --output y\n"
      "  ta2s2 compare runs.csv --output y --correlation squared-exponential,matern52 --trend all\n"
      "  ta2s2 compare runs.csv --output y --prior \"jointly-robust,gamma(2,1)\" --format csv -o models.csv");
  command.callback([&command, arguments] { run_compare(command, *arguments); });
}

}  // namespace ta2s2::cli
