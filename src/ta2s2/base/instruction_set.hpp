// Which of the instruction sets that hot loops are compiled for this processor has.
#pragma once

namespace ta2s2 {

enum class InstructionSet { baseline, avx2, avx512 };

// Asked of the processor once. Highway would do the same, but its shared library measures the clock whenever a program
// starts, which takes longer than a small fit.
InstructionSet best_instruction_set();

}  // namespace ta2s2
