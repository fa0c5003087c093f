// Sums over pairs of runs of what every length-scale does to a correlation. Included once per instruction path.
#if defined(TA2S2_DERIVATIVE_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_DERIVATIVE_SUMS_INL
#undef TA2S2_DERIVATIVE_SUMS_INL
#else
#define TA2S2_DERIVATIVE_SUMS_INL
#endif

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

// d log k / d log phi_d for s = f / u, u the inverse of the weight, is derivative_factor times a ratio in which f is
// the same in every lane, so that most of it costs additions and broadcasts:
//   matern32  f^2 / (u + f)                        rational  f / ((u + f) (u + c f))
//   matern52  f^2 (u + f) / (3 u (u + f) + f^2)
// The companion of f is f^2 or c f. An exponential needs neither u nor a companion: its ratio is f. So is that of a
// rational quadratic, once the pair's weight is divided by 1 + x (split_shape).

template <CorrelationForm form>
constexpr bool kIsPlainSum = form == CorrelationForm::exponential || form == CorrelationForm::rational_quadratic;

// Inputs whose sums are in registers at once. Those that share a division are few enough that the product of their
// denominators, between 2^-200 and 2^202 each, is neither zero nor infinite.
template <CorrelationForm form>
constexpr int kInputsAtOnce = kIsPlainSum<form> ? 8 : 4;

// Beyond these bounds the derivatives vanish.
HWY_INLINE V bounded_inverse(V prepared_weight) {
  const V weight = hn::Min(hn::Max(prepared_weight, number(0x1p-100)), number(0x1p100));
  return hn::Div(number(1.0), weight);
}

template <CorrelationForm form>
HWY_INLINE V companion(V feature, V share) {
  return hn::Mul(feature, form == CorrelationForm::rational ? share : feature);
}

template <CorrelationForm form>
HWY_INLINE V derivative_factor(V prepared_weight, double scale, double share) {
  if constexpr (form == CorrelationForm::exponential) return hn::Mul(prepared_weight, number(-scale / kLog2E));
  if constexpr (form == CorrelationForm::rational_quadratic) return hn::Mul(prepared_weight, number(scale));
  const V u = bounded_inverse(prepared_weight);
  if constexpr (form == CorrelationForm::rational) return hn::Mul(number(1.0 - share), u);
  return hn::Div(number(0.5), u);
}

template <CorrelationForm form>
HWY_INLINE void derivative_ratio(V u, V feature, V other, V& numerator, V& denominator) {
  const V sum = hn::Add(u, feature);
  if constexpr (form == CorrelationForm::rational) {
    numerator = feature;
    denominator = hn::Mul(sum, hn::Add(u, other));
  } else if constexpr (form == CorrelationForm::matern32) {
    numerator = other;
    denominator = sum;
  } else {
    numerator = hn::Mul(other, sum);
    denominator = hn::MulAdd(hn::Mul(number(3.0), u), sum, other);
  }
}

// sums[g] += q times the ratio of input g: divided once for all, then each denominator multiplied back.
template <CorrelationForm form, int G>
HWY_INLINE void add_derivatives(V q, const V (&u)[G], const V (&features)[G], const V (&companions)[G], V (&sums)[G]) {
  if constexpr (kIsPlainSum<form>) {
    HWY_UNROLL(8) for (int g = 0; g < G; ++g) sums[g] = hn::MulAdd(q, features[g], sums[g]);
  } else {
    V numerators[G], denominators[G], before[G];
    HWY_UNROLL(8) for (int g = 0; g < G; ++g) {
      derivative_ratio<form>(u[g], features[g], companions[g], numerators[g], denominators[g]);
      before[g] = g < 2 ? denominators[0] : hn::Mul(before[g - 1], denominators[g - 1]);  // of the first, not used
    }
    V rest = hn::Div(q, G == 1 ? denominators[0] : hn::Mul(before[G - 1], denominators[G - 1]));
    HWY_UNROLL(8) for (int g = G - 1; g > 0; --g) {
      sums[g] = hn::MulAdd(numerators[g], hn::Mul(rest, before[g]), sums[g]);
      rest = hn::Mul(rest, denominators[g]);
    }
    sums[0] = hn::MulAdd(numerators[0], rest, sums[0]);
  }
}

// A rational quadratic's k = (1 + x)^-shape has d log k / d log shape = shape (u - log1p(x)), u = x / (1 + x), whose
// first digits cancel where x is small: then it is -shape (u^2/2 + u^3/3 + ...).
HWY_INLINE V shape_derivative(V ratio, V one_less_u, const FormConstants& constants) {
  const V u = hn::Mul(ratio, one_less_u);
  V series = number(1.0 / 13.0);
  for (int power = 12; power >= 2; --power) series = hn::MulAdd(series, u, number(1.0 / power));
  const V small = hn::Mul(hn::Mul(u, u), series);
  const V plain = hn::MulSub(number(kLn2), log2_of_one_plus(ratio), u);
  return hn::Mul(constants.minus_shape, hn::IfThenElse(hn::Lt(u, number(0.0625)), small, plain));
}

// Of one pair with weight q: adds to the shape's sum, and returns the weight that the inputs' sums want.
HWY_INLINE V split_shape(V q, V ratio, const FormConstants& constants, V& shape_sum) {
  const V one_less_u = hn::Div(number(1.0), hn::Add(number(1.0), ratio));
  shape_sum = hn::MulAdd(q, shape_derivative(ratio, one_less_u, constants), shape_sum);
  return hn::Mul(q, one_less_u);
}

template <int G, class Work>
HWY_INLINE void with_size(std::size_t size, const Work& work) {
  if (size == G) return work.template operator()<G>();
  if constexpr (G > 1) with_size<G - 1>(size, work);
}

// Calls work<G>(first) for groups of inputs, as few and as equal as can be.
template <CorrelationForm form, class Work>
HWY_INLINE void by_groups_of_inputs(std::size_t num_inputs, const Work& work) {
  constexpr int kMost = kInputsAtOnce<form>;
  std::size_t groups = (num_inputs + kMost - 1) / kMost;
  for (std::size_t first = 0; groups > 0; --groups) {
    const std::size_t size = (num_inputs - first + groups - 1) / groups;
    with_size<kMost>(size, [&]<int G>() HWY_ATTR { work.template operator()<G>(first); });
    first += size;
  }
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
