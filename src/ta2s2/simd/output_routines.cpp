#include "ta2s2/simd/output_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/output_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

struct BoxCox {
  V log_v, value;
};

// A power so small that expm1 changes nothing stands for zero.
HWY_INLINE BoxCox box_cox(V u, V shift, V power) {
  const V divisor = hn::IfThenElse(hn::Eq(power, hn::Zero(D())), number(0x1p-500), power);
  const V log_v = hn::Log(D(), hn::Add(u, shift));
  return {log_v, hn::Div(hn::Expm1(D(), hn::Mul(divisor, log_v)), divisor)};
}

void box_cox_in_lanes(double u, const double* shifts, const double* powers, double* log_v, double* values) {
  const BoxCox all = box_cox(number(u), hn::Load(D(), shifts), hn::Load(D(), powers));
  hn::Store(all.log_v, D(), log_v);
  hn::Store(all.value, D(), values);
}

void vector_of_runs(const double* u, V shift, V power, double* log_v, double* values) {
  const BoxCox all = box_cox(hn::LoadU(D(), u), shift, power);
  hn::StoreU(all.log_v, D(), log_v);
  hn::StoreU(all.value, D(), values);
}

void box_cox_of_runs(std::size_t count, const double* u, double shift, double power, double* log_v, double* values) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) vector_of_runs(u + i, number(shift), number(power), log_v + i, values + i);
  if (i == count) return;
  double rest[3][kLanes] = {};
  std::copy(u + i, u + count, rest[0]);
  vector_of_runs(rest[0], number(shift), number(power), rest[1], rest[2]);
  std::copy(rest[1], rest[1] + (count - i), log_v + i);
  std::copy(rest[2], rest[2] + (count - i), values + i);
}

}  // namespace

extern const OutputRoutines kOutputKernels;
const OutputRoutines kOutputKernels = {box_cox_in_lanes, box_cox_of_runs};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2 {

const OutputRoutines* output_routines(InstructionSet path) {
  return TA2S2_FOR_PATH(path, kOutputKernels);
}

}  // namespace ta2s2
#endif
