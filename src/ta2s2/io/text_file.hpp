// A whole file as text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ta2s2 {

// Nothing if it cannot be opened or read; an empty file is an empty text.
std::optional<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace ta2s2
