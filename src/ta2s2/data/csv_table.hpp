// A CSV file as text, whole in memory: for small tables. Runs and points are read row by row (load_runs,
// load_points).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ta2s2 {

struct CsvRow {
  int line = 0;                    // in the file, from 1
  std::vector<std::string> cells;  // one per name, trimmed, without quotes
};

struct CsvTable {
  std::string path;
  char separator = ',';  // ',', ';' or tab; with the last two, numbers may have a decimal comma
  int header_line = 0;
  std::vector<std::string> names;  // unique, not empty, UTF-8
  bool has_row_labels = false;     // an unnamed first column was left out
  std::vector<CsvRow> rows;        // at least one

  // Where cell `column` of a row stands in the file, from 1.
  int column_number(std::size_t column) const { return static_cast<int>(column) + (has_row_labels ? 2 : 1); }
};

// Finds the dialect: comma, semicolon or tab; quotes; CR, LF, CRLF; byte-order mark; trailing separators; an
// unnamed index column; # comments; blank lines. Throws Error{bad_file} if it cannot be read, Error{bad_data}
// if it is no table.
CsvTable read_csv_table(const std::filesystem::path& path);

}  // namespace ta2s2
