#include "ta2s2/io/text_file.hpp"

#include <iterator>

#include "ta2s2/base/input_file.hpp"

namespace ta2s2 {

std::optional<std::string> read_text_file(const std::filesystem::path& path) {
  const InputFile file = open_input_file(path);
  if (!file.bytes) return std::nullopt;
  try {
    return std::string{std::istreambuf_iterator<char>(file.bytes.get()), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure&) {
    return std::nullopt;
  }
}

}  // namespace ta2s2
