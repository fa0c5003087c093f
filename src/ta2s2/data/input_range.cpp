#include "ta2s2/dataset.hpp"

#include <cmath>
#include <map>

#include "ta2s2/base/text.hpp"
#include "ta2s2/data/columns.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_reader.hpp"

namespace ta2s2 {

namespace {

using detail::fail_at;
using detail::Place;
using detail::shown;

// The one column whose name is among `spellings`.
std::size_t find_spelled(const CsvTable& table, const std::vector<std::string>& spellings) {
  std::size_t found = table.names.size();
  for (std::size_t column = 0; column < table.names.size(); ++column) {
    const std::string name = to_lower(table.names[column]);
    if (!contains(spellings, name)) continue;
    if (found < table.names.size())
      fail_at({table.path, table.header_line, table.column_number(column), table.names[column]},
              "a second such column after " + shown(table.names[found]), "one column of " + detail::listed(spellings));
    found = column;
  }
  if (found == table.names.size())
    fail_at({table.path, table.header_line}, "the columns " + detail::listed(table.names),
            "a column " + shown(spellings[0]) + " (the columns are name, min, max)");
  return found;
}

Place place_of(const CsvTable& table, const CsvRow& row, std::size_t column) {
  return {table.path, row.line, table.column_number(column), table.names[column]};
}

double read_bound(const CsvTable& table, const CsvRow& row, std::size_t column, detail::CellNumbers& numbers) {
  const std::string& cell = row.cells[column];
  const detail::CellNumber number = numbers.read(cell);
  if (number.kind != detail::CellKind::number)
    fail_at(place_of(table, row, column), cell.empty() ? "an empty cell" : shown(cell), expected_for(number.kind));
  return number.value;
}

}  // namespace

std::vector<InputRange> read_ranges(const std::filesystem::path& path) {
  const CsvTable table = read_csv_table(path);
  const std::size_t name = find_spelled(table, {"name"});
  const std::size_t low = find_spelled(table, {"min", "low", "lower"});
  const std::size_t high = find_spelled(table, {"max", "high", "upper"});
  detail::CellNumbers numbers(table.separator);
  std::map<std::string, int> line_of_name;
  std::vector<InputRange> ranges;
  for (const CsvRow& row : table.rows) {
    const InputRange range{row.cells[name], read_bound(table, row, low, numbers),
                           read_bound(table, row, high, numbers)};
    const Place named = place_of(table, row, name);
    if (range.name.empty()) fail_at(named, "an empty cell", "the name of an input");
    if (!detail::is_utf8(range.name)) fail_at(named, "a name that is not UTF-8", "UTF-8 text");
    const auto [first, is_new] = line_of_name.emplace(range.name, row.line);
    if (!is_new)
      fail_at(named, shown(range.name) + " again after line " + std::to_string(first->second), "each input once");
    if (!(range.low < range.high) || !std::isfinite(range.high - range.low))
      fail_at(place_of(table, row, high), "a range from " + shown(range.low) + " to " + shown(range.high),
              "a maximum above the minimum");
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace ta2s2
