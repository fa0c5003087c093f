// From a record to the page: one HTML file that needs nothing else.
#pragma once

#include <string>

namespace ta2s2 {

// `record` as report_record.hpp makes or finds it.
std::string render_report(const std::string& record);

}  // namespace ta2s2
