#include "ta2s2/simd/instruction_set.hpp"

#include "ta2s2/simd/targets.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <iterator>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

bool always() {
  return true;
}
#if !HWY_ARCH_X86
bool never() {
  return false;
}
#endif

// What Highway compiles a target with; asked of the compiler, because Highway's own answer lies in a shared library
// that measures the processor's clock for milliseconds whenever it is loaded.
#if HWY_ARCH_X86
bool has_sse4() {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
}
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
}
#else
constexpr auto has_sse4 = never, has_avx2 = never, has_avx512 = never;
#endif

struct Entry {
  InstructionSet path;
  const char* name;
  std::int64_t target;  // Highway's; 0: needs no compiled one
  bool (*is_on_processor)();
};

// Slowest first.
constexpr Entry kPaths[] = {
    {InstructionSet::plain, "plain", 0, always},
    {InstructionSet::baseline, "baseline", 0, always},
    {InstructionSet::sse4, "sse4", HWY_SSE4, has_sse4},
    {InstructionSet::avx2, "avx2", HWY_AVX2, has_avx2},
    {InstructionSet::avx512, "avx512", HWY_AVX3, has_avx512},
    {InstructionSet::neon, "neon", HWY_NEON, always},
};

bool is_here(const Entry& entry) {
  return entry.target == 0 || ((HWY_TARGETS & entry.target) != 0 && entry.is_on_processor());
}

unsigned bit_of(InstructionSet path) {
  return 1u << static_cast<unsigned>(path);
}

unsigned kept_paths = ~0u;

bool is_supported(const Entry& entry) {
  return is_here(entry) && (kept_paths & bit_of(entry.path)) != 0;
}

std::string supported_names() {
  return "auto, " + join(supported_instruction_sets(), ", ", instruction_set_name);
}

}  // namespace

std::string instruction_set_name(InstructionSet path) {
  for (const Entry& entry : kPaths) {
    if (entry.path == path) return entry.name;
  }
  throw Error(ErrorCode::internal, "an instruction path without a name");
}

std::vector<std::string> instruction_set_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kPaths) names.push_back(entry.name);
  return names;
}

bool is_instruction_set(const std::string& name) {
  return std::any_of(std::begin(kPaths), std::end(kPaths), [&](const Entry& entry) { return name == entry.name; });
}

std::vector<InstructionSet> supported_instruction_sets() {
  std::vector<InstructionSet> paths;
  for (const Entry& entry : kPaths) {
    if (is_supported(entry)) paths.push_back(entry.path);
  }
  return paths;
}

void keep_instruction_sets(const std::vector<InstructionSet>& shared) {
  kept_paths = bit_of(InstructionSet::plain);
  for (const InstructionSet path : shared) kept_paths |= bit_of(path);
}

InstructionSet best_instruction_set() {
  return supported_instruction_sets().back();
}

InstructionSet choose_instruction_set(const std::string& name) {
  if (name == "auto") return best_instruction_set();
  for (const Entry& entry : kPaths) {
    if (name != entry.name) continue;
    if (is_supported(entry)) return entry.path;
    const std::string where = is_here(entry) ? "on every processor of this job" : "on this processor";
    throw Error(ErrorCode::usage,
                "the instruction path " + name + " is not available " + where + "; there are " + supported_names());
  }
  throw Error(ErrorCode::usage, "there is no instruction path " + name + "; there are " + supported_names());
}

}  // namespace ta2s2
