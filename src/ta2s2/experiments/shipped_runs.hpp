// The numbers of the CSV files of examples/data that experiments use, compiled in (cmake/embed_runs.cmake).
#pragma once

#include <string>
#include <vector>

namespace ta2s2 {

struct ShippedTable {
  std::string name;             // of the file, without its ending
  std::vector<double> numbers;  // row after row: the inputs, then the output
};

const std::vector<ShippedTable>& shipped_tables();

}  // namespace ta2s2
