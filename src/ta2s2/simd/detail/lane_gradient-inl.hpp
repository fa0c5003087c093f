// The derivatives of integrated likelihoods from lane factors. Included once per instruction path.
//
// docs/math.md, section 8: d log p = -1/2 <G, dK_delta> with G = K_delta^-1 - E E', E = L^-T C for few columns C
// (borders-inl.hpp). W = L^-T has the columns of L^-1 as its rows, and K_delta^-1 = W W': both are products of rows,
// tile by tile as in the factorisation, and each costs as much as that. G itself is never kept: where K was, its tiles
// leave -G times K, element by element, which every input then sums over the pairs of runs.
#if defined(TA2S2_LANE_GRADIENT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_LANE_GRADIENT_INL
#undef TA2S2_LANE_GRADIENT_INL
#else
#define TA2S2_LANE_GRADIENT_INL
#endif

#include "ta2s2/simd/detail/borders-inl.hpp"
#include "ta2s2/simd/detail/derivative_sums-inl.hpp"
#include "ta2s2/simd/detail/lane_cholesky-inl.hpp"
#include "ta2s2/simd/lane_routines.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

// Pairs that stay in the first cache while all inputs are summed over them.
constexpr std::size_t kPairsInCache = 32;

// Elements are vectors, as in LaneMatrix.
struct LaneGradient {
  LaneMatrix m;
  std::size_t num_columns;
  double* weights;     // K, then -G times K: pairs as in m.rows
  double* inverse;     // W, [run][run]; of a row, from its tile on
  double* E;           // [run][column]
  double* trace;       // of -G
  double* sums;        // [input]
  double* companions;  // of features: [pair][input], numbers, not vectors
  double* end;

  LaneGradient(const LaneMatrix& matrix, const LaneProblem& problem, double* work)
      : m(matrix), num_columns(num_gradient_columns(problem.columns)), weights(work) {
    inverse = weights + kLanes * (row_begin(m.n) + kPaddedPairs);
    E = inverse + kLanes * m.n * m.n;
    trace = E + kLanes * m.n * num_columns;
    sums = trace + kLanes;
    companions = sums + kLanes * problem.num_inputs;
    end = companions + kPairsInCache * problem.num_inputs;
  }

  HWY_INLINE double* row_of_inverse(std::size_t i) const { return inverse + kLanes * m.n * i; }
  HWY_INLINE double* row_of_E(std::size_t i) const { return E + kLanes * num_columns * i; }
};

// c[a][b] += sum over k in [begin, end) of left[a][k] right[b][k].
template <int R, int C>
HWY_INLINE void add_products(double* const (&left)[R], const double* const (&right)[C], std::size_t begin,
                             std::size_t end, V (&c)[R][C]) {
  for (std::size_t k = begin * kLanes; k < end * kLanes; k += kLanes) {
    V l[R];
    HWY_UNROLL(8) for (int a = 0; a < R; ++a) l[a] = load(left[a] + k);
    HWY_UNROLL(8) for (int b = 0; b < C; ++b) {
      const V r = load(right[b] + k);
      HWY_UNROLL(8) for (int a = 0; a < R; ++a) c[a][b] = hn::MulAdd(l[a], r, c[a][b]);
    }
  }
}

template <int R, int C>
HWY_INLINE void set_zero(V (&c)[R][C]) {
  HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
    HWY_UNROLL(8) for (int b = 0; b < C; ++b) c[a][b] = hn::Zero(D());
  }
}

// Rows [i, i + R) and columns [k, k + C) of W, k >= i: rows of the identity are borders of L. The tile on the diagonal
// is complete, zeros included.
template <int R, int C>
HWY_INLINE void invert_tile(const LaneGradient& g, std::size_t i, std::size_t k) {
  double* rows[R];
  const double* right[C];
  for (int a = 0; a < R; ++a) rows[a] = g.row_of_inverse(i + a);
  for (int b = 0; b < C; ++b) right[b] = g.m.row(k + b);
  V c[R][C];
  set_zero(c);
  if (i == k) {
    HWY_UNROLL(8) for (int a = 0; a < HWY_MIN(R, C); ++a) c[a][a] = number(1.0);
  }
  subtract_products<R, C>(rows, right, i, k, c);
  solve_diagonal<R, C>(g.m, rows, right, k, c);
}

// Fewer rows than a tile has are the last ones, which have the tile on the diagonal alone.
template <int R>
HWY_NOINLINE void invert_rows(const LaneGradient& g, std::size_t i) {
  by_tiles(g.m.n - i, [&]<int C>(std::size_t offset) HWY_ATTR {
    if constexpr (R == kTile || R == C) invert_tile<R, C>(g, i, i + offset);
  });
}

// Rows [i, i + R) of E.
template <int R>
HWY_NOINLINE void fill_rows_of_E(const LaneGradient& g, std::size_t i) {
  double* rows[R];
  for (int a = 0; a < R; ++a) rows[a] = g.row_of_inverse(i + a);
  by_tiles(g.num_columns, [&]<int C>(std::size_t first) HWY_ATTR {
    const double* columns[C];
    for (int b = 0; b < C; ++b) columns[b] = g.m.border(first + b);
    V c[R][C];
    set_zero(c);
    add_products<R, C>(rows, columns, i, g.m.n, c);
    for (int a = 0; a < R; ++a) {
      for (int b = 0; b < C; ++b) store(c[a][b], g.row_of_E(i + a) + kLanes * (first + b));
    }
  });
}

// -G of rows [i, i + R) and columns [j, j + C), j <= i.
template <int R, int C>
HWY_INLINE void tile_of_G(const LaneGradient& g, std::size_t i, std::size_t j, V (&c)[R][C]) {
  double *left[R], *left_E[R];
  const double *right[C], *right_E[C];
  for (int a = 0; a < R; ++a) left[a] = g.row_of_inverse(i + a), left_E[a] = g.row_of_E(i + a);
  for (int b = 0; b < C; ++b) right[b] = g.row_of_inverse(j + b), right_E[b] = g.row_of_E(j + b);
  set_zero(c);
  add_products<R, C>(left_E, right_E, 0, g.num_columns, c);
  subtract_products<R, C>(left, right, i, g.m.n, c);
}

HWY_INLINE void weigh(const LaneGradient& g, std::size_t i, std::size_t j, V minus_G) {
  double* const element = g.weights + kLanes * (row_begin(i) + j);
  store(hn::Mul(load(element), minus_G), element);
}

template <int R>
HWY_NOINLINE void weigh_rows(const LaneGradient& g, std::size_t i) {
  for (std::size_t j = 0; j < i; j += kTile) {
    V c[R][kTile];
    tile_of_G<R, kTile>(g, i, j, c);
    HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
      HWY_UNROLL(8) for (int b = 0; b < kTile; ++b) weigh(g, i + a, j + b, c[a][b]);
    }
  }
  V c[R][R];
  tile_of_G<R, R>(g, i, i, c);
  V trace = load(g.trace);
  HWY_UNROLL(8) for (int a = 0; a < R; ++a) {
    trace = hn::Add(trace, c[a][a]);
    HWY_UNROLL(8) for (int b = 0; b < a; ++b) weigh(g, i + a, i + b, c[a][b]);
  }
  store(trace, g.trace);
}

template <CorrelationForm form, int G>
HWY_NOINLINE void sum_over_pairs(const LaneProblem& problem, const LaneGradient& g, const double* prepared,
                                 std::size_t first, std::size_t begin, std::size_t end) {
  const std::size_t p = problem.num_inputs;
  V u[G], sums[G];
  HWY_UNROLL(8) for (int d = 0; d < G; ++d) {
    u[d] = bounded_inverse(load(prepared + kLanes * (first + d)));
    sums[d] = load(g.sums + kLanes * (first + d));
  }
  const double* f = problem.features + begin * p + first;
  const double* other = g.companions + first;
  for (std::size_t pair = begin; pair < end; ++pair, f += p, other += p) {
    V features[G], companions[G];
    HWY_UNROLL(8) for (int d = 0; d < G; ++d) {
      features[d] = number(f[d]);
      companions[d] = number(other[d]);
    }
    add_derivatives<form, G>(load(g.weights + kLanes * pair), u, features, companions, sums);
  }
  HWY_UNROLL(8) for (int d = 0; d < G; ++d) store(sums[d], g.sums + kLanes * (first + d));
}

template <CorrelationForm form>
HWY_INLINE void fill_companions(const LaneProblem& problem, const LaneGradient& g, std::size_t begin, std::size_t end) {
  if constexpr (kIsPlainSum<form>) return;
  const double* f = problem.features + begin * problem.num_inputs;
  for (std::size_t i = 0; i < (end - begin) * problem.num_inputs; i += kLanes) {
    store(companion<form>(hn::LoadU(D(), f + i), number(problem.constant_share)), g.companions + i);
  }
}

template <CorrelationForm form>
HWY_INLINE void sum_over_inputs(const LaneProblem& problem, const LaneGradient& g, const double* prepared) {
  for (std::size_t d = 0; d < problem.num_inputs; ++d) store(hn::Zero(D()), g.sums + kLanes * d);
  const std::size_t num_pairs = row_begin(g.m.n);
  for (std::size_t begin = 0; begin < num_pairs; begin += kPairsInCache) {
    const std::size_t end = HWY_MIN(begin + kPairsInCache, num_pairs);
    fill_companions<form>(problem, g, begin, end);
    by_groups_of_inputs<form>(problem.num_inputs, [&]<int G>(std::size_t first) HWY_ATTR {
      sum_over_pairs<form, G>(problem, g, prepared, first, begin, end);
    });
  }
}

// Of a rational quadratic: every weight is left as the sums over inputs want it; returns the shape's sum.
HWY_NOINLINE V split_shapes(const LaneProblem& problem, const FormConstants& constants, const LaneGradient& g,
                            const double* prepared) {
  const std::size_t p = problem.num_inputs;
  V sum = hn::Zero(D());
  for (std::size_t pair = 0; pair < row_begin(g.m.n); ++pair) {
    PairSums<CorrelationForm::rational_quadratic> sums;
    for (std::size_t d = 0; d < p; ++d) {
      sums.add(d, number(problem.features[pair * p + d]), load(prepared + kLanes * d), constants);
    }
    double* const weight = g.weights + kLanes * pair;
    store(split_shape(load(weight), sums.ratio(constants), constants, sum), weight);
  }
  return sum;
}

// d log p / dy_i = -(m / S2) (Q y)_i, from the last columns of E, which have the root of m / S2
// (make_gradient_columns).
HWY_INLINE void differentiate_by_output(const LaneProblem& problem, const LaneGradient& g, V root_of_ratio,
                                        double* by_output) {
  const OutputShares shares(problem.columns);
  for (std::size_t i = 0; i < g.m.n; ++i) {
    const double* last = g.row_of_E(i) + kLanes * (g.num_columns - 1);
    V along = hn::Mul(number(shares.of_last), load(last));
    if (shares.of_one_before != 0.0) along = hn::MulAdd(number(shares.of_one_before), load(last - kLanes), along);
    store(hn::Neg(hn::Mul(root_of_ratio, along)), by_output + kLanes * i);
  }
}

// After integrate_out_trend, with K in g.weights.
template <CorrelationForm form>
HWY_INLINE void differentiate(const LaneProblem& problem, const FormConstants& constants, const LaneGradient& g,
                              const double* prepared, const GradientResults& gradient) {
  const V root_of_ratio = make_gradient_columns(D(), g.m.border(0), problem.columns, g.m.n, problem.degrees_of_freedom);
  by_tiles(g.m.n, [&]<int R>(std::size_t i) HWY_ATTR {
    invert_rows<R>(g, i);
    fill_rows_of_E<R>(g, i);
  });
  store(hn::Zero(D()), g.trace);
  by_tiles(g.m.n, [&]<int R>(std::size_t i) HWY_ATTR { weigh_rows<R>(g, i); });
  if constexpr (form == CorrelationForm::rational_quadratic) {
    store(split_shapes(problem, constants, g, prepared), gradient.by_log_shape);
  }
  sum_over_inputs<form>(problem, g, prepared);
  for (std::size_t d = 0; d < problem.num_inputs; ++d) {
    const V factor =
        derivative_factor<form>(load(prepared + kLanes * d), problem.derivative_scale, problem.constant_share);
    store(hn::Mul(load(g.sums + kLanes * d), factor), gradient.by_log_phi + kLanes * d);
  }
  store(hn::Mul(load(g.trace), number(0.5)), gradient.by_nugget);
  if (gradient.by_output != nullptr) differentiate_by_output(problem, g, root_of_ratio, gradient.by_output);
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
