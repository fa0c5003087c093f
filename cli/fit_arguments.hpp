// The settings of a fit on a command line: fit's own, and those of commands that take the same.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "ta2s2/workflow/options.hpp"

namespace ta2s2::cli {

struct FitSettings {
  std::string config;
  std::map<std::string, std::string> texts;  // by option name, as typed
  std::map<std::string, bool> flags;
};

// An option of the library's table as one of a command; `text` takes what is typed.
void add_table_option(CLI::App& command, const OptionSpec& spec, std::string& text);

// --config and every entry of the option table. `settings` must live as long as the command.
void add_fit_settings(CLI::App& command, FitSettings& settings);

// The config file first, then what was typed: the command line wins. What was typed for `others` is left aside.
FitOptions gather_options(const CLI::App& command, const FitSettings& settings,
                          const std::vector<std::string>& others = {});

}  // namespace ta2s2::cli
