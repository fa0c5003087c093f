// Which part of a model file a command is about: a file may hold several outputs, and an output several models.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "ta2s2/workflow/record.hpp"

namespace ta2s2::cli {

struct ModelChoice {
  std::string path, output, model;
};

// The model file's argument, and --output.
void add_output_choice(CLI::App& command, ModelChoice& choice);
// The same with --model.
void add_fit_choice(CLI::App& command, ModelChoice& choice);

// Every output of the file, or the one that is named.
EmulatorRecord read_outputs(const ModelChoice& choice);
// One output, whatever models it is averaged over. Error{usage} that lists the outputs if the choice leaves several.
OutputRecord read_output(const ModelChoice& choice);
// One fit. Error{usage} that lists what there is if the choice leaves more than one.
MemberRecord read_fit(const ModelChoice& choice);

}  // namespace ta2s2::cli
