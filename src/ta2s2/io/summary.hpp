// What people and other languages want to know of an emulator. A judgement for each output.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/judgement.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// As JSON: the fields of the records but for draws and runs, and what follows from them (docs/file_formats.md). What is
// not known is null. A line per value.
std::string summary_json(const EmulatorRecord& model, const std::vector<Judgement>& judgements);
std::string summary_json(const OutputRecord& output, const Judgement& judgement);

// For a terminal. Tables: posterior, modes, levels, settings.
std::string summary_text(const EmulatorRecord& model, const std::vector<Judgement>& judgements);
// A few lines: runs, sample, evidence, judgement, time.
std::string brief_text(const EmulatorRecord& model, const std::vector<Judgement>& judgements);

}  // namespace ta2s2
