// Several outputs on one page, from their records.
#pragma once

#include <string>
#include <vector>

namespace ta2s2 {

// Of one record: itself.
std::string make_outputs_record(const std::vector<std::string>& records);

}  // namespace ta2s2
