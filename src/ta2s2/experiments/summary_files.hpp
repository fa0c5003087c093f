// A summary as two files, for people and for programs: both appear, or neither.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace ta2s2 {

using WriteText = std::function<void(std::ostream&)>;

// <stem>.md and <stem>.csv in `folder`.
void write_summary_files(const std::filesystem::path& folder, const std::string& stem, const WriteText& write_markdown,
                         const WriteText& write_csv);

}  // namespace ta2s2
