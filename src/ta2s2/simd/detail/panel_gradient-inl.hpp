// The derivatives of an integrated likelihood from a panel factor. Included once per instruction path.
//
// As in lane_gradient-inl.hpp: G = W W' - E E' for W = L^-T and E = W C, then the sums of -G times K over the pairs of
// runs. Lanes run along the rows.
#if defined(TA2S2_PANEL_GRADIENT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_PANEL_GRADIENT_INL
#undef TA2S2_PANEL_GRADIENT_INL
#else
#define TA2S2_PANEL_GRADIENT_INL
#endif

#include "ta2s2/simd/detail/borders-inl.hpp"
#include "ta2s2/simd/detail/derivative_sums-inl.hpp"
#include "ta2s2/simd/detail/panel_information-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

struct PanelGradient {
  std::size_t runs, n, num_columns;  // n: runs padded to whole vectors
  VectorPanels weights;              // K, then -G times K below the diagonal and zero on and above it, tile by tile
  VectorPanels inverse;              // W
  VectorPanels columns;              // C, as rows
  double* E;                         // [column][run]
  double* sums;                      // [input][lane]
  double* end;

  PanelGradient(double* work, std::size_t num_runs, std::size_t num_inputs, const BorderColumns& borders)
      : runs(num_runs), n(PanelMatrix::padded(num_runs)), num_columns(num_gradient_columns(borders)) {
    const std::size_t padded_columns = PanelMatrix::padded(num_columns);
    WorkTaker take{work};
    weights = {take(n * n), n};
    inverse = {take(n * n), n};
    columns = {take(padded_columns * n), n};
    E = take(padded_columns * n);
    sums = take(num_inputs * kLanes);
    end = take.next;
  }
};

// From rows of the length of the runs.
HWY_INLINE void load_columns(const PanelGradient& g, const double* borders) {
  for (std::size_t c = 0; c < PanelMatrix::padded(g.num_columns); ++c) {
    for (std::size_t i = 0; i < g.n; ++i) {
      g.columns.at(c, i) = c < g.num_columns && i < g.runs ? borders[c * g.runs + i] : 0.0;
    }
  }
}

HWY_INLINE void fill_E(const PanelGradient& g) {
  for (std::size_t i = 0; i < g.n; i += kLanes) {
    const double* rows = g.inverse.panel(i).elements + i * kLanes;
    for (std::size_t c = 0; c < g.num_columns; c += kBlock) {
      multiply_rows(rows, kLanes, g.columns.panel(c).elements + i * kLanes, kLanes, g.runs - i, g.E + c * g.n + i, g.n);
    }
  }
}

// The tile of rows i and columns j <= i: -G times K.
HWY_INLINE void weigh_tile(const PanelGradient& g, std::size_t i, std::size_t j, const double* product) {
  double* const K = g.weights.panel(i).elements + j * kLanes;
  for (std::size_t b = 0; b < kBlock; ++b) {
    V minus_G = hn::Neg(hn::Load(D(), product + b * kLanes));
    for (std::size_t c = 0; c < g.num_columns; ++c) {
      const double* E = g.E + c * g.n;
      minus_G = hn::MulAdd(hn::Load(D(), E + i), number(E[j + b]), minus_G);
    }
    hn::Store(hn::Mul(minus_G, hn::Load(D(), K + b * kLanes)), D(), K + b * kLanes);
  }
}

// Takes what is not below the diagonal out of a tile on it, and returns the part of -tr G: K is one there, the nugget
// apart.
HWY_INLINE double clear_diagonal(const PanelGradient& g, std::size_t i) {
  double trace = 0.0;
  for (std::size_t b = 0; b < kBlock; ++b) {
    double* const column = g.weights.panel(i).elements + (i + b) * kLanes;
    if (i + b < g.runs) trace += column[b];
    for (std::size_t r = 0; r <= b; ++r) column[r] = 0.0;
  }
  return trace;
}

// -G times K in the place of K; returns -tr G.
HWY_INLINE double weigh_panels(const PanelGradient& g) {
  alignas(64) double product[kBlock * kLanes];
  double trace = 0.0;
  for (std::size_t i = 0; i < g.n; i += kLanes) {
    const double* rows = g.inverse.panel(i).elements + i * kLanes;
    for (std::size_t b = 0; b < kBlock; ++b) g.weights.at(i + b, i + b) = 1.0;  // it had the nugget
    for (std::size_t j = 0; j <= i; j += kBlock) {
      multiply_rows(rows, kLanes, g.inverse.panel(j).elements + i * kLanes, kLanes, g.runs - i, product, kLanes);
      weigh_tile(g, i, j, product);
    }
    trace += clear_diagonal(g, i);
  }
  return trace;
}

struct PanelWeights {
  double minus_trace;    // -tr G
  double root_of_ratio;  // of m / S2
};

// After integrate_out_trend, with K in g.weights: -G times K.
HWY_INLINE PanelWeights fill_weights(const PanelMatrix& L, const PanelGradient& g, double* borders,
                                     const BorderColumns& columns, double degrees_of_freedom) {
  const auto root = make_gradient_columns(OneLane(), borders, columns, g.runs, degrees_of_freedom);
  load_columns(g, borders);
  solve_identity(L, g.inverse);
  fill_E(g);
  return {weigh_panels(g), hn::GetLane(root)};
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
