// Settings of a fit from a TOML file: the same names as on the command line.
#pragma once

#include <filesystem>
#include <vector>

#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// Text, numbers, true/false, and arrays (box = [-7, 7], inputs = ["a", "b"]) become the text the option table reads.
// Error{bad_file} if it cannot be read, Error{usage} with file, line and column if it is not TOML or names no setting.
std::vector<Setting> load_config(const std::filesystem::path& path);

}  // namespace ta2s2
