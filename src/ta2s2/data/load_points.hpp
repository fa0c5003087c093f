// New input points from a CSV file, by column name: other columns are ignored and the order of columns is
// free.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// Reads block after block and never holds more than one: files of millions of points are fine. A missing
// column, and a cell that is missing or no finite number, is an Error{bad_data} with file, line and column.
class PointReader {
 public:
  PointReader(const std::filesystem::path& path, const std::vector<std::string>& input_names);
  PointReader(PointReader&&) noexcept;
  PointReader& operator=(PointReader&&) noexcept;
  ~PointReader();

  // The next points, one per row and at most max_rows; false, and a block without rows, after the last.
  bool next_block(Index max_rows, Matrix& block);

  // The line in the file of each row of the latest block.
  const std::vector<int>& lines() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Matrix load_points(const std::filesystem::path& path, const std::vector<std::string>& input_names);

}  // namespace ta2s2
