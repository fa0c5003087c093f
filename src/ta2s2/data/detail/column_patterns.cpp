#include "ta2s2/data/detail/column_patterns.hpp"

#include <algorithm>

#include "ta2s2/data/detail/column_lookup.hpp"

namespace ta2s2::detail {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> parts_between_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(','); end != std::string::npos; end = text.find(',', begin)) {
    parts.push_back(without_blanks(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  parts.push_back(without_blanks(std::string_view(text).substr(begin)));
  return parts;
}

std::vector<std::string> columns_of(const CsvStream& stream, const std::string& part,
                                    const std::vector<std::string>& taken) {
  if (has(stream.names(), part) || part.find_first_of("*?") == std::string::npos) {
    return {stream.names()[find_column(stream, part)]};
  }
  std::vector<std::string> fitting;
  for (const std::string& name : stream.names()) {
    if (fits_pattern(name, part) && !has(taken, name)) fitting.push_back(name);
  }
  if (fitting.empty()) {
    fail_at({stream.path(), stream.header_line()}, "the columns " + listed(stream.names()),
            "at least one that fits " + shown(part));
  }
  return fitting;
}

}  // namespace

bool fits_pattern(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
      if (fits_pattern(name.substr(skipped), pattern.substr(1))) return true;
    }
    return false;
  }
  if (name.empty() || (pattern.front() != '?' && pattern.front() != name.front())) return false;
  return fits_pattern(name.substr(1), pattern.substr(1));
}

std::vector<std::string> matching_columns(const CsvStream& stream, const std::string& text,
                                          const std::vector<std::string>& taken) {
  if (text.empty()) return {};
  if (has(stream.names(), text)) return {text};
  std::vector<std::string> columns;
  for (const std::string& part : parts_between_commas(text)) {
    for (const std::string& name : columns_of(stream, part, taken)) {
      if (!has(columns, name)) columns.push_back(name);
    }
  }
  return columns;
}

}  // namespace ta2s2::detail
