// Results as a CSV file that grows: rows are there as soon as they are known, and a later run goes on where this one
// ended.
#pragma once

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ta2s2::lab {

using ResultRow = std::vector<std::string>;

// The first `num_keys` columns name a row. Each append is flushed; a last line that was cut short (a killed run, a full
// disk) is removed when the file is opened again. Error{cannot_write} if it cannot be written, Error{bad_data} if it
// holds other columns.
class ResultFile {
 public:
  ResultFile(std::filesystem::path path, ResultRow columns, std::size_t num_keys);

  const std::filesystem::path& path() const { return path_; }
  const ResultRow& columns() const { return columns_; }
  const std::vector<ResultRow>& rows() const { return rows_; }

  // Null if no row has this key.
  const ResultRow* find(const ResultRow& key) const;
  void append(const ResultRow& row);

 private:
  void read();
  void remember(ResultRow row);

  std::filesystem::path path_;
  ResultRow columns_;
  std::size_t num_keys_;
  std::vector<ResultRow> rows_;
  std::map<ResultRow, std::size_t> row_of_key_;
  std::ofstream stream_;
};

// Error{cannot_write} if there is no such folder and none can be made.
void make_folder(const std::filesystem::path& folder);

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Results by the names of their columns. A view: the file must outlive it.
class ResultTable {
 public:
  explicit ResultTable(const ResultFile& results) : results_(&results) {}

  const std::vector<ResultRow>& rows() const { return results_->rows(); }
  const std::string& text(const ResultRow& row, const std::string& column) const;
  double number(const ResultRow& row, const std::string& column) const;  // NaN for an empty cell
  // Those of the rows that have one.
  std::vector<double> numbers(const std::vector<const ResultRow*>& rows, const std::string& column) const;

 private:
  const ResultFile* results_;
};

}  // namespace ta2s2::lab
