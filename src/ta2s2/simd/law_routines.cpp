#include "ta2s2/simd/law_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/law_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "ta2s2/simd/detail/student_cells-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

// No product of what comes of these overflows; a draw that far from y is certain.
constexpr double kFar = 1e150, kLargestExponent = 340.0, kLeastArgument = 1e-100;

HWY_INLINE V in_range(V exponent) {
  return hn::Min(hn::Max(exponent, number(-kLargestExponent)), number(kLargestExponent));
}

struct Image {
  V value, slope;  // g and dg/dy; beyond the end of g -+kFar and zero
};

template <LawForm form>
HWY_INLINE Image image_of(const LawProblem& problem, const LawSegment& segment, std::size_t i);

template <>
HWY_INLINE Image image_of<LawForm::shared>(const LawProblem& /*problem*/, const LawSegment& segment,
                                           std::size_t /*i*/) {
  return {number(segment.x), number(segment.slope)};
}

template <>
HWY_INLINE Image image_of<LawForm::box_cox>(const LawProblem& problem, const LawSegment& segment, std::size_t i) {
  const V sum = hn::Add(number(segment.x), at(problem.parameters[0], i));
  const auto inside = hn::Gt(sum, hn::Zero(D()));
  const V v = hn::Max(sum, number(kLeastArgument));
  const V growth = hn::Expm1(D(), in_range(hn::Mul(at(problem.parameters[1], i), hn::Log(D(), v))));
  const V value = hn::IfThenElse(inside, hn::Mul(growth, at(problem.parameters[2], i)), number(-kFar));
  const V slope = hn::Div(hn::Mul(hn::Add(growth, number(1.0)), number(segment.slope)), v);
  return {hn::Mul(value, number(segment.sign)), hn::IfThenElseZero(inside, slope)};
}

template <>
HWY_INLINE Image image_of<LawForm::sinh_arcsinh>(const LawProblem& problem, const LawSegment& segment, std::size_t i) {
  const V stretch = at(problem.parameters[0], i);
  const V w = hn::MulSub(stretch, number(segment.x), at(problem.parameters[1], i));
  const V up = exp2_in_range(hn::Mul(in_range(w), number(kLog2E)));
  const V down = hn::Div(number(1.0), up);
  const V slope = hn::Mul(hn::Mul(number(0.5), hn::Add(up, down)), hn::Mul(stretch, number(segment.slope)));
  return {hn::Mul(number(0.5), hn::Sub(up, down)), slope};
}

// side (g - mean) / scale
HWY_INLINE V standardised(const LawProblem& problem, const Image& image, std::size_t i, V side) {
  const V away = hn::Sub(image.value, at(problem.mixture.means, i));
  return hn::Mul(hn::Mul(away, side), at(problem.mixture.inverse_scales, i));
}

// Calls body.run<form>(segment) for every segment, in their order.
template <class Body>
HWY_INLINE void for_each(std::span<const LawSegment> segments, Body& body) {
  for (const LawSegment& segment : segments) {
    switch (segment.form) {
      case LawForm::shared:
        body.template run<LawForm::shared>(segment);
        break;
      case LawForm::box_cox:
        body.template run<LawForm::box_cox>(segment);
        break;
      case LawForm::sinh_arcsinh:
        body.template run<LawForm::sinh_arcsinh>(segment);
        break;
    }
  }
}

struct TailSum {
  const LawProblem& problem;
  double side;
  V sum = hn::Zero(D());

  template <LawForm form>
  HWY_INLINE void run(const LawSegment& segment) {
    for (std::size_t i = segment.first; i < segment.first + segment.count; i += kLanes) {
      const V t = standardised(problem, image_of<form>(problem, segment, i), i, number(side));
      const V outside = beyond(locate(problem.mixture.cells, hn::Abs(t)));
      sum = hn::MulAdd(at(problem.mixture.weights, i), tail_at(t, outside), sum);
    }
  }
};

struct TailAndDensitySum {
  const LawProblem& problem;
  double side;
  V tails = hn::Zero(D()), densities = hn::Zero(D());

  template <LawForm form>
  HWY_INLINE void run(const LawSegment& segment) {
    for (std::size_t i = segment.first; i < segment.first + segment.count; i += kLanes) {
      const Image image = image_of<form>(problem, segment, i);
      const V t = standardised(problem, image, i, number(side));
      const V weight = at(problem.mixture.weights, i);
      const Place place = locate(problem.mixture.cells, hn::Abs(t));
      tails = hn::MulAdd(weight, tail_at(t, beyond(place)), tails);
      const V factor = hn::Mul(hn::Mul(weight, at(problem.mixture.inverse_scales, i)), image.slope);
      densities = hn::MulAdd(factor, density(place), densities);
    }
  }
};

// No square overflows, and what a larger one would give has vanished.
HWY_INLINE V squared_distance(const LawProblem& problem, const Image& image, std::size_t i) {
  const V t = hn::Min(hn::Abs(standardised(problem, image, i, number(1.0))), number(1e150));
  return hn::Mul(t, t);
}

struct NearestDraw {
  const LawProblem& problem;
  V squared = number(1e300);

  template <LawForm form>
  HWY_INLINE void run(const LawSegment& segment) {
    for (std::size_t i = segment.first; i < segment.first + segment.count; i += kLanes) {
      const auto counts = hn::Gt(at(problem.mixture.weights, i), hn::Zero(D()));
      const V here = squared_distance(problem, image_of<form>(problem, segment, i), i);
      squared = hn::Min(squared, hn::IfThenElse(counts, here, squared));
    }
  }
};

struct RelativeDensity {
  const LawProblem& problem;
  double power;
  V largest;  // log kernel of the nearest draw
  V sum = hn::Zero(D());

  template <LawForm form>
  HWY_INLINE void run(const LawSegment& segment) {
    for (std::size_t i = segment.first; i < segment.first + segment.count; i += kLanes) {
      const Image image = image_of<form>(problem, segment, i);
      const V kernel = log_kernel(problem.mixture, power, squared_distance(problem, image, i));
      const V relative = hn::Min(hn::Sub(kernel, largest), hn::Zero(D()));
      const V factor =
          hn::Mul(hn::Mul(at(problem.mixture.weights, i), at(problem.mixture.inverse_scales, i)), image.slope);
      sum = hn::MulAdd(factor, exp_of_negative(relative), sum);
    }
  }
};

double tail(const LawProblem& problem, std::span<const LawSegment> segments, double side) {
  TailSum body{problem, side};
  for_each(segments, body);
  return sum_of(body.sum);
}

TailAndDensity tail_and_density(const LawProblem& problem, std::span<const LawSegment> segments, double side) {
  TailAndDensitySum body{problem, side};
  for_each(segments, body);
  return {sum_of(body.tails), sum_of(body.densities)};
}

// As mixture_routines.cpp: relative to the draw that is nearest in units of its scale.
double log_density(const LawProblem& problem, std::span<const LawSegment> segments) {
  NearestDraw nearest{problem};
  for_each(segments, nearest);
  const double power = 0.5 * (problem.mixture.df + 1.0);
  const V largest = log_kernel(problem.mixture, power, hn::MinOfLanes(D(), nearest.squared));
  RelativeDensity body{problem, power, largest};
  for_each(segments, body);
  return std::log(sum_of(body.sum)) + hn::GetLane(largest) + problem.mixture.log_constant;
}

}  // namespace

extern const LawRoutines kLawKernels;
const LawRoutines kLawKernels = {tail, tail_and_density, log_density};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "ta2s2/simd/choose_target.hpp"

namespace ta2s2 {

const LawRoutines* law_routines(InstructionSet path) {
  return TA2S2_FOR_PATH(path, kLawKernels);
}

}  // namespace ta2s2
#endif
