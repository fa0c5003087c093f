#include "ta2s2/data/detail/cell_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "ta2s2/data/detail/letter_case.hpp"

namespace ta2s2::detail {

namespace {

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

}  // namespace

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

}  // namespace ta2s2::detail
