// The files of report/page and the plotting library, as text.
#pragma once

#include <string>

namespace ta2s2::detail {

// By its name, as "report.css".
const std::string& page_file(const std::string& name);

}  // namespace ta2s2::detail
