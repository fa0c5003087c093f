#include "ta2s2/workflow/memory_use.hpp"

#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {
namespace {

constexpr double kWord = sizeof(double);
constexpr double kProgramBytes = 8.5e6;

double real(Index count) {
  return static_cast<double>(count);
}

// Matrices of n by n that the reference prior's information works in, beside the factor: K, its derivative, L^-1 and
// the lower triangle of each direction; the squared exponential's own form has two and a half more.
double information_matrices(const GpTarget& target) {
  if (target.information() == InformationOver::nothing) return 0.0;
  const bool with_nugget = target.information() == InformationOver::length_scales_and_nugget;
  const bool is_structured = target.model()->covariance().form() == CorrelationForm::exponential &&
                             target.model()->covariance().pair_feature() == PairFeature::squared_distance;
  return 3.5 + 0.5 * real(target.space().num_inputs() + (with_nugget ? 1 : 0)) + (is_structured ? 2.5 : 0.0);
}

// The factor's lower triangle, in panels, or K and L in full, in the plain form; below 160 runs one per lane too.
double factor_matrices(const GpTarget& target, InstructionSet path) {
  if (path == InstructionSet::plain) return 2.0;
  return 0.5 + (target.lanes() > 1 ? 0.5 * target.lanes() : 0.0);
}

// Features of every pair of runs: what blocks of small matrices share, and correlations that need a table.
double feature_words(const GpTarget& target, InstructionSet path) {
  const GpModel& model = *target.model();
  if (path == InstructionSet::plain) return 0.0;
  const double pairs = real(model.num_runs()) * real(model.num_runs()) * real(model.num_inputs());
  return (target.lanes() > 1 ? 0.5 * pairs : 0.0) +
         (model.covariance().pair_feature() == PairFeature::table ? pairs : 0.0);
}

// Positions and energies of all levels, and what each weighs at each of them (smc/sampler_result.cpp).
double state_words(const GpTarget& target, const FitOptions& options, double num_levels) {
  constexpr double kCopies = 1.4;  // of a state: its level's, and the weighted sample's of those that count
  const double of_weights = takes_all_levels(options) ? num_levels + 1.0 : 0.0;
  return real(options.annealing.num_samples) * (num_levels + 1.0) * (kCopies * real(target.dim() + 4) + of_weights);
}

// A level's matrices are given back and taken anew. What is larger than this glibc returns to the system; of what is
// smaller it may keep as much again.
double kept(double bytes) {
  constexpr double kLargestKept = 32.0 * 1024.0 * 1024.0;
  return bytes < kLargestKept ? 2.0 * bytes : bytes;
}

}  // namespace

MemoryUse operator+(const MemoryUse& a, const MemoryUse& b) {
  return {a.shared_bytes + b.shared_bytes - kProgramBytes, a.bytes_per_thread + b.bytes_per_thread};
}

MemoryUse memory_use(const GpTarget& target, const FitOptions& options, double num_levels) {
  const InstructionSet path = choose_instruction_set(options.simd);
  const double n = real(target.model()->num_runs());
  MemoryUse use;
  use.bytes_per_thread = kept(kWord * n * n * (factor_matrices(target, path) + information_matrices(target)));
  use.shared_bytes = kProgramBytes + kWord * (feature_words(target, path) + state_words(target, options, num_levels));
  return use;
}

}  // namespace ta2s2
