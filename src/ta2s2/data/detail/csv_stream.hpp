// A CSV file row by row: its dialect is found, its header checked, every row as long as the others.
#pragma once

#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/detail/csv_dialect.hpp"
#include "ta2s2/data/detail/csv_tokenizer.hpp"
#include "ta2s2/data/detail/place.hpp"

namespace ta2s2::detail {

// Holds one row at a time. Columns are those with a name, counted from 0; an unnamed index column and empty
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

}  // namespace ta2s2::detail
