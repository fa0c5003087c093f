// Columns by a list of names and patterns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/data/detail/csv_stream.hpp"

namespace ta2s2::detail {

// Whether the whole name fits: * stands for any letters, also none, ? for exactly one byte.
bool fits_pattern(std::string_view name, std::string_view pattern);

// The columns that `text` names, in its order, each once: a column whose name is the text itself, or names and patterns
// separated by commas. A pattern takes no column of `taken`. Error{bad_data} for a name or pattern that no column fits.
std::vector<std::string> matching_columns(const CsvStream& stream, const std::string& text,
                                          const std::vector<std::string>& taken);

}  // namespace ta2s2::detail
