#include "ta2s2/simd/wave_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/wave_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <hwy/contrib/math/math-inl.h>

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

HWY_INLINE void vector_of_waves(const double* frequencies, V x, double* cosines, double* sines) {
  const V angle = hn::Mul(hn::LoadU(D(), frequencies), x);
  hn::StoreU(hn::Cos(D(), angle), D(), cosines);
  hn::StoreU(hn::Sin(D(), angle), D(), sines);
}

void waves(std::size_t count, const double* frequencies, double x, double* cosines, double* sines) {
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) vector_of_waves(frequencies + k, number(x), cosines + k, sines + k);
  if (k == count) return;
  double rest[3][kLanes] = {};
  std::copy(frequencies + k, frequencies + count, rest[0]);
  vector_of_waves(rest[0], number(x), rest[1], rest[2]);
  std::copy(rest[1], rest[1] + (count - k), cosines + k);
  std::copy(rest[2], rest[2] + (count - k), sines + k);
}

void sums_of_powers(std::size_t num_runs, std::size_t num_values, const double* weights, const double* base,
                    const double* own, double shape, double* sums) {
  static_assert(kPaddedValues % kLanes == 0);
  const V exponent = number(-kLog2E * shape);
  for (std::size_t j = 0; j < num_values; j += kLanes) {
    V sum = hn::Zero(D());
    for (std::size_t i = 0; i < num_runs; ++i) {
      const V inside = hn::Add(number(1.0 + base[i]), hn::LoadU(D(), own + i * num_values + j));
      const V power = hn::Mul(exponent, hn::Log(D(), inside));
      sum = hn::MulAdd(number(weights[i]), exp2_in_range(hn::Max(power, number(kLeastExponent))), sum);
    }
    hn::StoreU(sum, D(), sums + j);
  }
}

}  // namespace

extern const WaveRoutines kWaveKernels;
const WaveRoutines kWaveKernels = {waves, sums_of_powers};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2 {

const WaveRoutines* wave_routines(InstructionSet path) {
  return TA2S2_FOR_PATH(path, kWaveKernels);
}

}  // namespace ta2s2
#endif
