// Columns by name, or by a list of names and patterns, with a helpful sentence where there is no such column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/data/csv_reader.hpp"

namespace ta2s2::detail {

// The column called `name`; Error{bad_data} that lists the columns there are, and the nearest one if it is
// close.
std::size_t find_column(const CsvStream& stream, const std::string& name);
std::vector<std::size_t> find_columns(const CsvStream& stream, const std::vector<std::string>& names);

// "a", "b", "c"; a long list is cut.
std::string listed(const std::vector<std::string>& names);

// The name that was probably meant, or "".
std::string nearest_name(const std::vector<std::string>& names, std::string_view wanted);

// Whether the whole name fits: * stands for any letters, also none, ? for exactly one byte.
bool fits_pattern(std::string_view name, std::string_view pattern);

// The columns that `text` names, in its order, each once: a column whose name is the text itself, or names and patterns
// separated by commas. A pattern takes no column of `taken`. Error{bad_data} for a name or pattern that no column fits.
std::vector<std::string> matching_columns(const CsvStream& stream, const std::string& text,
                                          const std::vector<std::string>& taken);

}  // namespace ta2s2::detail
