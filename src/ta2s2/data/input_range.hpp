// The range that a user declares for an input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ta2s2 {

struct InputRange {
  std::string name;
  double low = 0.0;
  double high = 1.0;
};

// From a CSV file with the columns name, min (or low, lower) and max (or high, upper), in any letter case and
// order. Promise: finite, low < high, names unique and not empty; Error{bad_data} otherwise.
std::vector<InputRange> load_ranges(const std::filesystem::path& path);

}  // namespace ta2s2
