#include "ta2s2/simd/path.hpp"

#include "ta2s2/simd/targets.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <iterator>

#include "ta2s2/base/error.hpp"

namespace ta2s2 {
namespace {

struct Entry {
  SimdPath path;
  const char* name;
  std::int64_t target;  // Highway's; 0: needs nothing of the processor
};

// Slowest first.
constexpr Entry kPaths[] = {
    {SimdPath::plain, "plain", 0},      {SimdPath::baseline, "baseline", 0},    {SimdPath::sse4, "sse4", HWY_SSE4},
    {SimdPath::avx2, "avx2", HWY_AVX2}, {SimdPath::avx512, "avx512", HWY_AVX3}, {SimdPath::neon, "neon", HWY_NEON},
};

bool is_supported(const Entry& entry) {
  return entry.target == 0 || (hwy::SupportedTargets() & HWY_TARGETS & entry.target) != 0;
}

std::string supported_names() {
  std::string names = "auto";
  for (const SimdPath path : supported_simd_paths()) names += ", " + simd_path_name(path);
  return names;
}

}  // namespace

std::string simd_path_name(SimdPath path) {
  for (const Entry& entry : kPaths) {
    if (entry.path == path) return entry.name;
  }
  throw Error(ErrorCode::internal, "an instruction path without a name");
}

std::vector<std::string> simd_path_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kPaths) names.push_back(entry.name);
  return names;
}

bool is_simd_path(const std::string& name) {
  return std::any_of(std::begin(kPaths), std::end(kPaths), [&](const Entry& entry) { return name == entry.name; });
}

std::vector<SimdPath> supported_simd_paths() {
  std::vector<SimdPath> paths;
  for (const Entry& entry : kPaths) {
    if (is_supported(entry)) paths.push_back(entry.path);
  }
  return paths;
}

SimdPath best_simd_path() {
  return supported_simd_paths().back();
}

SimdPath choose_simd_path(const std::string& name) {
  if (name == "auto") return best_simd_path();
  for (const Entry& entry : kPaths) {
    if (name != entry.name) continue;
    if (is_supported(entry)) return entry.path;
    throw Error(ErrorCode::usage,
                "the instruction path " + name + " is not available on this processor; there are " + supported_names());
  }
  throw Error(ErrorCode::usage, "there is no instruction path " + name + "; there are " + supported_names());
}

}  // namespace ta2s2
