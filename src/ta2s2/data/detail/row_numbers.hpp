// Rows of a CSV stream as numbers of chosen columns.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/data/detail/cell_number.hpp"
#include "ta2s2/data/detail/csv_stream.hpp"

namespace ta2s2::detail {

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
