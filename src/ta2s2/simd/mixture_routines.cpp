#include "ta2s2/simd/mixture_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/mixture_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "ta2s2/simd/detail/student_cells-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

// side (x - mean) / scale
HWY_INLINE V standardised(const MixtureProblem& problem, std::size_t i, V x, V side) {
  return hn::Mul(hn::Mul(hn::Sub(x, at(problem.means, i)), side), at(problem.inverse_scales, i));
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
