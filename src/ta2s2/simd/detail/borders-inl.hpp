// The ends of a factorisation: logarithms of pivots and the regression on the trend. Included once per instruction
// path.
//
// Tag is the lanes' tag for one problem per lane, or a tag of one lane for a single problem: the same operations in the
// same order, so that a problem's result does not depend on which of them evaluated it.
#if defined(TA2S2_BORDERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_BORDERS_INL
#undef TA2S2_BORDERS_INL
#else
#define TA2S2_BORDERS_INL
#endif

#include <hwy/contrib/math/math-inl.h>

#include <cmath>

#include "ta2s2/simd/correlation.hpp"
#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

using OneLane = hn::CappedTag<double, 1>;

// Products of this many pivots' roots stay far from underflow, and one logarithm serves them all.
constexpr std::size_t kRootsPerLogarithm = 16;

// log |L L'| from the diagonal of L.
template <class Tag>
HWY_INLINE hn::Vec<Tag> log_determinant(Tag tag, const double* roots, std::size_t n) {
  const std::size_t lanes = hn::Lanes(tag);
  auto sum = hn::Zero(tag);
  for (std::size_t i = 0; i < n;) {
    auto product = hn::Set(tag, 1.0);
    for (const std::size_t end = HWY_MIN(i + kRootsPerLogarithm, n); i < end; ++i) {
      product = hn::Mul(product, hn::Load(tag, roots + lanes * i));
    }
    sum = hn::Add(sum, hn::Log(tag, product));
  }
  return hn::Add(sum, sum);
}

// Four partial sums in a fixed order.
template <class Tag>
HWY_INLINE hn::Vec<Tag> dot(Tag tag, const double* a, const double* b, std::size_t n) {
  const std::size_t lanes = hn::Lanes(tag);
  hn::Vec<Tag> sums[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    HWY_UNROLL(8) for (std::size_t u = 0; u < 4; ++u) {
      sums[u] = hn::MulAdd(hn::Load(tag, a + lanes * (i + u)), hn::Load(tag, b + lanes * (i + u)), sums[u]);
    }
  }
  for (; i < n; ++i) sums[0] = hn::MulAdd(hn::Load(tag, a + lanes * i), hn::Load(tag, b + lanes * i), sums[0]);
  return hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
}

// v -= factor u
template <class Tag>
HWY_INLINE void subtract(Tag tag, hn::Vec<Tag> factor, const double* u, double* v, std::size_t n) {
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t i = 0; i < n; ++i) {
    hn::Store(hn::NegMulAdd(factor, hn::Load(tag, u + lanes * i), hn::Load(tag, v + lanes * i)), tag, v + lanes * i);
  }
}

// Modified Gram-Schmidt on the columns L^-1 [H y], the output's last. As a triangularisation it is backward stable
// (Bjorck 1967), so that one pass gives |R| and the length of the residual.
template <class Tag>
HWY_INLINE void integrate_out_trend(Tag tag, double* borders, const BorderColumns& columns, std::size_t n,
                                    const IntegratedResults& results) {
  const std::size_t length = hn::Lanes(tag) * n;
  const std::size_t q = columns.count - 1;
  auto log_det = hn::Zero(tag);
  for (std::size_t r = 0; r < q; ++r) {
    const double* u = borders + r * length;
    const auto squared = dot(tag, u, u, n);
    const bool is_flat = r < columns.num_flat;
    if (is_flat) log_det = hn::Add(log_det, hn::Log(tag, squared));
    const auto inverse = hn::Div(hn::Set(tag, 1.0), squared);
    for (std::size_t s = r + 1; s <= q; ++s) {
      double* v = borders + s * length;
      auto along = hn::Mul(dot(tag, u, v, n), inverse);
      if (s == q && !is_flat) along = hn::Mul(along, hn::Set(tag, columns.removed));
      subtract(tag, along, u, v, n);
    }
  }
  hn::Store(log_det, tag, results.log_det_trend);
  hn::Store(hn::Log(tag, dot(tag, borders + q * length, borders + q * length, n)), tag, results.log_S2);
}

template <class Tag>
HWY_INLINE void scale(Tag tag, hn::Vec<Tag> factor, double* v, std::size_t n) {
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t i = 0; i < n; ++i) {
    hn::Store(hn::Mul(factor, hn::Load(tag, v + lanes * i)), tag, v + lanes * i);
  }
}

// A second pass of Gram-Schmidt over what integrate_out_trend left, after which the trend's columns are orthonormal to
// rounding.
template <class Tag>
HWY_INLINE void orthonormalise(Tag tag, double* columns, std::size_t count, std::size_t n) {
  const std::size_t length = hn::Lanes(tag) * n;
  for (std::size_t r = 0; r < count; ++r) {
    double* u = columns + r * length;
    for (std::size_t s = 0; s < r; ++s) {
      const double* other = columns + s * length;
      subtract(tag, dot(tag, other, u, n), other, u, n);
    }
    scale(tag, hn::Div(hn::Set(tag, 1.0), hn::Sqrt(dot(tag, u, u, n))), u, n);
  }
}

// Columns c of the gradient's G = K_delta^-1 - sum of (L^-T c) (L^-T c)' (docs/math.md, section 8).
HWY_INLINE std::size_t num_gradient_columns(const BorderColumns& columns) {
  return columns.num_flat + (columns.num_flat + 1 < columns.count ? 2 : 1);
}

// With coefficients of a proper prior the output stands for two columns: without its trend, times the root of share,
// and without the flat columns alone, times the root of 1 - share. What integrate_out_trend left is the former, plus
// sqrt(1 - share) times what the proper columns explain.
template <class Tag>
HWY_INLINE void split_output(Tag tag, double* borders, const BorderColumns& columns, std::size_t n) {
  const std::size_t lanes = hn::Lanes(tag), length = lanes * n, q = columns.count - 1;
  const double root = 1.0 - columns.removed;  // of 1 - share
  const double* y = borders + q * length;
  double* explained = borders + columns.num_flat * length;
  scale(tag, dot(tag, explained, y, n), explained, n);
  for (std::size_t r = columns.num_flat + 1; r < q; ++r) {
    const double* u = borders + r * length;
    subtract(tag, hn::Neg(dot(tag, u, y, n)), u, explained, n);
  }
  const auto root_of_share = hn::Set(tag, std::sqrt(1.0 - root * root));
  for (std::size_t i = 0; i < length; i += lanes) {
    const auto along = hn::Load(tag, explained + i);
    const auto residual = hn::Sub(hn::Load(tag, y + i), along);
    hn::Store(hn::MulAdd(residual, hn::Set(tag, root), along), tag, explained + i);
    hn::Store(hn::Mul(residual, root_of_share), tag, explained + length + i);
  }
}

// Of Q y: how much of L^-T times each of the output's columns, before these have the root of m / S2.
struct OutputShares {
  double of_last = 1.0, of_one_before = 0.0;

  HWY_INLINE explicit OutputShares(const BorderColumns& columns) {
    if (columns.num_flat + 1 == columns.count) return;
    of_one_before = 1.0 - columns.removed;
    of_last = std::sqrt(1.0 - of_one_before * of_one_before);
  }
};

// What integrate_out_trend left becomes the gradient's columns: the flat columns' orthonormal basis, and the output
// times sqrt(m / S2) for m degrees of freedom. Returns this root.
template <class Tag>
HWY_INLINE hn::Vec<Tag> make_gradient_columns(Tag tag, double* borders, const BorderColumns& columns, std::size_t n,
                                              double degrees_of_freedom) {
  const std::size_t length = hn::Lanes(tag) * n, q = columns.count - 1;
  const double* y = borders + q * length;
  const auto factor = hn::Sqrt(hn::Div(hn::Set(tag, degrees_of_freedom), dot(tag, y, y, n)));
  orthonormalise(tag, borders, q, n);
  if (columns.num_flat < q) split_output(tag, borders, columns, n);
  for (std::size_t c = columns.num_flat; c < num_gradient_columns(columns); ++c) {
    scale(tag, factor, borders + c * length, n);
  }
  return factor;
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
