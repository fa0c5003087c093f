// Cholesky of one matrix, SIMD lanes along its rows. Included once per instruction path.
//
// Rows are stored in panels of kPanel, each panel column by column, so that every read of the innermost loop is
// contiguous: element (i, k) of panel I lies at k * height + (i - first row). A panel is finished from the left in
// tiles of kVectors vectors by kBlock columns. As in lane_cholesky-inl.hpp each element is accumulated as c = K; c -= l
// l for k = 0, 1, ..., so that both give the same bits.
#if defined(TA2S2_PANEL_CHOLESKY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_PANEL_CHOLESKY_INL
#undef TA2S2_PANEL_CHOLESKY_INL
#else
#define TA2S2_PANEL_CHOLESKY_INL
#endif

#include <cmath>

#include "ta2s2/simd/detail/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

// Columns of a tile: as many as a vector has lanes, so that a diagonal block is one vector high.
constexpr std::size_t kBlock = kLanes;
// Vectors of a tile: with kBlock columns 24 accumulators of 32 registers, or 12 of 16.
constexpr std::size_t kVectors = kLanes >= 4 ? 3 : 4;
constexpr std::size_t kPanel = kVectors * kLanes;

struct Panel {
  double* elements;
  std::size_t first;   // its first row
  std::size_t height;  // rows, padded to whole vectors
  std::size_t width;   // columns, padded to whole blocks
};

// Rows [0, rows) in panels whose columns end at the diagonal or at `columns`.
struct PanelMatrix {
  double* elements;
  double* inverses;  // 1 / L_ii
  std::size_t rows, columns;

  static HWY_INLINE std::size_t padded(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }
  HWY_INLINE std::size_t num_panels() const { return (rows + kPanel - 1) / kPanel; }
  HWY_INLINE Panel panel(std::size_t index) const {
    const std::size_t first = index * kPanel;
    const std::size_t last_full = HWY_MIN(index, columns / kPanel);  // panels before it end at their diagonal
    const std::size_t before =
        kPanel * kPanel * last_full * (last_full + 1) / 2 + (index - last_full) * kPanel * padded(columns);
    const std::size_t height = padded(HWY_MIN(kPanel, rows - first));
    return {elements + before, first, height, HWY_MIN(first + kPanel, padded(columns))};
  }
  HWY_INLINE std::size_t size() const {
    const Panel last = panel(num_panels() - 1);
    return static_cast<std::size_t>(last.elements - elements) + last.height * last.width;
  }
};

// c[v][b] -= sum over k in [begin, end) of rows(v, k) columns(b, k).
template <std::size_t NV>
HWY_INLINE void subtract_panel_products(const double* rows, std::size_t row_stride, const double* columns,
                                        std::size_t column_stride, std::size_t begin, std::size_t end,
                                        V (&c)[NV][kBlock]) {
  rows += begin * row_stride;
  columns += begin * column_stride;
  for (std::size_t k = begin; k < end; ++k, rows += row_stride, columns += column_stride) {
    V l[NV];
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) l[v] = hn::Load(D(), rows + v * kLanes);
    HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
      const V r = number(columns[b]);
      HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) c[v][b] = hn::NegMulAdd(l[v], r, c[v][b]);
    }
  }
}

// The tile of NV vectors from row `row` of `own`, in the block of columns that begins at `column`, whose rows are in
// `above`. A tile on the diagonal (Diagonal) begins at its own block. Columns before `begin` are known to be zero.
template <std::size_t NV, bool Diagonal>
HWY_NOINLINE void finish_tile(const Panel& own, const Panel& above, std::size_t row, std::size_t column,
                              double* inverses, double* roots, std::size_t begin = 0) {
  double* tile = own.elements + column * own.height + (row - own.first);
  V c[NV][kBlock];
  HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) c[v][b] = hn::Load(D(), tile + b * own.height + v * kLanes);
  }
  const double* block = above.elements + (column - above.first);
  subtract_panel_products<NV>(own.elements + (row - own.first), own.height, block, above.height, begin, column, c);
  HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
    double* out = tile + b * own.height;
    if constexpr (Diagonal) {
      hn::Store(c[0][b], D(), out);
      const double pivot = out[b];
      roots[column + b] = std::sqrt(pivot);
      inverses[column + b] = roots[column + b] * (1.0 / pivot);
    }
    const V inverse = number(inverses[column + b]);
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) {
      c[v][b] = hn::Mul(c[v][b], inverse);
      hn::Store(c[v][b], D(), out + v * kLanes);
    }
    const double* factors = block + (column + b) * above.height;
    HWY_UNROLL(8) for (std::size_t e = b + 1; e < kBlock; ++e) {
      const V factor = number(factors[e]);
      HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) c[v][e] = hn::NegMulAdd(c[v][b], factor, c[v][e]);
    }
  }
}

template <bool Diagonal>
HWY_INLINE void finish_tile_of(std::size_t vectors, const Panel& own, const Panel& above, std::size_t row,
                               std::size_t column, double* inverses, double* roots) {
  switch (vectors) {
    case 1:
      return finish_tile<1, Diagonal>(own, above, row, column, inverses, roots);
    case 2:
      return finish_tile<2, Diagonal>(own, above, row, column, inverses, roots);
    case 3:
      return finish_tile<3, Diagonal>(own, above, row, column, inverses, roots);
    default:
      return finish_tile<kVectors, Diagonal>(own, above, row, column, inverses, roots);
  }
}

// Finishes one panel that holds K, all panels above it being finished. roots beyond the number of columns are of no
// use.
HWY_INLINE void finish_panel(const PanelMatrix& m, std::size_t index, double* roots) {
  const Panel own = m.panel(index);
  const std::size_t vectors = own.height / kLanes;
  for (std::size_t column = 0; column < HWY_MIN(own.first, own.width); column += kBlock) {
    const Panel above = m.panel(column / kPanel);
    finish_tile_of<false>(vectors, own, above, own.first, column, m.inverses, roots);
  }
  for (std::size_t column = own.first; column < own.width; column += kBlock) {
    const std::size_t skipped = (column - own.first) / kLanes;  // vectors above the diagonal
    finish_tile_of<true>(vectors - skipped, own, own, column, column, m.inverses, roots);
  }
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
