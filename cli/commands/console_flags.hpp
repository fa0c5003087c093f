// Flags that every command with a long run has.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"

namespace ta2s2::cli {

inline void add_console_flags(CLI::App& command, ConsoleOptions& options) {
  const std::map<std::string, Progress> words = {
      {"auto", Progress::automatic}, {"plain", Progress::plain}, {"none", Progress::none}};
  command.add_option("--progress", options.progress, "auto (only on a terminal), plain (a line per level), none")
      ->transform(CLI::CheckedTransformer(words))
      ->option_text("WORD");
  command.add_flag("--quiet,-q", options.quiet, "say nothing on stderr but errors");
}

}  // namespace ta2s2::cli
