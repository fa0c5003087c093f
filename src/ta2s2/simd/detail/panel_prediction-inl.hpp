// Predictions at new points from a panel factor. Included once per instruction path.
//
// A point is one more row below L: of its correlations t with the runs the step that finishes a panel makes the row
// (L^-1 t)'. Every sum over the runs goes along a row, in an order of its own, so that a point's prediction depends on
// no other point.
#if defined(TA2S2_PANEL_PREDICTION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_PANEL_PREDICTION_INL
#undef TA2S2_PANEL_PREDICTION_INL
#else
#define TA2S2_PANEL_PREDICTION_INL
#endif

#include "ta2s2/simd/detail/panel_cholesky-inl.hpp"
#include "ta2s2/simd/panel_routines.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

static_assert(kPointGroup % kPanel == 0, "a group of points is made of whole panels");

// Correlations of the runs with kPanel points, as a panel. weights as PairSums wants them; `points` begins at the
// panel's first point.
template <CorrelationForm form, PairFeature feature>
HWY_INLINE void fill_point_panel(const PanelProblem& problem, const FormConstants& constants, const double* weights,
                                 const double* points, double* panel) {
  const std::size_t n = problem.num_runs, p = problem.num_inputs;
  for (std::size_t run = 0; run < n; ++run) {
    const double* features = feature == PairFeature::table ? points + run * p * kPointGroup : points;
    PairSums<form> sums[kVectors];
    for (std::size_t d = 0; d < p; ++d) {
      const V weight = number(weights[d]);
      const V x = number(problem.inputs[d * n + run]);
      HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) {
        const V at = hn::Load(D(), features + d * kPointGroup + v * kLanes);
        const V difference = hn::Sub(at, x);
        if constexpr (feature == PairFeature::table) sums[v].add(d, at, weight, constants);
        if constexpr (feature == PairFeature::distance) sums[v].add(d, hn::Abs(difference), weight, constants);
        if constexpr (feature == PairFeature::squared_distance) {
          sums[v].add(d, hn::Mul(difference, difference), weight, constants);
        }
      }
    }
    HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) {
      hn::Store(sums[v].correlation(constants), D(), panel + run * kPanel + v * kLanes);
    }
  }
}

// t' becomes (L^-1 t)'. Columns beyond the runs, which pad the last block, are of no use.
HWY_INLINE void whiten_point_panel(const PanelMatrix& L, double* panel) {
  const Panel own{panel, 0, kPanel, PanelMatrix::padded(L.columns)};
  for (std::size_t column = 0; column < own.width; column += kBlock) {
    finish_tile<kVectors, false>(own, L.panel(column / kPanel), 0, column, L.inverses, nullptr);
  }
}

// sum over runs of term(panel's column, run), in two partial sums.
template <class Term>
HWY_INLINE void sum_over_runs(const double* panel, std::size_t n, const Term& term, V (&sums)[kVectors]) {
  V odd[kVectors];
  HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) sums[v] = odd[v] = hn::Zero(D());
  std::size_t run = 0;
  for (; run + 2 <= n; run += 2) {
    const double* column = panel + run * kPanel;
    HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v] = term(hn::Load(D(), column + v * kLanes), run, sums[v]);
      odd[v] = term(hn::Load(D(), column + kPanel + v * kLanes), run + 1, odd[v]);
    }
  }
  HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) {
    if (run < n) sums[v] = term(hn::Load(D(), panel + run * kPanel + v * kLanes), run, sums[v]);
    sums[v] = hn::Add(sums[v], odd[v]);
  }
}

// R^-T h, by rows of kPanel points, in `out`. h: [trend column][kPointGroup].
HWY_INLINE void solve_trend(const PanelRegression& regression, std::size_t q, const double* h, double* out) {
  for (std::size_t r = 0; r < q; ++r) {
    const V inverse = number(1.0 / regression.R[r * q + r]);
    for (std::size_t v = 0; v < kPanel; v += kLanes) {
      V e = hn::Load(D(), h + r * kPointGroup + v);
      for (std::size_t s = 0; s < r; ++s) {
        e = hn::NegMulAdd(number(regression.R[r * q + s]), hn::Load(D(), out + s * kPanel + v), e);
      }
      hn::Store(hn::Mul(e, inverse), D(), out + r * kPanel + v);
    }
  }
}

// With G = L^-1 t in `panel` and E = R^-T h - U'G: mean = h'beta + G'residual, c = 1 - G'G + E'E.
HWY_INLINE void predict_panel(const PanelRegression& regression, std::size_t n, std::size_t q, const double* h,
                              const double* panel, double* trend_rows, double* mean, double* c) {
  V means[kVectors], squares[kVectors];
  const auto times = [](const double* factors) HWY_ATTR {
    return [factors](V g, std::size_t run, V sum) HWY_ATTR { return hn::MulAdd(g, number(factors[run]), sum); };
  };
  sum_over_runs(panel, n, times(regression.residual), means);
  sum_over_runs(
      panel, n, [](V g, std::size_t, V sum) HWY_ATTR { return hn::MulAdd(g, g, sum); }, squares);
  HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) squares[v] = hn::Sub(number(1.0), squares[v]);
  solve_trend(regression, q, h, trend_rows);
  for (std::size_t r = 0; r < q; ++r) {
    V along[kVectors];
    sum_over_runs(panel, n, times(regression.U + r * n), along);
    HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) {
      const V e = hn::Sub(hn::Load(D(), trend_rows + r * kPanel + v * kLanes), along[v]);
      squares[v] = hn::MulAdd(e, e, squares[v]);
      means[v] = hn::MulAdd(hn::Load(D(), h + r * kPointGroup + v * kLanes), number(regression.beta[r]), means[v]);
    }
  }
  HWY_UNROLL(8) for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(means[v], D(), mean + v * kLanes);
    hn::Store(hn::Max(squares[v], hn::Zero(D())), D(), c + v * kLanes);
  }
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
