// Tables of a reproduction's results, for people (summary.md) and programs (summary.csv).
#pragma once

#include <filesystem>

#include "ta2s2/experiments/result_file.hpp"

namespace ta2s2 {

void write_reproduction_summary(const ResultFile& results, const std::filesystem::path& folder);

}  // namespace ta2s2
