#include "ta2s2/data/csv_cells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"

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

constexpr std::array<std::string_view, 6> kMissing = {"", "nan", "na", "n/a", "null", "none"};
constexpr std::array<std::string_view, 2> kInfinite = {"inf", "infinity"};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view without_sign(std::string_view cell) {
  return !cell.empty() && (cell[0] == '+' || cell[0] == '-') ? cell.substr(1) : cell;
}

CellKind kind_of_word(std::string_view cell) {
  const std::string word = to_lower(without_sign(cell));
  if (contains(kInfinite, word)) return CellKind::infinite;
  if (contains(kMissing, word) && (!word.empty() || cell.empty())) return CellKind::missing;
  return CellKind::not_a_number;
}

// The cell in the spelling that std::from_chars reads: no plus sign, a decimal point, e for Fortran's d.
// Empty if it holds any other character, so that hex and nan(...) never reach from_chars.
std::string plain_spelling(std::string_view cell, bool allows_comma) {
  if (!cell.empty() && cell[0] == '+' && cell != "+" && cell[1] != '-') cell.remove_prefix(1);
  std::string text(cell);
  for (char& c : text) {
    if (c == ',' && allows_comma) c = '.';
    if (c == 'd' || c == 'D') c = 'e';
    const bool known = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    if (!known) return {};
  }
  return text;
}

template <class Real>
std::from_chars_result read_all(const std::string& text, Real& value) {
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ptr != text.data() + text.size()) result.ec = std::errc::invalid_argument;
  return result;
}

CellNumber parse(const std::string& text) {
  double value = 0.0;
  std::errc status = read_all(text, value).ec;
  if (status == std::errc::result_out_of_range) {
    // Too large or too small for a double; from_chars does not say which.
    long double wide = 0.0L;
    status = read_all(text, wide).ec;
    value = static_cast<double>(wide);
  }
  if (status != std::errc()) return {CellKind::not_a_number};
  if (std::isinf(value)) return {CellKind::infinite};
  return {CellKind::number, value};
}

constexpr std::size_t kMaxShown = 60;

bool is_control(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code < 0x20u || code == 0x7Fu;
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

CellNumber CellNumbers::read(std::string_view cell) {
  const std::string text = plain_spelling(cell, allows_comma_);
  if (text.empty()) return {kind_of_word(cell)};
  const CellNumber number = parse(text);
  const std::size_t mark = allows_comma_ ? cell.find_first_of(",.") : std::string_view::npos;
  if (number.kind != CellKind::number || mark == std::string_view::npos) return number;
  if (mark_ == '\0') mark_ = cell[mark];
  return mark_ == cell[mark] ? number : CellNumber{CellKind::mixed_marks};
}

std::string expected_for(CellKind kind) {
  if (kind == CellKind::infinite) return "a finite number";
  if (kind == CellKind::mixed_marks) return "the same decimal mark, point or comma, as in the numbers before";
  return "a number";
}

bool is_number(std::string_view cell, char separator) {
  return CellNumbers(separator).read(cell).kind == CellKind::number;
}

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
    while (utf8 && is_continuation(static_cast<unsigned char>(text[length]))) --length;
  }
  std::string quoted = "\"";
  for (const char byte : text.substr(0, length)) {
    const bool foreign = !utf8 && static_cast<unsigned char>(byte) >= 0x80u;
    quoted += is_control(byte) ? ' ' : foreign ? '?' : byte;
  }
  return quoted + (length < text.size() ? "...\"" : "\"");
}

std::string shown(double value) {
  return format_number(value);
}

}  // namespace ta2s2::detail
