// Studies as Markdown tables, one row for each problem and number of samples.
#pragma once

#include <iosfwd>

#include "whole_run/bias.hpp"

namespace ta2s2::whole_run {

struct TableRow {
  std::string problem;
  Index num_samples;
  Study study;
};

// The final levels' table, then the recycled samples'. A bias in bold is beyond chance at a family-wise level of 0.1%
// over all values of both tables.
void write_tables(const std::vector<TableRow>& rows, std::ostream& out);

}  // namespace ta2s2::whole_run
