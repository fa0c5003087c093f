#include "ta2s2/sensitivity.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class SensitivityFormat { table, csv, json };

struct SensitivityArguments {
  EmulatorChoice model;
  std::string distributions, output, effects;
  SensitivityFormat format = SensitivityFormat::table;
  SensitivityOptions options;
  int threads = 0;
  ConsoleOptions console;
};

Json interval_json(const PosteriorInterval& interval) {
  return {{"q0.025", interval.low}, {"q0.5", interval.median}, {"q0.975", interval.high}};
}

Json numbers_json(const Vector& numbers) {
  return std::vector<double>(numbers.begin(), numbers.end());
}

Json input_json(const InputSensitivity& input) {
  return {{"name", input.name},
          {"distribution", input.distribution},
          {"first", interval_json(input.first)},
          {"total", interval_json(input.total)},
          {"interactions", interval_json(input.interactions)},
          {"p_inert", input.p_inert},
          {"p_active", input.p_active},
          {"integration_error", {{"first", input.first_error}, {"total", input.total_error}}},
          {"main_effect",
           {{"value", numbers_json(input.grid)},
            {"mean", numbers_json(input.effect_mean)},
            {"q0.025", numbers_json(input.effect_low)},
            {"q0.5", numbers_json(input.effect_median)},
            {"q0.975", numbers_json(input.effect_high)}}}};
}

void write_json(std::ostream& out, const Sensitivity& result, const std::string& output_name) {
  Json document = {{"output", output_name},
                   {"paths", result.num_paths},
                   {"mean", interval_json(result.mean)},
                   {"variance", interval_json(result.variance)},
                   {"additive", interval_json(result.additive)},
                   {"share_outside", result.share_outside},
                   {"inputs", Json::array()}};
  for (const InputSensitivity& input : result.inputs) document["inputs"].push_back(input_json(input));
  out << document.dump(2) << "\n";
}

void add_cells(std::vector<std::string>& cells, const PosteriorInterval& interval) {
  for (const double value : {interval.median, interval.low, interval.high}) cells.push_back(csv_number(value));
}

void write_csv(std::ostream& out, const Sensitivity& result) {
  std::vector<std::string> header = {"input"};
  for (const char* index : {"first", "total", "interactions"}) {
    for (const char* level : {"_q0.5", "_q0.025", "_q0.975"}) header.push_back(std::string(index) + level);
  }
  header.insert(header.end(), {"p_inert", "p_active", "first_error", "total_error"});
  write_csv_cells(out, header);
  for (const InputSensitivity& input : result.inputs) {
    std::vector<std::string> cells = {input.name};
    for (const PosteriorInterval& interval : {input.first, input.total, input.interactions}) add_cells(cells, interval);
    for (const double value : {input.p_inert, input.p_active, input.first_error, input.total_error}) {
      cells.push_back(csv_number(value));
    }
    write_csv_cells(out, cells);
  }
}

void write_effects(std::ostream& out, const Sensitivity& result) {
  write_csv_cells(out, {"input", "value", "mean", "q0.025", "q0.5", "q0.975"});
  for (const InputSensitivity& input : result.inputs) {
    for (Index i = 0; i < input.grid.size(); ++i) {
      write_csv_cells(
          out, {input.name, csv_number(input.grid[i]), csv_number(input.effect_mean[i]),
                csv_number(input.effect_low[i]), csv_number(input.effect_median[i]), csv_number(input.effect_high[i])});
    }
  }
}

std::string interval_text(const PosteriorInterval& interval) {
  char text[64];
  std::snprintf(text, sizeof text, "%7.4f  [%6.4f, %6.4f]", interval.median, interval.low, interval.high);
  return text;
}

void write_table(std::ostream& out, const Sensitivity& result, const std::string& output_name) {
  std::size_t width = 5;
  for (const InputSensitivity& input : result.inputs) width = std::max(width, input.name.size());
  const auto row = [&](const std::string& name, const std::string& rest) {
    out << name << std::string(width - name.size(), ' ') << "  " << rest << "\n";
  };
  out << "Sobol indices of " << output_name << ": median and 95% interval over " << result.num_paths
      << " functions drawn from the posterior\n";
  row("input", "first-order                total                      P(inert)  P(active)");
  for (const InputSensitivity& input : result.inputs) {
    char chances[32];
    std::snprintf(chances, sizeof chances, "%8.3f  %9.3f", input.p_inert, input.p_active);
    row(input.name, interval_text(input.first) + "  " + interval_text(input.total) + "  " + chances);
  }
  out << "share of main effects alone " << interval_text(result.additive) << "\n";
}

void check_outputs(const SensitivityArguments& arguments) {
  if (!arguments.effects.empty() && arguments.effects == arguments.output) {
    throw Error(ErrorCode::usage, arguments.effects + ": found for both -o and --effects, expected two files");
  }
}

void write_result(Output& output, const SensitivityArguments& arguments, const Sensitivity& result,
                  const std::string& output_name) {
  switch (arguments.format) {
    case SensitivityFormat::csv:
      return write_csv(output.stream(), result);
    case SensitivityFormat::json:
      return write_json(output.stream(), result, output_name);
    case SensitivityFormat::table:
      return write_table(output.stream(), result, output_name);
  }
}

void run_sensitivity(const SensitivityArguments& arguments) {
  check_outputs(arguments);
  const Emulator emulator = arguments.model.load().output(arguments.model.output);
  const std::vector<InputStatement> inputs =
      arguments.distributions.empty() ? std::vector<InputStatement>() : read_input_statements(arguments.distributions);
  const std::vector<std::string> files = {arguments.model.path, arguments.distributions};
  Output output(arguments.output, files);
  std::optional<Output> effects;
  if (!arguments.effects.empty()) effects.emplace(arguments.effects, files);
  const Sensitivity result =
      emulator.sensitivity(arguments.options, inputs, make_context(arguments.console, arguments.threads));
  print_notices(result.notices, arguments.console);
  write_result(output, arguments, result, emulator.output_names().front());
  if (effects) write_effects(effects->stream(), result);
  output.prepare();
  if (effects) effects->prepare();
  output.commit();
  if (effects) effects->commit();
}

}  // namespace

void add_sensitivity_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("sensitivity", "Show which inputs matter: Sobol indices and main effects");
  const auto arguments = std::make_shared<SensitivityArguments>();
  add_output_choice(command, arguments->model);
  command.add_option("--inputs-distribution", arguments->distributions,
                     "TOML file with lines such as x1 = \"normal(10,2)\"; inputs that it leaves out are uniform over "
                     "the model's ranges, log-uniform for a log scale");
  command.add_option("-o,--out", arguments->output, "file to write; standard output if not given");
  add_word_option<SensitivityFormat>(
      command, "--format", arguments->format,
      {{"table", SensitivityFormat::table}, {"csv", SensitivityFormat::csv}, {"json", SensitivityFormat::json}},
      "table to read, csv or json for other programs");
  command.add_option("--effects", arguments->effects, "CSV file for the main effects, with intervals");
  command.add_option("--paths", arguments->options.num_paths, "functions drawn from the posterior")
      ->check(CLI::Range(40, 100'000))
      ->capture_default_str();
  command
      .add_option("--points", arguments->options.num_points,
                  "points at which interactions of each function are integrated, twice; best a power of two")
      ->check(CLI::Range(8, 65'536))
      ->capture_default_str();
  command.add_option("--seed", arguments->options.seed, "of the functions drawn")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_threads(command, arguments->threads);
  add_console_flags(command, arguments->console);
  std::string distributions;
  for (const std::string& name : input_distribution_names())
    distributions += (distributions.empty() ? "" : ", ") + name;
  command.footer(
      "Distributions: " + distributions +
      "\nIntervals are as good as the model. For this question fit one that knows how little inputs may interact:"
      "\n  ta2s2 fit runs.csv --output y --average-over structures --weighting equal -o model.json"
      "\nExample:\n  ta2s2 sensitivity model.json --inputs-distribution inputs.toml --effects effects.csv");
  command.callback([arguments] { run_sensitivity(*arguments); });
}

}  // namespace ta2s2::cli
