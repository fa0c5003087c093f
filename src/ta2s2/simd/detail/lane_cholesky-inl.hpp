// Cholesky of one matrix per lane. Included once per instruction path.
//
// An element is a vector, one lane per matrix. The strict lower triangle is packed row by row: row i begins at
// i (i - 1) / 2; the borders follow, rows of length n. The diagonal is kept apart, as its inverse. Rows are taken kTile
// at a time, tile by tile from the left, and each element is accumulated as c = K; c -= l l for k = 0, 1, ...: the
// order of a textbook, whatever the size of a tile, which stays at the rounding floor of K and gives the same bits on
// every path that has a fused multiply-add.
#if defined(TA2S2_LANE_CHOLESKY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_LANE_CHOLESKY_INL
#undef TA2S2_LANE_CHOLESKY_INL
#else
#define TA2S2_LANE_CHOLESKY_INL
#endif

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

// As many accumulators as leave registers for a row's elements: 25 of 32, or 9 of 16.
constexpr int kTile = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 5 : 3;

HWY_INLINE V load(const double* element) {
  return hn::Load(D(), element);
}
HWY_INLINE void store(V value, double* element) {
  hn::Store(value, D(), element);
}

HWY_INLINE std::size_t row_begin(std::size_t i) {
  return i * (i - 1) / 2;
}

struct LaneMatrix {
  double* rows;      // strict lower triangle, then borders
  double* inverses;  // 1 / L_ii
  double* roots;     // L_ii
  std::size_t n;

  HWY_INLINE double* row(std::size_t i) const { return rows + kLanes * row_begin(i); }
  HWY_INLINE double* border(std::size_t b) const { return rows + kLanes * (row_begin(n) + b * n); }
};

// c[a][b] -= sum over k in [begin, end) of left[a][k] right[b][k].
template <int R, int C>
HWY_INLINE void subtract_products(double* const (&left)[R], const double* const (&right)[C], std::size_t begin,
                                  std::size_t end, V (&c)[R][C]) {
  for (std::size_t k = begin * kLanes; k < end * kLanes; k += kLanes) {
    V l[R];
    HWY_UNROLL(8) for (int a = 0; a < R; ++a) l[a] = load(left[a] + k);
    HWY_UNROLL(8) for (int b = 0; b < C; ++b) {
      const V r = load(right[b] + k);
      HWY_UNROLL(8) for (int a = 0; a < R; ++a) c[a][b] = hn::NegMulAdd(l[a], r, c[a][b]);
    }
  }
}

// Columns [first, first + C) of R rows, whose products with the columns before are subtracted: x L' = c for the
// diagonal block's L, whose rows are in `right`.
template <int R, int C>
HWY_INLINE void solve_diagonal(const LaneMatrix& m, double* const (&rows)[R], const double* const (&right)[C],
                               std::size_t first, V (&c)[R][C]) {
  HWY_UNROLL(8) for (int b = 0; b < C; ++b) {
    const V inverse = load(m.inverses + kLanes * (first + b));
    HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
      HWY_UNROLL(8) for (int e = 0; e < b; ++e) {
        c[a][b] = hn::NegMulAdd(c[a][e], load(right[b] + kLanes * (first + e)), c[a][b]);
      }
      c[a][b] = hn::Mul(c[a][b], inverse);
      store(c[a][b], rows[a] + kLanes * (first + b));
    }
  }
}

// Columns [first, first + kTile) of R rows: x L' = c.
template <int R>
HWY_INLINE void solve_tile(const LaneMatrix& m, double* const (&rows)[R], std::size_t first) {
  const double* right[kTile];
  for (int b = 0; b < kTile; ++b) right[b] = m.row(first + b);
  V c[R][kTile];
  HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
    HWY_UNROLL(8) for (int b = 0; b < kTile; ++b) c[a][b] = load(rows[a] + kLanes * (first + b));
  }
  subtract_products<R, kTile>(rows, right, 0, first, c);
  solve_diagonal<R, kTile>(m, rows, right, first, c);
}

// The diagonal block of rows [first, first + R), whose columns before `first` are done. Returns whether each lane's
// pivots were positive. `meanwhile(b)` is work that does not depend on pivot b, for the time its root takes.
template <int R, class Meanwhile>
HWY_INLINE hn::Mask<D> factor_diagonal(const LaneMatrix& m, std::size_t first, V diagonal, const Meanwhile& meanwhile) {
  double* rows[R];
  for (int a = 0; a < R; ++a) rows[a] = m.row(first + a);
  V c[R][R];
  HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
    c[a][a] = diagonal;
    HWY_UNROLL(8) for (int b = 0; b < a; ++b) c[a][b] = load(rows[a] + kLanes * (first + b));
  }
  for (std::size_t k = 0; k < first * kLanes; k += kLanes) {
    V l[R];
    HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
      l[a] = load(rows[a] + k);
      HWY_UNROLL(8) for (int b = 0; b <= a; ++b) c[a][b] = hn::NegMulAdd(l[a], l[b], c[a][b]);
    }
  }
  hn::Mask<D> positive = hn::Eq(diagonal, diagonal);
  HWY_UNROLL(8) for (int b = 0; b < R; ++b) {
    const V pivot = c[b][b];
    const V root = hn::Sqrt(pivot);
    positive = hn::And(positive, hn::Gt(root, number(kLeastRoot)));
    const V inverse = hn::Mul(root, hn::Div(number(1.0), pivot));  // the division does not wait for the root
    meanwhile(b);
    store(root, m.roots + kLanes * (first + b));
    store(inverse, m.inverses + kLanes * (first + b));
    HWY_UNROLL(8) for (int a = b + 1; a < R; ++a) {
      c[a][b] = hn::Mul(c[a][b], inverse);
      store(c[a][b], rows[a] + kLanes * (first + b));
    }
    HWY_UNROLL(8) for (int a = b + 1; a < R; ++a) {
      HWY_UNROLL(8) for (int e = b + 1; e <= a; ++e) c[a][e] = hn::NegMulAdd(c[a][b], c[e][b], c[a][e]);
    }
  }
  return positive;
}

template <int R, class Meanwhile>
HWY_NOINLINE hn::Mask<D> factor_rows(const LaneMatrix& m, std::size_t first, V diagonal, const Meanwhile& meanwhile) {
  double* rows[R];
  for (int a = 0; a < R; ++a) rows[a] = m.row(first + a);
  for (std::size_t j = 0; j < first; j += kTile) solve_tile<R>(m, rows, j);
  return factor_diagonal<R>(m, first, diagonal, meanwhile);
}

// The columns that are left when kTile does not divide n, one at a time.
HWY_INLINE void solve_last_columns(const LaneMatrix& m, double* row, std::size_t first) {
  for (std::size_t j = first; j < m.n; ++j) {
    const double* right = m.row(j);
    V c = load(row + kLanes * j);
    for (std::size_t k = 0; k < j * kLanes; k += kLanes) c = hn::NegMulAdd(load(row + k), load(right + k), c);
    store(hn::Mul(c, load(m.inverses + kLanes * j)), row + kLanes * j);
  }
}

// Border rows become (L^-1 column)'.
template <int R>
HWY_NOINLINE void solve_borders(const LaneMatrix& m, std::size_t first_border) {
  double* rows[R];
  for (int a = 0; a < R; ++a) rows[a] = m.border(first_border + a);
  std::size_t j = 0;
  for (; j + kTile <= m.n; j += kTile) solve_tile<R>(m, rows, j);
  for (int a = 0; a < R; ++a) solve_last_columns(m, rows[a], j);
}

// Calls work<R>(first) for blocks of kTile items, then for those that are left.
template <int R = kTile, class Work>
HWY_INLINE void by_tiles(std::size_t count, const Work& work) {
  std::size_t first = 0;
  for (; first + kTile <= count; first += kTile) work.template operator()<kTile>(first);
  switch (count - first) {
    case 1:
      return work.template operator()<1>(first);
    case 2:
      return work.template operator()<2>(first);
    case 3:
      return work.template operator() < kTile >= 3 ? 3 : kTile > (first);
    case 4:
      return work.template operator() < kTile >= 4 ? 4 : kTile > (first);
    default:
      return;
  }
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
