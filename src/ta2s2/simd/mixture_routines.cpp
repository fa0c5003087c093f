#include "ta2s2/simd/mixture_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/mixture_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include <hwy/contrib/math/math-inl.h>

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

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

// side (x - mean) / scale
HWY_INLINE V standardised(const MixtureProblem& problem, std::size_t i, V x, V side) {
  return hn::Mul(hn::Mul(hn::Sub(x, at(problem.means, i)), side), at(problem.inverse_scales, i));
}

HWY_INLINE V tail_at(V t, V outside) {
  return hn::IfThenElse(hn::Gt(t, hn::Zero(D())), outside, hn::Sub(number(1.0), outside));
}

double tail(const MixtureProblem& problem, double x, double side) {
  V sum = hn::Zero(D());
  for (std::size_t i = 0; i < problem.count; i += kLanes) {
    const V t = standardised(problem, i, number(x), number(side));
    sum = hn::MulAdd(at(problem.weights, i), tail_at(t, beyond(locate(problem.cells, hn::Abs(t)))), sum);
  }
  return sum_of(sum);
}

TailAndDensity tail_and_density(const MixtureProblem& problem, double x, double side) {
  V tails = hn::Zero(D()), densities = hn::Zero(D());
  for (std::size_t i = 0; i < problem.count; i += kLanes) {
    const V t = standardised(problem, i, number(x), number(side));
    const V weight = at(problem.weights, i);
    const Place place = locate(problem.cells, hn::Abs(t));
    tails = hn::MulAdd(weight, tail_at(t, beyond(place)), tails);
    densities = hn::MulAdd(hn::Mul(weight, at(problem.inverse_scales, i)), density(place), densities);
  }
  return {sum_of(tails), sum_of(densities)};
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

// No square overflows, and what a larger one would give has vanished.
HWY_INLINE V squared_distance(const MixtureProblem& problem, std::size_t i, V x) {
  const V t = hn::Min(hn::Abs(standardised(problem, i, x, number(1.0))), number(1e150));
  return hn::Mul(t, t);
}

// Relative to the component that is nearest in units of its scale: its term is the largest but for weight / scale.
double log_density(const MixtureProblem& problem, double x) {
  V nearest = number(1e300);
  for (std::size_t i = 0; i < problem.count; i += kLanes) {
    const auto counts = hn::Gt(at(problem.weights, i), hn::Zero(D()));
    nearest = hn::Min(nearest, hn::IfThenElse(counts, squared_distance(problem, i, number(x)), nearest));
  }
  const double power = 0.5 * (problem.df + 1.0);
  const V largest = log_kernel(problem, power, hn::MinOfLanes(D(), nearest));
  V sum = hn::Zero(D());
  for (std::size_t i = 0; i < problem.count; i += kLanes) {
    const V relative = hn::Sub(log_kernel(problem, power, squared_distance(problem, i, number(x))), largest);
    const V factor = hn::Mul(at(problem.weights, i), at(problem.inverse_scales, i));
    sum = hn::MulAdd(factor, exp_of_negative(hn::Min(relative, hn::Zero(D()))), sum);
  }
  return std::log(sum_of(sum)) + hn::GetLane(largest) + problem.log_constant;
}

// scale E|T - t| with E|T - t| as in emulator/student_table.cpp.
double mean_absolute_deviation(const MixtureProblem& problem, double y) {
  const bool normal = std::isinf(problem.df);
  const double power = 0.5 * (problem.df - 1.0);
  const V constant = number(2.0 * std::exp(problem.log_constant) * (normal ? 1.0 : problem.df / (problem.df - 1.0)));
  V sum = hn::Zero(D());
  for (std::size_t i = 0; i < problem.count; i += kLanes) {
    const V distance = hn::Abs(hn::Sub(number(y), at(problem.means, i)));
    const V t = hn::Mul(distance, at(problem.inverse_scales, i));
    const V inside = hn::NegMulAdd(number(2.0), beyond(locate(problem.cells, t)), number(1.0));
    const V kernel = exp_of_negative(log_kernel(problem, power, squared_distance(problem, i, number(y))));
    const V deviation = hn::MulAdd(hn::Mul(constant, kernel), at(problem.scales, i), hn::Mul(distance, inside));
    sum = hn::MulAdd(at(problem.weights, i), deviation, sum);
  }
  return sum_of(sum);
}

}  // namespace

extern const MixtureRoutines kMixtureKernels;
const MixtureRoutines kMixtureKernels = {tail, tail_and_density, log_density, mean_absolute_deviation};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2 {

const MixtureRoutines* mixture_routines(InstructionSet path) {
  return TA2S2_FOR_PATH(path, kMixtureKernels);
}

}  // namespace ta2s2
#endif
