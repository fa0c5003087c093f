#include "ta2s2/base/text.hpp"

#include <algorithm>
#include <charconv>

namespace ta2s2 {
namespace {

// Long enough for every double with all its digits before the point.
constexpr std::size_t kLongestNumber = 400;

std::string written(double value, std::chars_format format, int precision) {
  char text[kLongestNumber];
  const auto end = std::to_chars(text, text + sizeof text, value, format, precision).ptr;
  return std::string(text, end);
}

}  // namespace

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  const auto last = text.find_last_not_of(" \t");
  return std::string(text.substr(first, last - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    parts.push_back(trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::vector<std::string> once(const std::vector<std::string>& sentences) {
  std::vector<std::string> result;
  for (const std::string& sentence : sentences) add_once(result, sentence);
  return result;
}

void add_once(std::vector<std::string>& sentences, const std::string& sentence) {
  if (!contains(sentences, sentence)) sentences.push_back(sentence);
}

std::string counted(long long count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string format_number(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string format_number(double value, int digits) {
  return written(value, std::chars_format::general, digits);
}

std::string format_fixed(double value, int decimals) {
  return written(value, std::chars_format::fixed, decimals);
}

std::string percent(double share, int digits) {
  const bool is_nearly_all = share > 0.99 && share < 1.0;
  return format_number(100.0 * share, is_nearly_all ? 4 : share < 1.0 ? digits : std::max(digits, 3)) + "%";
}

}  // namespace ta2s2
