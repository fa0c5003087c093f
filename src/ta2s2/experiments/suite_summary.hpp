// Tables of a suite's results, for people (suite_summary.md) and programs (suite_summary.csv).
#pragma once

#include <filesystem>

#include "ta2s2/experiments/result_file.hpp"

namespace ta2s2 {

void write_suite_summary(const ResultFile& results, const std::filesystem::path& folder);

}  // namespace ta2s2
