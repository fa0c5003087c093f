// Columns by name, with a helpful sentence when there is no such column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/data/detail/csv_stream.hpp"

namespace ta2s2::detail {

// The column called `name`; Error{bad_data} that lists the columns there are, and the nearest one if it is
// close.
std::size_t find_column(const CsvStream& stream, const std::string& name);
std::vector<std::size_t> find_columns(const CsvStream& stream, const std::vector<std::string>& names);

// "a", "b", "c"; a long list is cut.
std::string listed(const std::vector<std::string>& names);

// The name that was probably meant, or "".
std::string nearest_name(const std::vector<std::string>& names, std::string_view wanted);

}  // namespace ta2s2::detail
