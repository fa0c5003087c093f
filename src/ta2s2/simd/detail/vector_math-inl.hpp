// exp2 and log2 of a vector, and the correlation of a pair from them. Included once per instruction path.
#if defined(TA2S2_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_VECTOR_MATH_INL
#undef TA2S2_VECTOR_MATH_INL
#else
#define TA2S2_VECTOR_MATH_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstdint>

#include "ta2s2/simd/correlation.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = HWY_LANES(double);

HWY_INLINE V number(double x) {
  return hn::Set(D(), x);
}

// Below this a correlation is held at 2^kLeastExponent: zero to rounding, and no product of two such is subnormal,
// which would slow the factorisation a hundredfold.
constexpr double kLeastExponent = -400.0;

// 2^t for -1022 <= t <= 1022, within 1.4 units in the last place: 2^k, k the integer next to t, times a polynomial in
// f = t - k. The coefficients interpolate (2^f - 1) / f at Chebyshev's points (degree 10, error 2e-17 before rounding).
HWY_INLINE V exp2_in_range(V t) {
  const V shift = number(0x1.8p52);  // t + shift has k in its last bits
  const V shifted = hn::Add(t, shift);
  const V f = hn::Sub(t, hn::Sub(shifted, shift));
  const V f2 = hn::Mul(f, f);
  V odd = number(0x1.e9d3fe3952179p-32);
  V even = number(0x1.e6063f7217bc6p-28);
  odd = hn::MulAdd(odd, f2, number(0x1.b524fae627834p-24));
  even = hn::MulAdd(even, f2, number(0x1.62bfd47773353p-20));
  odd = hn::MulAdd(odd, f2, number(0x1.ffcbfc670dcd4p-17));
  even = hn::MulAdd(even, f2, number(0x1.430913096fd9fp-13));
  odd = hn::MulAdd(odd, f2, number(0x1.5d87fe78a5276p-10));
  even = hn::MulAdd(even, f2, number(0x1.3b2ab6fba1ddap-7));
  odd = hn::MulAdd(odd, f2, number(0x1.c6b08d704a0c2p-5));
  even = hn::MulAdd(even, f2, number(0x1.ebfbdff82c598p-3));
  odd = hn::MulAdd(odd, f2, number(0x1.62e42fefa39efp-1));
  const V fraction = hn::MulAdd(hn::MulAdd(even, f, odd), f, number(1.0));
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(D(), hn::Add(hn::BitCast(bits, fraction), hn::ShiftLeft<52>(hn::BitCast(bits, shifted))));
}

constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;

// log2(1 + x) for x >= 0, within 3 units in the last place, however small x is. With k such that 1 + f = (1 + x) / 2^k
// is within a factor sqrt(2) of one, f is rounded once, and log2(1 + f) is t = f / (2 + f) times a polynomial in t^2.
// The coefficients interpolate 2 atanh(t) / (t log 2) at Chebyshev's points (degree 7, error 1e-18 before rounding).
HWY_INLINE V log2_of_one_plus(V x) {
  const hn::RebindToUnsigned<D> bits;
  const V one = number(1.0);
  const V y = hn::Add(hn::Min(x, number(0x1p1000)), one);  // 2^-k is no subnormal
  const auto k = hn::ShiftRight<52>(hn::Sub(hn::BitCast(bits, y), hn::BitCast(bits, number(0x1.6a09e667f3bcdp-1))));
  const V k_as_number = hn::Sub(hn::BitCast(D(), hn::Or(k, hn::BitCast(bits, number(0x1p52)))), number(0x1p52));
  const V scale = hn::BitCast(D(), hn::Sub(hn::BitCast(bits, one), hn::ShiftLeft<52>(k)));  // 2^-k
  const V f = hn::MulAdd(x, scale, hn::Sub(scale, one));
  const V t = hn::Div(f, hn::Add(f, number(2.0)));
  const V z = hn::Mul(t, t), z2 = hn::Mul(z, z);
  V odd = number(0x1.b592d3c48c41cp-3);
  V even = number(0x1.c46e1440404d7p-3);
  odd = hn::MulAdd(odd, z2, number(0x1.0ca160627dbfcp-2));
  even = hn::MulAdd(even, z2, number(0x1.484afb7a67652p-2));
  odd = hn::MulAdd(odd, z2, number(0x1.a61762d693934p-2));
  even = hn::MulAdd(even, z2, number(0x1.2776c50ee39dcp-1));
  odd = hn::MulAdd(odd, z2, number(0x1.ec709dc3a047dp-1));
  even = hn::MulAdd(even, z2, number(0x1.71547652b82fep+1));
  return hn::MulAdd(t, hn::MulAdd(odd, z, even), k_as_number);
}

// The weight that PairSums wants, from its logarithm: for an exponential its exponent is summed to the base 2 at once.
template <CorrelationForm form>
HWY_INLINE V prepared_weight(V log2_weight) {
  const V weight = exp2_in_range(hn::Min(hn::Max(log2_weight, number(-1000.0)), number(1000.0)));
  return form == CorrelationForm::exponential ? hn::Mul(weight, number(-kLog2E)) : weight;
}

// What a correlation has besides the weights of its inputs.
struct FormConstants {
  V share;                       // of CorrelationForm::rational
  V minus_shape, inverse_shape;  // of CorrelationForm::rational_quadratic

  HWY_INLINE FormConstants(double constant_share, V shape)
      : share(number(constant_share)), minus_shape(hn::Neg(shape)), inverse_shape(hn::Div(number(1.0), shape)) {}
};

// The sums over inputs that a correlation is made of: of s_d, and the product of m(s_d). Inputs are added in order from
// the first.
template <CorrelationForm form>
struct PairSums {
  V exponent, product;

  HWY_INLINE PairSums() : exponent(hn::Zero(D())), product(number(1.0)) {}

  HWY_INLINE void add(std::size_t /*input*/, V feature, V weight, const FormConstants&) {
    if constexpr (form == CorrelationForm::exponential) {
      exponent = hn::MulAdd(feature, weight, exponent);
    } else {
      const V s = hn::Mul(feature, weight);
      exponent = hn::Add(exponent, s);
      const V one = number(1.0);
      if constexpr (form == CorrelationForm::matern32) {
        product = hn::MulAdd(product, s, product);
      } else {
        product = hn::Mul(product, hn::MulAdd(hn::MulAdd(s, number(1.0 / 3.0), one), s, one));
      }
    }
  }

  // m(s) <= exp(s), so a product beyond its bound meets an exponential that has vanished.
  HWY_INLINE V correlation(const FormConstants&) const {
    if constexpr (form == CorrelationForm::exponential) {
      return exp2_in_range(hn::Max(exponent, number(kLeastExponent)));
    } else {
      const V t = hn::Mul(exponent, number(-kLog2E));
      const V vanishing = exp2_in_range(hn::Max(t, number(-1021.0)));
      return hn::Max(hn::Mul(hn::Min(product, number(1e150)), vanishing), number(0x1p-400));
    }
  }
};

// A ratio of products: divided once for several inputs, as many as cannot overflow.
template <>
struct PairSums<CorrelationForm::rational> {
  V numerator, denominator, quotient;

  static constexpr std::size_t kInputsPerDivision = 8;
  static_assert(kLargestRatio <= 0x1p120, "2^120 to the eighth power, and some, is finite");

  HWY_INLINE PairSums() : numerator(number(1.0)), denominator(number(1.0)), quotient(number(1.0)) {}

  HWY_INLINE void add(std::size_t input, V feature, V weight, const FormConstants& constants) {
    const V s = hn::Min(hn::Mul(feature, weight), number(kLargestRatio));
    numerator = hn::Mul(numerator, hn::MulAdd(constants.share, s, number(1.0)));
    denominator = hn::MulAdd(denominator, s, denominator);
    if (input % kInputsPerDivision < kInputsPerDivision - 1) return;
    quotient = hn::Mul(quotient, hn::Div(numerator, denominator));
    numerator = denominator = number(1.0);
  }

  HWY_INLINE V correlation(const FormConstants&) const {
    return hn::Max(hn::Mul(quotient, hn::Div(numerator, denominator)), number(0x1p-400));
  }
};

// One logarithm and one exponential for all inputs.
template <>
struct PairSums<CorrelationForm::rational_quadratic> {
  V sum;

  HWY_INLINE PairSums() : sum(hn::Zero(D())) {}

  HWY_INLINE void add(std::size_t /*input*/, V feature, V weight, const FormConstants&) {
    sum = hn::MulAdd(feature, weight, sum);
  }

  HWY_INLINE V ratio(const FormConstants& constants) const { return hn::Mul(sum, constants.inverse_shape); }

  HWY_INLINE V correlation(const FormConstants& constants) const {
    const V exponent = hn::Mul(constants.minus_shape, log2_of_one_plus(ratio(constants)));
    return exp2_in_range(hn::Max(exponent, number(kLeastExponent)));
  }
};

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
