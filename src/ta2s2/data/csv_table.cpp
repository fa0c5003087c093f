#include "ta2s2/data/csv_table.hpp"

#include "ta2s2/data/detail/csv_stream.hpp"

namespace ta2s2 {

CsvTable read_csv_table(const std::filesystem::path& path) {
  detail::CsvStream stream(path);
  CsvTable table{stream.path(), stream.separator(), stream.header_line(), stream.names(), stream.has_row_labels(), {}};
  while (stream.next()) {
    CsvRow& row = table.rows.emplace_back();
    row.line = stream.line();
    for (std::size_t column = 0; column < table.names.size(); ++column) row.cells.push_back(stream.cell(column));
  }
  return table;
}

}  // namespace ta2s2
