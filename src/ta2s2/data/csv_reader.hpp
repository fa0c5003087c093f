// A CSV file: its dialect is found, its header checked, every row as long as the others.
#pragma once

#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/data/csv_cells.hpp"

namespace ta2s2::detail {

// Bytes to records of cells: quotes, line ends, comments and blank lines. It knows nothing of headers or
// numbers.

struct CsvRecord {
  int line = 0;  // where it begins, from 1
  std::vector<std::string> cells;
};

class CsvTokenizer {
 public:
  // Reads `head`, then `rest` (null: nothing more). `path` is for messages. Both views must outlive the
  // tokenizer.
  CsvTokenizer(std::string_view path, char separator, std::string_view head, std::istream* rest);

  // The next record that is neither blank nor a comment; false at the end. Reuses the memory of `record`.
  bool next(CsvRecord& record);

  // Nothing is left to read.
  bool at_end() { return peek() == kEnd; }

 private:
  static constexpr int kEnd = -1;

  int peek();
  int take();
  bool refill();
  bool at_cell_end();
  void skip_spaces();
  void skip_comment();
  void take_line_end();
  bool read_record(CsvRecord& record);
  void read_cell(std::string& cell, int column);
  void read_plain(std::string& cell);
  void read_quoted(std::string& cell, int column);
  [[noreturn]] void fail_at_nul() const;

  std::string_view path_;
  char separator_;
  std::istream* rest_;
  std::string_view bytes_;
  std::size_t position_ = 0;
  std::string buffer_;
  int line_ = 1;
};

// Which separator a file uses, judged by its first lines.
struct CsvSample {
  char separator = ',';
  CsvRecord header;             // no cells if there is none
  std::vector<CsvRecord> rows;  // the first ones, whole
};

// `head` are the file's first bytes after any byte-order mark; `is_whole` says that there are no others.
CsvSample sample_csv(std::string_view path, std::string_view head, bool is_whole);

}  // namespace ta2s2::detail

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

// Columns by name, or by a list of names and patterns, with a helpful sentence where there is no such column.

// The column called `name`; Error{bad_data} that lists the columns there are, and the nearest one if it is
// close.
std::size_t find_column(const CsvStream& stream, const std::string& name);
std::vector<std::size_t> find_columns(const CsvStream& stream, const std::vector<std::string>& names);

// "a", "b", "c"; a long list is cut.
std::string listed(const std::vector<std::string>& names);

// The name that was probably meant, or "".
std::string nearest_name(const std::vector<std::string>& names, std::string_view wanted);

// Whether the whole name fits: * stands for any letters, also none, ? for exactly one byte.
bool fits_pattern(std::string_view name, std::string_view pattern);

// The columns that `text` names, in its order, each once: a column whose name is the text itself, or names and patterns
// separated by commas. A pattern takes no column of `taken`. Error{bad_data} for a name or pattern that no column fits.
std::vector<std::string> matching_columns(const CsvStream& stream, const std::string& text,
                                          const std::vector<std::string>& taken);

}  // namespace ta2s2::detail
