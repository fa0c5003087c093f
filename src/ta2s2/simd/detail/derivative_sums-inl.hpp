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

// Inputs whose sums are in registers at once. Those that share a division are few enough that the product of their
// denominators, each below 2^241, is finite.
template <CorrelationForm form>
constexpr int kInputsAtOnce = form == CorrelationForm::exponential ? 8 : 4;

// d log k / d log phi_d is a ratio in s = s_d (docs/math.md, section 1) times derivative_factor.
template <CorrelationForm form>
HWY_INLINE void derivative_ratio(V s, V share, V& numerator, V& denominator) {
  const V one_plus = hn::Add(s, number(1.0));
  if constexpr (form == CorrelationForm::rational) {
    numerator = s;
    denominator = hn::Mul(one_plus, hn::MulAdd(share, s, number(1.0)));
  } else {
    const V squared = hn::Mul(s, s);
    if constexpr (form == CorrelationForm::matern32) {
      numerator = squared;
      denominator = one_plus;
    } else {
      numerator = hn::Mul(squared, one_plus);
      denominator = hn::MulAdd(number(3.0), one_plus, squared);
    }
  }
}

template <CorrelationForm form>
HWY_INLINE V derivative_factor(V prepared_weight, double scale, double share) {
  if constexpr (form == CorrelationForm::exponential) return hn::Mul(prepared_weight, number(-scale / kLog2E));
  return number(form == CorrelationForm::rational ? 1.0 - share : 0.5);
}

// Weights of derivative_ratio: features are at most one, so this bounds s.
HWY_INLINE V bounded_weight(V prepared_weight) {
  return hn::Min(prepared_weight, number(kLargestRatio));
}

// sums[g] += q times the ratio of input g: divided once for all, then each denominator multiplied back.
template <CorrelationForm form, int G>
HWY_INLINE void add_derivatives(V q, const V (&features)[G], const V (&weights)[G], V share, V (&sums)[G]) {
  if constexpr (form == CorrelationForm::exponential) {
    HWY_UNROLL(8) for (int g = 0; g < G; ++g) sums[g] = hn::MulAdd(q, features[g], sums[g]);
  } else {
    V numerators[G], denominators[G], before[G];
    HWY_UNROLL(8) for (int g = 0; g < G; ++g) {
      derivative_ratio<form>(hn::Mul(features[g], weights[g]), share, numerators[g], denominators[g]);
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
