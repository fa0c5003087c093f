#include "fit_arguments.hpp"

#include <algorithm>

#include "ta2s2/settings.hpp"

namespace ta2s2::cli {
void add_table_option(CLI::App& command, const OptionSpec& spec, std::string& text) {
  const std::string symbol = spec.symbol.empty() ? "" : " [paper: " + spec.symbol + "]";
  CLI::Option* option = command.add_option("--" + spec.name, text, spec.help + symbol + ": " + spec.range);
  option->option_text("TEXT" + (spec.default_text.empty() ? "" : " [" + spec.default_text + "]"));
}

void add_fit_settings(CLI::App& command, FitSettings& settings) {
  command.add_option("--config", settings.config, "TOML file with settings, by the names below; typed options win");
  for (const OptionSpec& spec : option_table()) {
    if (spec.is_flag) {
      command.add_flag("--" + spec.name, settings.flags[spec.name], spec.help);
    } else {
      add_table_option(command, spec, settings.texts[spec.name]);
    }
  }
}

FitOptions gather_options(const CLI::App& command, const FitSettings& settings,
                          const std::vector<std::string>& others) {
  FitOptions options;
  if (!settings.config.empty()) apply_settings(options, read_config(settings.config));
  std::vector<Setting> typed;
  for (const OptionSpec& spec : option_table()) {
    if (command.count("--" + spec.name) == 0) continue;
    if (std::find(others.begin(), others.end(), spec.name) != others.end()) continue;
    const std::string flag = spec.is_flag && settings.flags.at(spec.name) ? "true" : "false";  // also --check=false
    typed.push_back({spec.name, spec.is_flag ? flag : settings.texts.at(spec.name)});
  }
  apply_settings(options, typed);
  return options;
}

}  // namespace ta2s2::cli
