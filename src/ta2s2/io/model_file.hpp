// The model file: an EmulatorRecord as versioned JSON (docs/file_formats.md).
#pragma once

#include <filesystem>
#include <ostream>
#include <string>

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// Version 1 holds one fit; version 2 several outputs, each of one model or several. Version 3 is either of them with
// what the models say of each run that is left out. Version 4 adds the sampler's passes; version 5,
// which is what is written, what changes predictions: the output's transformation, the recalibration and the inputs'
// scales.
inline constexpr int kModelFormatVersion = 5;

void write_model(std::ostream& out, const EmulatorRecord& model);

// Error{bad_file} with a sentence for a file that is missing, truncated, damaged, newer, or no model at all.
EmulatorRecord read_models(const std::filesystem::path& path);

// The same of a model file's content; `name` is what a message calls it.
EmulatorRecord parse_models(const std::string& content, const std::string& name);

}  // namespace ta2s2
