// A small CSV table with its cells by the names of their columns.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ta2s2/data/csv_reader.hpp"

namespace ta2s2::detail {

class FigureTable {
 public:
  explicit FigureTable(const std::filesystem::path& path) : table_(read_csv_table(path)) {}

  std::size_t size() const { return table_.rows.size(); }
  const std::vector<std::string>& names() const { return table_.names; }
  bool has(const std::string& column) const;
  // Error{bad_data} for a column that is not there, and for a cell that is no number; NaN for an empty cell.
  const std::string& text(std::size_t row, const std::string& column) const;
  double number(std::size_t row, const std::string& column) const;
  std::vector<double> numbers(const std::string& column) const;

 private:
  std::size_t index_of(const std::string& column) const;

  CsvTable table_;
};

}  // namespace ta2s2::detail
