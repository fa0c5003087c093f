// An option of the library's table as one of a command.
#pragma once

#include <CLI/CLI.hpp>

#include "ta2s2/workflow/options.hpp"

namespace ta2s2::cli {

inline void add_table_option(CLI::App& command, const OptionSpec& spec, std::string& text) {
  const std::string symbol = spec.symbol.empty() ? "" : " [paper: " + spec.symbol + "]";
  CLI::Option* option = command.add_option("--" + spec.name, text, spec.help + symbol + ": " + spec.range);
  option->option_text("TEXT" + (spec.default_text.empty() ? "" : " [" + spec.default_text + "]"));
}

}  // namespace ta2s2::cli
