#include "ta2s2/data/detail/row_numbers.hpp"

namespace ta2s2::detail {

double RowNumbers::finite(std::size_t column, const std::string& hint) {
  const CellNumber number = numbers_.read(stream_.cell(column));
  if (number.kind != CellKind::number) fail(column, number.kind, hint);
  return number.value;
}

bool RowNumbers::finite_or_missing(std::size_t column, double& value) {
  const CellNumber number = numbers_.read(stream_.cell(column));
  if (number.kind == CellKind::missing || number.kind == CellKind::infinite) return false;
  if (number.kind != CellKind::number) fail(column, number.kind, ", or nothing for a failed run");
  value = number.value;
  return true;
}

void RowNumbers::fail(std::size_t column, CellKind kind, const std::string& hint) const {
  const std::string& cell = stream_.cell(column);
  fail_at(stream_.place(column), cell.empty() ? "an empty cell" : shown(cell), expected_for(kind) + hint);
}

}  // namespace ta2s2::detail
