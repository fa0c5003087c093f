// A CSV file: its dialect is found, its header checked, every row as long as the others.
#pragma once

#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_tokenizer.hpp"

namespace ta2s2 {

struct CsvRow {
  int line = 0;                    // in the file, from 1
  std::vector<std::string> cells;  // one per name, trimmed, without quotes
};

// The file as text, whole in memory: for small tables. Runs and points are read row by row (load_runs, read_points).
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

namespace ta2s2::detail {

// Holds one row of the file at a time. Columns are those with a name, counted from 0; an unnamed index column and empty
// columns behind trailing separators are not among them.
class CsvStream {
 public:
  explicit CsvStream(const std::filesystem::path& path);
  CsvStream(const CsvStream&) = delete;
  CsvStream& operator=(const CsvStream&) = delete;

  const std::string& path() const { return path_; }
  char separator() const { return separator_; }
  const std::vector<std::string>& names() const { return names_; }
  int header_line() const { return header_line_; }
  bool has_row_labels() const { return has_row_labels_; }

  // Moves to the next row; false at the end. A file without any row is an error.
  bool next();
  int line() const { return record_.line; }
  const std::string& cell(std::size_t column) const { return record_.cells[num_labels() + column]; }

  // For messages about the row it stands on, and about the header.
  Place place(std::size_t column) const { return place(column, record_.line); }
  Place header_place(std::size_t column) const { return place(column, header_line_); }

 private:
  void open(const std::filesystem::path& path);
  void read_head();
  void read_header(const CsvSample& sample);
  void check_names() const;
  void check_row() const;
  std::size_t num_labels() const { return has_row_labels_ ? 1 : 0; }
  std::size_t num_cells() const { return num_labels() + names_.size(); }
  Place place(std::size_t column, int line) const;

  std::string path_;
  std::unique_ptr<std::streambuf> bytes_;
  std::istream file_{nullptr};
  std::string head_;
  std::optional<CsvTokenizer> tokenizer_;
  char separator_ = ',';
  std::vector<std::string> names_;
  int header_line_ = 0;
  bool has_row_labels_ = false;
  std::size_t cells_per_row_ = 0;  // 0 until the first row is read
  CsvRecord record_;
};

// Rows of a CSV stream as numbers of chosen columns.
class RowNumbers {
 public:
  explicit RowNumbers(const CsvStream& stream) : stream_(stream), numbers_(stream.separator()) {}

  // A finite number from the row that the stream stands on; anything else is an Error{bad_data}. `hint` ends
  // its sentence.
  double finite(std::size_t column, const std::string& hint = "");

  // The same, but false for a missing, NaN or infinite cell.
  bool finite_or_missing(std::size_t column, double& value);

 private:
  [[noreturn]] void fail(std::size_t column, CellKind kind, const std::string& hint) const;

  const CsvStream& stream_;
  CellNumbers numbers_;
};

}  // namespace ta2s2::detail
