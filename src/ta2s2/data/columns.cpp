#include "ta2s2/data/columns.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "ta2s2/base/text.hpp"

namespace ta2s2::detail {
namespace {

constexpr std::size_t kMaxListed = 20;

// Levenshtein distance, by rows of the usual table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> columns_of(const CsvStream& stream, const std::string& part,
                                    const std::vector<std::string>& taken) {
  if (contains(stream.names(), part) || part.find_first_of("*?") == std::string::npos) {
    return {stream.names()[find_column(stream, part)]};
  }
  std::vector<std::string> fitting;
  for (const std::string& name : stream.names()) {
    if (fits_pattern(name, part) && !contains(taken, name)) fitting.push_back(name);
  }
  if (fitting.empty()) {
    fail_at({stream.path(), stream.header_line()}, "the columns " + listed(stream.names()),
            "at least one that fits " + shown(part));
  }
  return fitting;
}

}  // namespace

std::size_t find_column(const CsvStream& stream, const std::string& name) {
  const auto& names = stream.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_name(names, name);
  const std::string hint = nearest.empty() ? "" : " (did you mean " + shown(nearest) + "?)";
  fail_at({stream.path(), stream.header_line()}, "the columns " + listed(names), "a column " + shown(name) + hint);
}

std::vector<std::size_t> find_columns(const CsvStream& stream, const std::vector<std::string>& names) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(find_column(stream, name));
  return columns;
}

std::string listed(const std::vector<std::string>& names) {
  const std::span<const std::string> first(names.data(), std::min(names.size(), kMaxListed));
  std::string text = join(first, ", ", [](const std::string& name) { return shown(name); });
  if (names.size() > kMaxListed) text += " and " + std::to_string(names.size() - kMaxListed) + " more";
  return text;
}

std::string nearest_name(const std::vector<std::string>& names, std::string_view wanted) {
  const std::string lower = to_lower(wanted);
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string best;
  for (const std::string& name : names) {
    // One edit turns any single letter into any other: that is no likeness.
    const std::size_t distance = edit_distance(to_lower(name), lower);
    if (distance < best_distance && distance < std::max(name.size(), lower.size())) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

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
  if (contains(stream.names(), text)) return {text};
  std::vector<std::string> columns;
  for (const std::string& part : split(text, ',')) {
    for (const std::string& name : columns_of(stream, part, taken)) add_once(columns, name);
  }
  return columns;
}

}  // namespace ta2s2::detail
