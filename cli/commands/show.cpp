// What was learnt: show, draws and export; and options, the settings that there are.
#include <iostream>

#include "arguments.hpp"
#include "commands.hpp"
#include "netcdf.hpp"
#include "output.hpp"

namespace ta2s2::cli {
namespace {

void run_show(const EmulatorChoice& choice, bool json) {
  const Emulator emulator = choice.load();
  const Context context = make_context({});
  Output output("", {});
  output.stream() << (json ? emulator.summary_json(context) + '\n' : emulator.summary_text(context));
  output.commit();
}

void run_draws(const EmulatorChoice& choice, const std::string& path) {
  const Emulator emulator = choice.load().output(choice.output);
  Output output(path, {choice.path});
  emulator.write_draws(output.stream());
  output.commit();
}

// Models do not mix: a length-scale means something else with another correlation.
void run_export(const EmulatorChoice& choice, const std::string& path) {
  const Emulator emulator = choice.load().output(choice.output);
  if (emulator.members().size() > 1) {
    print_notices(
        {"an average over " + std::to_string(emulator.members().size()) + " models: this is the posterior of " +
         emulator.posterior().member + ", which weighs most; --member names another"},
        {});
  }
  Output output(path, {choice.path});
  output.stream() << to_netcdf(emulator.inference_data());
  output.commit();
}

// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char letter : text) escaped += letter == '|' ? "\\|" : std::string(1, letter);
  return escaped;
}

void run_options() {
  Output output("", {});
  output.stream() << "| setting | paper | default | allowed | what it does |\n|---|---|---|---|---|\n";
  for (const Option& option : option_table()) {
    const std::string alias = option.alias.empty() ? "" : " (once `" + option.alias + "`)";
    output.stream() << "| `" << option.name << "`" << alias << " | " << cell(option.symbol) << " | "
                    << cell(option.default_text) << " | " << cell(option.range) << " | " << cell(option.help) << " |\n";
  }
  output.commit();
}

}  // namespace

void add_show_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("show", "Show what a model has learnt");
  const auto choice = std::make_shared<EmulatorChoice>();
  const auto json = std::make_shared<bool>(false);
  add_member_choice(command, *choice);
  command.add_flag("--json", *json, "print JSON");
  command.footer("Example:\n  ta2s2 show model.json");
  command.callback([choice, json] { run_show(*choice, *json); });
}

void add_draws_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("draws", "Write the posterior sample as CSV, a row per draw");
  const auto choice = std::make_shared<EmulatorChoice>();
  const auto path = std::make_shared<std::string>();
  add_member_choice(command, *choice);
  command.add_option("-o,--out", *path, "CSV file to write; standard output if not given");
  command.footer(
      "Of an average, the draws of all models, with a column that names the model; their weights sum to one.\n"
      "Examples:\n"
      "  ta2s2 draws model.json -o draws.csv\n"
      "  ta2s2 draws model.json --member matern52 -o draws.csv");
  command.callback([choice, path] { run_draws(*choice, *path); });
}

void add_export_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("export", "Write the posterior as NetCDF, which ArviZ opens");
  const auto choice = std::make_shared<EmulatorChoice>();
  const auto path = std::make_shared<std::string>();
  add_member_choice(command, *choice);
  command.add_option("-o,--out", *path, "NetCDF file to write; standard output if not given");
  command.footer(
      "Of an average, the model that weighs most, unless --member names another.\n"
      "Example:\n  ta2s2 export model.json -o posterior.nc");
  command.callback([choice, path] { run_export(*choice, *path); });
}

void add_options_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("options", "List every setting of a fit, as a Markdown table");
  command.footer("Example:\n  ta2s2 options");
  command.callback([] { run_options(); });
}

}  // namespace ta2s2::cli
