#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_arguments.hpp"
#include "job.hpp"
#include "output.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/workflow/compare_models.hpp"
#include "ta2s2/workflow/judge.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class Format { table, csv, json };

struct CompareArguments {
  std::string runs, out;
  FitSettings settings;
  Format format = Format::table;
  ConsoleOptions console;
};

// Settings of which a comparison takes several values.
const std::vector<std::string> kVaried = {"correlation", "trend", "prior"};

ModelGrid grid_of(const FitSettings& settings, const FitOptions& base) {
  const auto typed = [&](const char* name) { return settings.texts.at(name); };
  return {parse_correlations(typed("correlation")),
          parse_choices("trend", typed("trend"), {"constant", "linear"}, base.trend),
          parse_choices("prior", typed("prior"), {}, base.prior)};
}

std::string number(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string plus_minus(double value, double error) {
  return number(value, "%.2f") + " +- " + number(error, "%.2f");
}

std::vector<std::vector<std::string>> table_of(const ModelComparison& comparison) {
  std::vector<std::vector<std::string>> rows = {{"correlation", "trend", "prior", "log evidence", "log Bayes factor",
                                                 "weight", "(5% - 95%)", "stacking", "loo CRPS", "loo log density",
                                                 "seconds", "verdict"}};
  for (const ComparedModel& model : comparison.models) {
    const FitOptions& options = model.fit.options;
    const Evidence& evidence = *model.fit.evidence;
    rows.push_back(
        {options.correlation, options.trend, options.prior, plus_minus(evidence.log_evidence, evidence.standard_error),
         plus_minus(model.log_bayes_factor, model.log_bayes_factor_error), number(model.weight, "%.3f"),
         "(" + number(model.weight_interval.low, "%.3f") + " - " + number(model.weight_interval.high, "%.3f") + ")",
         number(model.stacking_weight, "%.3f"), number(model.mean_crps(), "%.4g"),
         number(model.mean_log_density(), "%.4g"), number(model.seconds, "%.2f"),
         to_word(check_sampler(model.fit).status)});
  }
  return rows;
}

void write_table(std::ostream& out, const ModelComparison& comparison) {
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

void write_csv(std::ostream& out, const ModelComparison& comparison) {
  write_csv_cells(out, {"correlation", "trend", "prior", "trend_prior", "log_evidence", "log_evidence_error",
                        "log_bayes_factor", "log_bayes_factor_error", "weight", "weight_q0.05", "weight_q0.95",
                        "stacking_weight", "loo_crps", "loo_log_density", "loo_unreliable_runs", "seconds", "verdict"});
  for (const ComparedModel& model : comparison.models) {
    const FitOptions& options = model.fit.options;
    std::vector<std::string> cells = {options.correlation, options.trend, options.prior,
                                      find_option("trend-prior")->get(options)};
    for (const double value :
         {model.fit.evidence->log_evidence, model.fit.evidence->standard_error, model.log_bayes_factor,
          model.log_bayes_factor_error, model.weight, model.weight_interval.low, model.weight_interval.high,
          model.stacking_weight, model.mean_crps(), model.mean_log_density(),
          static_cast<double>(model.left_out.num_unreliable), model.seconds}) {
      cells.push_back(format_number(value));
    }
    cells.push_back(to_word(check_sampler(model.fit).status));
    write_csv_cells(out, cells);
  }
}

Json model_json(const ComparedModel& model) {
  const FitOptions& options = model.fit.options;
  const Evidence& evidence = *model.fit.evidence;
  return {
      {"correlation", options.correlation},
      {"trend", options.trend},
      {"prior", options.prior},
      {"trend_prior", find_option("trend-prior")->get(options)},
      {"log_evidence", {{"value", evidence.log_evidence}, {"standard_error", evidence.standard_error}}},
      {"log_bayes_factor", {{"value", model.log_bayes_factor}, {"standard_error", model.log_bayes_factor_error}}},
      {"weight", {{"value", model.weight}, {"low", model.weight_interval.low}, {"high", model.weight_interval.high}}},
      {"stacking_weight", model.stacking_weight},
      {"leave_one_out",
       {{"crps", model.mean_crps()},
        {"log_density", model.mean_log_density()},
        {"unreliable_runs", model.left_out.num_unreliable}}},
      {"seconds", model.seconds},
      {"verdict", to_word(check_sampler(model.fit).status)}};
}

void write_json(std::ostream& out, const OutputRuns& data, const ModelComparison& comparison) {
  Json models = Json::array();
  for (const ComparedModel& model : comparison.models) models.push_back(model_json(model));
  const Json document = {
      {"output", data.output_name()}, {"runs", data.num_runs()}, {"models", models}, {"notices", comparison.notices}};
  out << document.dump(2) << '\n';
}

void announce(Index number, Index total, const FitOptions& options, const ConsoleOptions& console) {
  const bool on_terminal = console.progress == Progress::automatic && isatty(STDERR_FILENO) != 0;
  if (console.quiet || !(on_terminal || console.progress == Progress::plain)) return;
  std::fprintf(stderr, "model %lld of %lld: --correlation %s --trend %s --prior %s\n", static_cast<long long>(number),
               static_cast<long long>(total), options.correlation.c_str(), options.trend.c_str(),
               options.prior.c_str());
}

void run_compare(const CLI::App& command, const CompareArguments& arguments) {
  const FitOptions base = gather_options(command, arguments.settings, kVaried);
  const std::vector<ValidFitOptions> models = expand(grid_of(arguments.settings, base), base);
  const OutputRuns data = load_runs(arguments.runs, {base.output, base.inputs});
  const std::vector<InputRange> ranges = base.ranges.empty() ? std::vector<InputRange>{} : read_ranges(base.ranges);
  print_notices(data.notices(), arguments.console);

  Output output(arguments.out, {arguments.runs, arguments.settings.config, base.ranges});
  const std::unique_ptr<Executor> executor = make_executor(base.threads, &stop_on_signals());
  ConsoleObserver observer(arguments.console);
  const auto progress = [&](Index number, Index total, const FitOptions& options) {
    announce(number, total, options, arguments.console);
  };
  const ModelComparison comparison = compare_models(data, models, ranges, {*executor, observer}, progress);
  print_notices(comparison.notices, arguments.console);
  switch (arguments.format) {
    case Format::table:
      write_table(output.stream(), comparison);
      break;
    case Format::csv:
      write_csv(output.stream(), comparison);
      break;
    case Format::json:
      write_json(output.stream(), data, comparison);
      break;
  }
  output.commit();
}

}  // namespace

void add_compare_command(CLI::App& app) {
  CLI::App& command =
      *app.add_subcommand("compare", "Compare correlations, trends and priors by evidence and by leave-one-out scores");
  const auto arguments = std::make_shared<CompareArguments>();
  command.add_option("runs", arguments->runs, "CSV file with a header and a row per run")->required();
  command.add_option("-o,--out", arguments->out, "file to write; standard output if not given");
  add_word_option<Format>(command, "--format", arguments->format,
                          {{"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}},
                          "table, csv or json");
  add_fit_settings(command, arguments->settings);
  add_console_flags(command, arguments->console);
  command.footer(
      "--correlation, --trend and --prior take several choices, separated by commas: every combination is fitted. all\n"
      "stands for every correlation, or for the trends constant and linear; if no correlation is given,\n"
      "squared-exponential, matern52 and matern32 are compared. With several trends all\n"
      "coefficients but the intercept have a prior worth one run (--trend-prior unit-information). "
      "docs/after_the_fit.md\n"
      "tells how to read the table.\n"
      "Examples:\n"
      "  ta2s2 compare runs.csv --output y\n"
      "  ta2s2 compare runs.csv --output y --correlation squared-exponential,matern52 --trend all\n"
      "  ta2s2 compare runs.csv --output y --prior \"jointly-robust,gamma(2,1)\" --format csv -o models.csv");
  command.callback([&command, arguments] { run_compare(command, *arguments); });
}

}  // namespace ta2s2::cli
