// Two fits side by side, from their records.
#pragma once

#include <string>

namespace ta2s2 {

// The label names a fit on the page: its file.
struct LabelledRecord {
  std::string label, record;
};

// Error{usage} unless both are records of fits.
std::string make_comparison_record(const LabelledRecord& first, const LabelledRecord& second);

}  // namespace ta2s2
