// Flags that every command with a long run has.
#pragma once

#include <CLI/CLI.hpp>

#include "console.hpp"
#include "words.hpp"

namespace ta2s2::cli {

inline void add_console_flags(CLI::App& command, ConsoleOptions& options) {
  add_word_option<Progress>(command, "--progress", options.progress,
                            {{"auto", Progress::automatic}, {"plain", Progress::plain}, {"none", Progress::none}},
                            "auto (only on a terminal), plain (a line per level), none");
  command.add_flag("--quiet,-q", options.quiet, "say nothing on stderr but errors");
}

}  // namespace ta2s2::cli
