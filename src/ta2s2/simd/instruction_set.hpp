// Instruction paths of the hot loop. One source is compiled for each; a run uses one of them from beginning to end.
#pragma once

#include <string>
#include <vector>

namespace ta2s2 {

// plain: the readable version, Eigen's, on every processor. baseline: what the compiler may use anyway.
enum class InstructionSet { plain, baseline, sse4, avx2, avx512, neon };

std::string instruction_set_name(InstructionSet path);  // as the option spells it: "avx2"

std::vector<std::string> instruction_set_names();  // of every path, also those that this processor lacks
bool is_instruction_set(const std::string& name);

// Those that are compiled in and that this processor has, slowest first; plain is always the first of them.
std::vector<InstructionSet> supported_instruction_sets();
// From now on only those that every processor of a job has count as supported here. Before a path is chosen.
void keep_instruction_sets(const std::vector<InstructionSet>& shared);
InstructionSet best_instruction_set();

// "auto" or a name. Error{usage} for a path that does not exist, or that this processor or this program lacks.
InstructionSet choose_instruction_set(const std::string& name);

}  // namespace ta2s2
