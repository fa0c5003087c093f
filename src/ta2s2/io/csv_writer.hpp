// CSV that any program reads: commas, LF, names quoted where they must be, numbers that read back as the same double.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

void write_csv_cells(std::ostream& out, const std::vector<std::string>& cells);  // one row of text
void write_csv_header(std::ostream& out, const std::vector<std::string>& names);
void write_csv_rows(std::ostream& out, MatrixView rows);
void write_csv_rows(std::ostream& out, const std::string& label, MatrixView rows);  // the label first in every row

}  // namespace ta2s2
