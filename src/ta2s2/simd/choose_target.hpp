// The object of one instruction path among those that foreach_target.h compiled; null where there is none.
#pragma once

#include <hwy/highway.h>

#include "ta2s2/simd/instruction_set.hpp"

#if HWY_TARGETS & HWY_AVX3
#define TA2S2_AVX512(object) (&N_AVX3::object)
#else
#define TA2S2_AVX512(object) nullptr
#endif
#if HWY_TARGETS & HWY_AVX2
#define TA2S2_AVX2(object) (&N_AVX2::object)
#else
#define TA2S2_AVX2(object) nullptr
#endif
#if HWY_TARGETS & HWY_SSE4
#define TA2S2_SSE4(object) (&N_SSE4::object)
#else
#define TA2S2_SSE4(object) nullptr
#endif
#if HWY_TARGETS & HWY_NEON
#define TA2S2_NEON(object) (&N_NEON::object)
#else
#define TA2S2_NEON(object) nullptr
#endif

#define TA2S2_FOR_PATH(path, object)                             \
  ((path) == InstructionSet::avx512     ? TA2S2_AVX512(object)   \
   : (path) == InstructionSet::avx2     ? TA2S2_AVX2(object)     \
   : (path) == InstructionSet::sse4     ? TA2S2_SSE4(object)     \
   : (path) == InstructionSet::neon     ? TA2S2_NEON(object)     \
   : (path) == InstructionSet::baseline ? &HWY_NAMESPACE::object \
                                        : nullptr)
