// The standard Student t from its table, a vector at a time. Included once per instruction path.
#if defined(TA2S2_STUDENT_CELLS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_STUDENT_CELLS_INL
#undef TA2S2_STUDENT_CELLS_INL
#else
#define TA2S2_STUDENT_CELLS_INL
#endif

#include <cmath>

#include <hwy/contrib/math/math-inl.h>

#include "ta2s2/simd/detail/vector_math-inl.hpp"
#include "ta2s2/simd/mixture_routines.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

using Bits = hn::RebindToSigned<D>;
static_assert(kPaddedComponents % kLanes == 0, "components come in whole vectors");

// Where w = 1 + |t| lies among the cells: s in [-1, 1) across its cell, whose coefficients are c.
struct Place {
  V w, s, c[StudentCells::kTerms];
};

HWY_INLINE Place locate(const StudentCells& cells, V magnitude) {
  constexpr int kShift = 52 - StudentCells::kCellBits;
  constexpr std::int64_t kOne = 0x3ff0'0000'0000'0000;
  const Bits bits;
  Place place;
  place.w = hn::Min(hn::Add(number(1.0), magnitude), number(cells.end));
  const auto w = hn::BitCast(bits, place.w);
  const auto fraction = hn::And(hn::ShiftLeft<StudentCells::kCellBits>(w), hn::Set(bits, 0x000f'ffff'ffff'ffff));
  place.s = hn::MulSub(number(2.0), hn::BitCast(D(), hn::Or(fraction, hn::Set(bits, kOne))), number(3.0));
  const auto cell = hn::Sub(hn::ShiftRight<kShift>(w), hn::Set(bits, kOne >> kShift));
  const auto first = hn::ShiftLeft<3>(cell);
  HWY_UNROLL(8) for (int k = 0; k < StudentCells::kTerms; ++k) {
    place.c[k] = hn::GatherIndex(D(), cells.terms + k, first);
  }
  return place;
}

HWY_INLINE V beyond(const Place& at) {
  const V s2 = hn::Mul(at.s, at.s);
  const V low = hn::MulAdd(hn::MulAdd(at.c[3], at.s, at.c[2]), s2, hn::MulAdd(at.c[1], at.s, at.c[0]));
  const V high = hn::MulAdd(hn::MulAdd(at.c[7], at.s, at.c[6]), s2, hn::MulAdd(at.c[5], at.s, at.c[4]));
  return hn::MulAdd(high, hn::Mul(s2, s2), low);
}

// -d beyond / dt: ds/dt is two over the width of the cell, 128 over the power of two below w.
HWY_INLINE V density(const Place& at) {
  V slope = hn::Mul(number(7.0), at.c[7]);
  for (int k = 6; k >= 1; --k) slope = hn::MulAdd(slope, at.s, hn::Mul(number(k), at.c[k]));
  const auto exponent = hn::And(hn::BitCast(D(), hn::Set(Bits(), 0x7ff0'0000'0000'0000)), at.w);
  return hn::Div(hn::Mul(slope, number(-128.0)), exponent);
}

HWY_INLINE double sum_of(V sums) {
  return hn::GetLane(hn::SumOfLanes(D(), sums));
}

HWY_INLINE V at(const double* numbers, std::size_t i) {
  return hn::Load(D(), numbers + i);
}

HWY_INLINE V tail_at(V t, V outside) {
  return hn::IfThenElse(hn::Gt(t, hn::Zero(D())), outside, hn::Sub(number(1.0), outside));
}

// log (1 + t^2 / df)^-power, or its limit -t^2 / 2.
HWY_INLINE V log_kernel(const MixtureProblem& problem, double power, V squared) {
  if (std::isinf(problem.df)) return hn::Mul(squared, number(-0.5));
  return hn::Mul(number(-power), hn::Log1p(D(), hn::Div(squared, number(problem.df))));
}

// exp(x) for x <= 0: zero to rounding where it is held at 2^-1021.
HWY_INLINE V exp_of_negative(V x) {
  return exp2_in_range(hn::Max(hn::Mul(x, number(kLog2E)), number(-1021.0)));
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
