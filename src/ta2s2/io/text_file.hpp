// A whole file as text.
#pragma once

#include <filesystem>
#include <iterator>
#include <optional>
#include <string>

#include "ta2s2/base/input_file.hpp"

namespace ta2s2 {

// Nothing if it cannot be opened or read; an empty file is an empty text.
inline std::optional<std::string> read_text_file(const std::filesystem::path& path) {
  const InputFile file = open_input_file(path);
  if (!file.bytes) return std::nullopt;
  try {
    return std::string{std::istreambuf_iterator<char>(file.bytes.get()), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure&) {
    return std::nullopt;
  }
}

}  // namespace ta2s2
