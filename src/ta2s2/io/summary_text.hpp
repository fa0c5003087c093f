// What people want to know of an emulator, as text for a terminal. A judgement for each output.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/judgement.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// Tables: posterior, modes, levels, settings.
std::string summary_text(const EmulatorRecord& model, const std::vector<Judgement>& judgements);
// A few lines: runs, sample, evidence, judgement, time.
std::string brief_text(const EmulatorRecord& model, const std::vector<Judgement>& judgements);

}  // namespace ta2s2
