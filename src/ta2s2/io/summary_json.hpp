// What people and other languages want to know of a fit, as JSON: the fields of the records but for draws and runs, and
// what follows from them (docs/file_formats.md). What is not known is null.
#pragma once

#include <string>

#include "ta2s2/judgement.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// A line per value; a judgement for each output.
std::string summary_json(const EmulatorRecord& model, const std::vector<Judgement>& judgements);
std::string summary_json(const OutputRecord& output, const Judgement& judgement);

}  // namespace ta2s2
