#include "ta2s2/data/detail/utf8.hpp"

#include <cstdint>

namespace ta2s2::detail {

namespace {

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0u) == 0x80u;
}

// Bytes of the character that begins with `first`; 0 if no character does.
std::size_t character_length(unsigned char first) {
  if (first < 0x80u) return 1;
  if (first >= 0xC2u && first < 0xE0u) return 2;
  if (first >= 0xE0u && first < 0xF0u) return 3;
  if (first >= 0xF0u && first < 0xF5u) return 4;
  return 0;
}

bool is_allowed(std::uint32_t code, std::size_t length) {
  if (length == 3) return code >= 0x800u && (code < 0xD800u || code > 0xDFFFu);
  if (length == 4) return code >= 0x10000u && code <= 0x10FFFFu;
  return true;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = character_length(first);
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (!is_continuation(byte)) return false;
      code = (code << 6) | (byte & 0x3Fu);
    }
    if (!is_allowed(code, length)) return false;
    i += length;
  }
  return true;
}

}  // namespace ta2s2::detail
