// How inputs vary, as a TOML file: name = "normal(10,2)".
#pragma once

#include <filesystem>
#include <vector>

#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2 {

// In the file's order of names. Error{bad_file} if it cannot be read, Error{usage} if it is no TOML or a value is no
// text. Whether a text is a distribution, and of an input, match_inputs finds out.
std::vector<InputStatement> load_input_statements(const std::filesystem::path& path);

}  // namespace ta2s2
