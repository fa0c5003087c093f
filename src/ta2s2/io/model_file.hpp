// The model file: a FitRecord as versioned JSON (docs/file_formats.md).
#pragma once

#include <filesystem>
#include <ostream>
#include <string>

#include "ta2s2/workflow/fit_record.hpp"

namespace ta2s2 {

inline constexpr int kModelFormatVersion = 1;

void write_model(std::ostream& out, const FitRecord& record);

// Error{bad_file} with a sentence for a file that is missing, truncated, damaged, newer, or no model at all.
FitRecord read_model(const std::filesystem::path& path);

// The same of a model file's content; `name` is what a message calls it.
FitRecord parse_model(const std::string& content, const std::string& name);

}  // namespace ta2s2
