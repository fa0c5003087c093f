#include "ta2s2/data/detail/place.hpp"

#include <charconv>

#include "ta2s2/data/detail/utf8.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::detail {

namespace {

constexpr std::size_t kMaxShown = 60;

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

bool is_control(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code < 0x20u || code == 0x7Fu;
}

}  // namespace

std::string to_text(const Place& place) {
  std::string text(place.path);
  if (place.line > 0) text += ", line " + std::to_string(place.line);
  if (place.column > 0 || !place.name.empty()) text += ", column";
  if (place.column > 0) text += " " + std::to_string(place.column);
  if (!place.name.empty()) text += " " + shown(place.name);
  return text;
}

void fail_at(const Place& place, const std::string& found, const std::string& expected) {
  throw Error(ErrorCode::bad_data, to_text(place) + ": found " + found + ", expected " + expected);
}

std::string shown(std::string_view text) {
  const bool utf8 = is_utf8(text);
  std::size_t length = text.size();
  if (length > kMaxShown) {
    length = kMaxShown;
    while (utf8 && is_continuation(text[length])) --length;
  }
  std::string quoted = "\"";
  for (const char byte : text.substr(0, length)) {
    const bool foreign = !utf8 && static_cast<unsigned char>(byte) >= 0x80u;
    quoted += is_control(byte) ? ' ' : foreign ? '?' : byte;
  }
  return quoted + (length < text.size() ? "...\"" : "\"");
}

std::string shown(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return std::string(digits, end.ptr);
}

}  // namespace ta2s2::detail
