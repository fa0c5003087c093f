// Instruction paths of the hot loop. One source is compiled for each; a run uses one of them from beginning to end.
#pragma once

#include <string>
#include <vector>

namespace ta2s2 {

// plain: the readable version, Eigen's, on every processor. baseline: what the compiler may use anyway.
enum class SimdPath { plain, baseline, sse4, avx2, avx512, neon };

std::string simd_path_name(SimdPath path);  // as the option spells it: "avx2"

std::vector<std::string> simd_path_names();  // of every path, also those that this processor lacks
bool is_simd_path(const std::string& name);

// Those that are compiled in and that this processor has, slowest first; plain is always the first of them.
std::vector<SimdPath> supported_simd_paths();
// From now on only those that every processor of a job has count as supported here. Before a path is chosen.
void keep_simd_paths(const std::vector<SimdPath>& shared);
SimdPath best_simd_path();

// "auto" or a name. Error{usage} for a path that does not exist, or that this processor or this program lacks.
SimdPath choose_simd_path(const std::string& name);

}  // namespace ta2s2
