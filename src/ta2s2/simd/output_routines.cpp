#include "ta2s2/simd/output_routines.hpp"

#include "ta2s2/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ta2s2/simd/output_routines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {
namespace {

struct Parameters {
  V first, second;
};

struct Image {
  V value, logarithm;
};

// What a run adds to the gradient: by output, times dg, and dlog(slope).
struct Slopes {
  V value[2], log_slope[2];
};

template <OutputForm form>
struct Form;

template <>
struct Form<OutputForm::box_cox> {
  // A power so small that expm1 changes nothing stands for zero.
  static HWY_INLINE V divisor(V power) { return hn::IfThenElse(hn::Eq(power, hn::Zero(D())), number(0x1p-500), power); }

  static HWY_INLINE Image image(V x, const Parameters& at, V sign) {
    const V log_v = hn::Log(D(), hn::Add(x, at.first)), power = divisor(at.second);
    return {hn::Mul(sign, hn::Div(hn::Expm1(D(), hn::Mul(power, log_v)), power)), log_v};
  }

  // d/de (growth / e), e = power log v and growth = expm1(e): (e growth - (growth - e)) / e^2, whose first digits
  // cancel where e is small: then it is the sum of e^k / (k! (k + 2)).
  static HWY_INLINE V growth_slope(V e, V growth) {
    constexpr double kCoefficients[] = {1.0 / 2,   1.0 / 3,    1.0 / 8,     1.0 / 30,     1.0 / 144,
                                        1.0 / 840, 1.0 / 5760, 1.0 / 45360, 1.0 / 403200, 1.0 / 3991680};
    V series = number(kCoefficients[9]);
    for (int k = 8; k >= 0; --k) series = hn::MulAdd(series, e, number(kCoefficients[k]));
    const V plain = hn::Div(hn::MulSub(e, growth, hn::Sub(growth, e)), hn::Mul(e, e));
    return hn::IfThenElse(hn::Lt(hn::Abs(e), number(0.125)), series, plain);
  }

  static HWY_INLINE Slopes slopes(V x, const Parameters& at, V sign, V value, V log_v) {
    const V share = hn::Div(at.first, hn::Add(x, at.first));  // shift / v
    const V growth = hn::Mul(at.second, hn::Mul(sign, value)), one = number(1.0);
    const V by_power = hn::Mul(hn::Mul(log_v, log_v), growth_slope(hn::Mul(at.second, log_v), growth));
    return {{hn::Mul(sign, hn::Mul(hn::Add(growth, one), share)), hn::Mul(sign, by_power)},
            {hn::Mul(hn::Sub(at.second, one), share), log_v}};
  }
};

template <>
struct Form<OutputForm::sinh_arcsinh> {
  static HWY_INLINE Image image(V x, const Parameters& at, V /*sign*/) {
    const V exponent = hn::Mul(hn::MulSub(at.first, x, at.second), number(kLog2E)), half = number(0.5);
    const V up = exp2_in_range(hn::Min(hn::Max(exponent, number(-1000.0)), number(1000.0)));
    const V down = hn::Div(number(1.0), up);
    return {hn::Mul(half, hn::Sub(up, down)), hn::Log(D(), hn::Mul(half, hn::Add(up, down)))};
  }

  static HWY_INLINE Slopes slopes(V x, const Parameters& at, V /*sign*/, V value, V /*logarithm*/) {
    const V stretched = hn::Mul(at.first, x), one = number(1.0);
    const V cosh = hn::Sqrt(hn::MulAdd(value, value, one)), tanh = hn::Div(value, cosh);
    return {{hn::Mul(cosh, stretched), hn::Neg(cosh)}, {hn::MulAdd(tanh, stretched, one), hn::Neg(tanh)}};
  }
};

// The sums of a run's slopes.
struct Sums {
  V along[2];

  HWY_INLINE Sums() : along{hn::Zero(D()), hn::Zero(D())} {}

  HWY_INLINE void add(const Slopes& slopes, V by_output, V slope_weight) {
    for (int k = 0; k < 2; ++k) {
      along[k] = hn::MulAdd(by_output, slopes.value[k], hn::MulAdd(slope_weight, slopes.log_slope[k], along[k]));
    }
  }
};

HWY_INLINE Parameters of_lanes(const OutputPoints& points) {
  return {hn::Load(D(), points.first), hn::Load(D(), points.second)};
}

HWY_INLINE Parameters of_single(const OutputPoints& points) {
  return {number(*points.first), number(*points.second)};
}

template <OutputForm form>
void transform_lanes(const OutputProblem& problem, const OutputPoints& points, const TransformedOutputs& out) {
  const Parameters at = of_lanes(points);
  V sum = hn::Zero(D());
  for (std::size_t i = 0; i < problem.num_runs; ++i) {
    if (i == problem.num_leading && i > 0) hn::Store(sum, D(), out.leading_sums);
    const Image image = Form<form>::image(number(problem.x[i]), at, number(problem.sign));
    hn::Store(image.value, D(), out.values + i * kLanes);
    hn::Store(image.logarithm, D(), out.logarithms + i * kLanes);
    sum = hn::Add(sum, image.logarithm);
  }
  hn::Store(sum, D(), out.sums);
}

template <OutputForm form>
void differentiate_lanes(const OutputProblem& problem, const OutputPoints& points, const TransformedOutputs& of_points,
                         const double* by_output, const OutputGradient& gradient) {
  const Parameters at = of_lanes(points);
  Sums sums;
  for (std::size_t i = 0; i < problem.num_runs; ++i) {
    const V value = hn::Load(D(), of_points.values + i * kLanes);
    const V logarithm = hn::Load(D(), of_points.logarithms + i * kLanes);
    sums.add(Form<form>::slopes(number(problem.x[i]), at, number(problem.sign), value, logarithm),
             hn::Load(D(), by_output + i * kLanes), number(problem.slope_weight));
  }
  hn::Store(sums.along[0], D(), gradient.first);
  hn::Store(sums.along[1], D(), gradient.second);
}

// The runs from `first` on, as many as there are lanes; the last one again and again beyond the end.
HWY_INLINE V load_runs(const double* from, std::size_t first, std::size_t count) {
  if (first + kLanes <= count) return hn::LoadU(D(), from + first);
  HWY_ALIGN double rest[kLanes];
  for (std::size_t r = 0; r < kLanes; ++r) rest[r] = from[HWY_MIN(first + r, count - 1)];
  return hn::Load(D(), rest);
}

HWY_INLINE void store_runs(V what, double* to, std::size_t first, std::size_t count) {
  if (first + kLanes <= count) return hn::StoreU(what, D(), to + first);
  HWY_ALIGN double rest[kLanes];
  hn::Store(what, D(), rest);
  for (std::size_t r = 0; first + r < count; ++r) to[first + r] = rest[r];
}

template <OutputForm form>
void transform_single(const OutputProblem& problem, const OutputPoints& point, const TransformedOutputs& out) {
  const Parameters at = of_single(point);
  const std::size_t n = problem.num_runs;
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Image image = Form<form>::image(load_runs(problem.x, i, n), at, number(problem.sign));
    store_runs(image.value, out.values, i, n);
    store_runs(image.logarithm, out.logarithms, i, n);
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == problem.num_leading && i > 0) *out.leading_sums = sum;
    sum += out.logarithms[i];
  }
  *out.sums = sum;
}

template <OutputForm form>
void differentiate_single(const OutputProblem& problem, const OutputPoints& point, const TransformedOutputs& of_point,
                          const double* by_output, const OutputGradient& gradient) {
  const Parameters at = of_single(point);
  const std::size_t n = problem.num_runs;
  Sums sums;
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Slopes slopes = Form<form>::slopes(load_runs(problem.x, i, n), at, number(problem.sign),
                                             load_runs(of_point.values, i, n), load_runs(of_point.logarithms, i, n));
    const auto counts = hn::FirstN(D(), n - i);
    sums.add(slopes, hn::IfThenElseZero(counts, load_runs(by_output, i, n)),
             hn::IfThenElseZero(counts, number(problem.slope_weight)));
  }
  *gradient.first = hn::GetLane(hn::SumOfLanes(D(), sums.along[0]));
  *gradient.second = hn::GetLane(hn::SumOfLanes(D(), sums.along[1]));
}

// Calls work<form>().
template <class Work>
HWY_INLINE void for_form(OutputForm form, const Work& work) {
  if (form == OutputForm::box_cox) return work.template operator()<OutputForm::box_cox>();
  work.template operator()<OutputForm::sinh_arcsinh>();
}

void transform_points(const OutputProblem& problem, const OutputPoints& points, const TransformedOutputs& out) {
  for_form(problem.form, [&]<OutputForm form>() { transform_lanes<form>(problem, points, out); });
}

void transform_point(const OutputProblem& problem, const OutputPoints& point, const TransformedOutputs& out) {
  for_form(problem.form, [&]<OutputForm form>() { transform_single<form>(problem, point, out); });
}

void differentiate_points(const OutputProblem& problem, const OutputPoints& points, const TransformedOutputs& of_points,
                          const double* by_output, const OutputGradient& gradient) {
  for_form(problem.form,
           [&]<OutputForm form>() { differentiate_lanes<form>(problem, points, of_points, by_output, gradient); });
}

void differentiate_point(const OutputProblem& problem, const OutputPoints& point, const TransformedOutputs& of_point,
                         const double* by_output, const OutputGradient& gradient) {
  for_form(problem.form,
           [&]<OutputForm form>() { differentiate_single<form>(problem, point, of_point, by_output, gradient); });
}

}  // namespace

extern const OutputRoutines kOutputKernels;
const OutputRoutines kOutputKernels = {{transform_points, differentiate_points},
                                       {transform_point, differentiate_point}};

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
