// What the commands show of a judgement: lines, JSON, and the exit code that --strict asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "ta2s2/workflow/judge.hpp"

namespace ta2s2::cli {

// Of every output, by runs that were left out.
std::vector<Judgement> judge_all(const EmulatorRecord& model, Executor& executor);

// "good: typical error ...".
std::string judgement_line(const Judgement& judgement);
// On stderr; of several outputs each sentence begins with its output's name.
void print_warnings(const std::vector<Judgement>& judgements);

void add_strict_flag(CLI::App& command, bool& is_strict);
// Error{judged_bad} that names the outputs whose judgement is bad, if there is one and the command is strict.
void require_not_bad(const std::vector<Judgement>& judgements, bool is_strict);

}  // namespace ta2s2::cli
