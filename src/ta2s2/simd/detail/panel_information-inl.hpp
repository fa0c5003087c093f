// The reference prior's information from a panel factor. Included once per instruction path.
//
// With K_delta = L L', U the orthonormal basis of L^-1 H and P = I - U U' (gp/reference_information.hpp):
// A_d = L^-1 dK_d L^-T, B_d = P A_d P - (tr(P A_d P) / m) P, and what is wanted are all <B_d, B_e>. With the inverse of
// L at hand only lower triangles are computed, Z = L^-1 dK_d and A_d = Z L^-T: n^3 operations for each input, half of
// what products with K^-1 take, on symmetric matrices, where nothing cancels. This serves every correlation; the
// squared exponential has a cheaper form for most points, panel_structured-inl.hpp.
#if defined(TA2S2_PANEL_INFORMATION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_PANEL_INFORMATION_INL
#undef TA2S2_PANEL_INFORMATION_INL
#else
#define TA2S2_PANEL_INFORMATION_INL
#endif

#include "ta2s2/simd/detail/borders-inl.hpp"
#include "ta2s2/simd/detail/panel_cholesky-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

// Of the products' panels: lower than the factorisation's, as what is computed above a diagonal is lost.
constexpr std::size_t kLowVectors = kLanes >= 8 ? 2 : kVectors;
constexpr std::size_t kLowPanel = kLowVectors * kLanes;

// The last of them takes a single vector that would be left over, as the registers allow: a tile one vector high is
// bound by its loads.
HWY_INLINE std::size_t num_low_panels(std::size_t n) {
  const std::size_t left_over = n % kLowPanel;
  const bool taken = kLowVectors < kVectors && left_over == kLanes && n > kLowPanel;
  return n / kLowPanel + (left_over > 0 && !taken ? 1 : 0);
}
HWY_INLINE std::size_t low_panel_height(std::size_t index, std::size_t n) {
  return index + 1 < num_low_panels(n) ? kLowPanel : n - index * kLowPanel;
}
HWY_INLINE std::size_t low_panel_of(std::size_t row, std::size_t n) {
  return HWY_MIN(row / kLowPanel, num_low_panels(n) - 1);
}

// A square matrix in panels of full width.
struct SquarePanels {
  double* elements;
  std::size_t n;  // rows and columns, padded to whole vectors

  HWY_INLINE std::size_t num_panels() const { return num_low_panels(n); }
  HWY_INLINE Panel panel_of(std::size_t row) const { return panel(low_panel_of(row, n)); }
  HWY_INLINE Panel panel(std::size_t index) const {
    const std::size_t first = index * kLowPanel;
    return {elements + first * n, first, low_panel_height(index, n), n};
  }
};

// A square matrix in panels of one vector's height: kBlock rows, contiguous for each column.
struct VectorPanels {
  double* elements;
  std::size_t n;

  HWY_INLINE Panel panel(std::size_t first) const { return {elements + first * n, first, kLanes, n}; }
  HWY_INLINE double& at(std::size_t i, std::size_t k) const {
    return elements[i / kLanes * kLanes * n + k * kLanes + i % kLanes];
  }
};

// The lower triangle of a symmetric matrix in panels, each panel's square on the diagonal complete.
struct LowerPanels {
  double* elements;
  std::size_t n;

  HWY_INLINE std::size_t num_panels() const { return num_low_panels(n); }
  HWY_INLINE Panel panel_of(std::size_t row) const { return panel(low_panel_of(row, n)); }
  HWY_INLINE Panel panel(std::size_t index) const {
    const std::size_t first = index * kLowPanel;
    const std::size_t height = low_panel_height(index, n);
    return {elements + kLowPanel * kLowPanel * index * (index + 1) / 2, first, height, first + height};
  }
  HWY_INLINE std::size_t size() const {
    const Panel last = panel(num_panels() - 1);
    return static_cast<std::size_t>(last.elements - elements) + last.height * last.width;
  }
};

// Parts of one piece of memory, each aligned as the whole.
struct WorkTaker {
  double* next;

  double* operator()(std::size_t count) {
    double* const taken = next;
    next += PanelMatrix::padded(count);
    return taken;
  }
};

struct InformationWork {
  std::size_t runs, n, q, directions;  // n: runs padded to whole vectors
  VectorPanels K;                      // K_delta
  SquarePanels derivative, inverse;
  double* product;  // a panel of Z
  double* U;        // [trend column][row]
  double* V_;       // [trend column][row]
  double* roots;    // B_d, one after another
  std::size_t root_size;
  double* sums;  // [direction][direction][lane]
  double* end;

  InformationWork(double* work, std::size_t num_runs, std::size_t num_trend, std::size_t num_directions)
      : runs(num_runs), n(PanelMatrix::padded(num_runs)), q(num_trend), directions(num_directions) {
    WorkTaker take{work};
    K = {take(n * n), n};
    derivative = {take(n * n), n};
    inverse = {take(n * n), n};
    product = take(kPanel * n);
    U = take(q * n);
    V_ = take(q * n);
    root_size = LowerPanels{nullptr, n}.size();
    roots = take(directions * root_size);
    sums = take(directions * directions * kLanes);
    end = take.next;
  }

  HWY_INLINE LowerPanels root(std::size_t d) const { return {roots + d * root_size, n}; }
};

// out(v, b) = sum over k < end of rows(v, k) columns(b, k). Of triangular rows vector v ends kLanes after the one
// before it, the first of them at `first_end`, and what is beyond is not touched.
template <std::size_t NV>
HWY_NOINLINE void multiply_tile(const double* rows, std::size_t row_stride, const double* columns,
                                std::size_t column_stride, std::size_t first_end, std::size_t end, double* out,
                                std::size_t out_stride) {
  V c[NV][kBlock];
  HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) c[v][b] = hn::Zero(D());
  }
  std::size_t k = 0;
  HWY_UNROLL(8) for (std::size_t begin = 0; begin < NV; ++begin) {
    const std::size_t stop = HWY_MIN(first_end + begin * kLanes, end);
    for (; k < stop; ++k, rows += row_stride, columns += column_stride) {
      V l[NV];
      HWY_UNROLL(8) for (std::size_t v = begin; v < NV; ++v) l[v] = hn::Load(D(), rows + v * kLanes);
      HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
        const V r = number(columns[b]);
        HWY_UNROLL(8) for (std::size_t v = begin; v < NV; ++v) c[v][b] = hn::MulAdd(l[v], r, c[v][b]);
      }
    }
  }
  HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) hn::Store(c[v][b], D(), out + b * out_stride + v * kLanes);
  }
}

// The same for rows that lie in a panel of `height`.
HWY_INLINE void multiply_triangular(const double* rows, std::size_t height, const double* columns,
                                    std::size_t column_stride, std::size_t first_end, std::size_t end, double* out,
                                    std::size_t out_stride) {
  switch (height / kLanes) {
    case 1:
      return multiply_tile<1>(rows, height, columns, column_stride, first_end, end, out, out_stride);
    case 2:
      return multiply_tile<2>(rows, height, columns, column_stride, first_end, end, out, out_stride);
    case 3:
      return multiply_tile<3>(rows, height, columns, column_stride, first_end, end, out, out_stride);
    default:
      return multiply_tile<kVectors>(rows, height, columns, column_stride, first_end, end, out, out_stride);
  }
}

HWY_INLINE void multiply_rows(const double* rows, std::size_t height, const double* columns, std::size_t column_stride,
                              std::size_t end, double* out, std::size_t out_stride) {
  multiply_triangular(rows, height, columns, column_stride, end, end, out, out_stride);
}

// The block of columns that begins at `column`: out = rows * columns', both panels of height `height` for `out`'s rows.
HWY_INLINE void multiply_block(const double* rows, std::size_t height, const Panel& other, std::size_t column,
                               std::size_t end, double* out) {
  multiply_rows(rows, height, other.elements + (column - other.first), other.height, end, out, height);
}

// A tile of kLanes by kLanes.
HWY_INLINE void transpose_tile(const double* from, std::size_t from_stride, double* to, std::size_t to_stride) {
  for (std::size_t r = 0; r < kLanes; ++r) {
    for (std::size_t c = 0; c < kLanes; ++c) to[r * to_stride + c] = from[c * from_stride + r];
  }
}

// Copies what is below the diagonal tiles of a symmetric matrix to above them.
HWY_INLINE void mirror(const VectorPanels& A) {
  for (std::size_t i = kLanes; i < A.n; i += kLanes) {
    for (std::size_t j = 0; j < i; j += kLanes) {
      transpose_tile(A.panel(i).elements + j * kLanes, kLanes, A.panel(j).elements + i * kLanes, kLanes);
    }
  }
}

// Rows of the identity are borders of L: solved, they are the columns of L^-1, here as rows of `columns`.
HWY_INLINE void solve_identity(const PanelMatrix& L, const VectorPanels& columns) {
  for (std::size_t first = 0; first < columns.n; first += kLanes) {
    const Panel own = columns.panel(first);
    for (std::size_t i = 0; i < columns.n * kLanes; ++i) own.elements[i] = 0.0;
    for (std::size_t r = 0; r < kLanes; ++r) own.elements[(first + r) * kLanes + r] = 1.0;
    for (std::size_t column = first; column < columns.n; column += kBlock) {
      finish_tile<1, false>(own, L.panel(column / kPanel), first, column, L.inverses, nullptr, first);
    }
  }
}

// L^-1 in panels as far as their squares on the diagonal, from its columns; padded rows are zero.
HWY_INLINE void transpose_inverse(const VectorPanels& columns, std::size_t runs, const SquarePanels& out) {
  for (std::size_t index = 0; index < out.num_panels(); ++index) {
    const Panel panel = out.panel(index);
    for (std::size_t k = 0; k < panel.first + panel.height; k += kLanes) {
      double* to = panel.elements + k * panel.height;
      for (std::size_t r = 0; r < panel.height; r += kLanes) {
        transpose_tile(columns.panel(k).elements + (panel.first + r) * kLanes, kLanes, to + r, panel.height);
      }
      for (std::size_t b = 0; b < kLanes; ++b) {
        for (std::size_t i = runs; i < panel.first + panel.height; ++i) to[b * panel.height + (i - panel.first)] = 0.0;
      }
    }
  }
}

// A second pass of Gram-Schmidt over what integrate_out_trend left, after which U is orthonormal to rounding.
HWY_INLINE void orthonormalise_trend(const double* borders, std::size_t num_runs, const InformationWork& w) {
  const OneLane one;
  for (std::size_t r = 0; r < w.q; ++r) {
    double* u = w.U + r * w.n;
    for (std::size_t i = 0; i < w.n; ++i) u[i] = i < num_runs ? borders[r * num_runs + i] : 0.0;
    for (std::size_t s = 0; s < r; ++s) subtract(one, dot(one, w.U + s * w.n, u, num_runs), w.U + s * w.n, u, num_runs);
    const double length = std::sqrt(hn::GetLane(dot(one, u, u, num_runs)));
    for (std::size_t i = 0; i < num_runs; ++i) u[i] /= length;
  }
}

// A = L^-1 dK L^-T.
HWY_INLINE void whiten(const InformationWork& w, const LowerPanels& A) {
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel own = w.inverse.panel(index), out = A.panel(index);
    const std::size_t end = out.width;
    for (std::size_t k = 0; k < end; k += kBlock) {
      const Panel other = w.derivative.panel_of(k);
      multiply_triangular(own.elements, own.height, other.elements + (k - other.first), other.height,
                          own.first + kLanes, HWY_MIN(end, w.runs), w.product + k * own.height, own.height);
    }
    for (std::size_t j = 0; j < end; j += kBlock) {
      multiply_block(w.product, own.height, w.inverse.panel_of(j), j, HWY_MIN(j + kBlock, w.runs),
                     out.elements + j * own.height);
    }
  }
}

// A = L^-1 L^-T.
HWY_INLINE void square_of_inverse(const InformationWork& w, const LowerPanels& A) {
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel own = w.inverse.panel(index), out = A.panel(index);
    for (std::size_t j = 0; j < out.width; j += kBlock) {
      multiply_block(own.elements, own.height, w.inverse.panel_of(j), j, HWY_MIN(j + kBlock, w.runs),
                     out.elements + j * own.height);
    }
  }
}

// v = A u for a symmetric A.
HWY_INLINE void multiply_symmetric(const LowerPanels& A, const double* u, double* v) {
  for (std::size_t i = 0; i < A.n; ++i) v[i] = 0.0;
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel panel = A.panel(index);
    for (std::size_t r = 0; r < panel.height; r += kLanes) {
      const double* column = panel.elements + r;
      const V own = hn::Load(D(), u + panel.first + r);
      V sum = hn::Zero(D());
      for (std::size_t k = 0; k < panel.first; ++k, column += panel.height) {
        const V a = hn::Load(D(), column);
        sum = hn::MulAdd(a, number(u[k]), sum);
        v[k] += hn::GetLane(hn::SumOfLanes(D(), hn::Mul(a, own)));
      }
      for (std::size_t k = panel.first; k < panel.width; ++k, column += panel.height) {
        sum = hn::MulAdd(hn::Load(D(), column), number(u[k]), sum);
      }
      double* out = v + panel.first + r;
      hn::Store(hn::Add(hn::Load(D(), out), sum), D(), out);
    }
  }
}

HWY_INLINE double inner(const double* a, const double* b, std::size_t n) {
  V sum = hn::Zero(D());
  for (std::size_t i = 0; i < n; i += kLanes) sum = hn::MulAdd(hn::Load(D(), a + i), hn::Load(D(), b + i), sum);
  return hn::GetLane(hn::SumOfLanes(D(), sum));
}

HWY_INLINE double trace(const LowerPanels& A) {
  double sum = 0.0;
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel panel = A.panel(index);
    for (std::size_t r = 0; r < panel.height; ++r) sum += panel.elements[(panel.first + r) * panel.height + r];
  }
  return sum;
}

// v_r = A u_r - 1/2 sum_s u_s (u_s' A u_r); returns tr(U' A U). A - U V' - V U' is then P A P.
HWY_INLINE double trend_part(const InformationWork& w, const LowerPanels& A) {
  double captured = 0.0;
  for (std::size_t r = 0; r < w.q; ++r) multiply_symmetric(A, w.U + r * w.n, w.V_ + r * w.n);
  for (std::size_t r = 0; r < w.q; ++r) {
    double* v = w.V_ + r * w.n;
    for (std::size_t s = 0; s < w.q; ++s) {
      const double* u = w.U + s * w.n;
      // Later columns of V still are A u; of earlier ones half of this entry is gone already.
      const double entry = s < r ? 2.0 * inner(w.U + r * w.n, w.V_ + s * w.n, w.n) : inner(u, v, w.n);
      if (s == r) captured += entry;
      for (std::size_t i = 0; i < w.n; ++i) v[i] -= 0.5 * entry * u[i];
    }
  }
  return captured;
}

// A -= U V' + V U'.
HWY_INLINE void subtract_trend(const InformationWork& w, const Panel& panel) {
  for (std::size_t k = 0; k < panel.width; ++k) {
    for (std::size_t i = 0; i < panel.height; i += kLanes) {
      double* out = panel.elements + k * panel.height + i;
      V a = hn::Load(D(), out);
      for (std::size_t r = 0; r < w.q; ++r) {
        const double *u = w.U + r * w.n, *v = w.V_ + r * w.n;
        a = hn::NegMulAdd(hn::Load(D(), u + panel.first + i), number(v[k]), a);
        a = hn::NegMulAdd(hn::Load(D(), v + panel.first + i), number(u[k]), a);
      }
      hn::Store(a, D(), out);
    }
  }
}

// A = P A P - mean P.
HWY_INLINE void project_and_centre(const InformationWork& w, const LowerPanels& A) {
  const double whole = trace(A);
  const double mean = (whole - trend_part(w, A)) / static_cast<double>(w.runs - w.q);
  for (std::size_t r = 0; r < w.q; ++r) {
    for (std::size_t i = 0; i < w.n; ++i) w.V_[r * w.n + i] -= 0.5 * mean * w.U[r * w.n + i];
  }
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel panel = A.panel(index);
    if (w.q > 0) subtract_trend(w, panel);
    for (std::size_t i = panel.first; i < HWY_MIN(panel.first + panel.height, w.runs); ++i) {
      panel.elements[i * panel.height + (i - panel.first)] -= mean;
    }
  }
}

// Adds to sums(d, e), vectors of `m` for each d, the products of roots d, d + 1 with e, ..., e + 3 over a piece of
// their elements: enough sums at once to fill each other's waits. Roots beyond the last are the last again, for no use.
HWY_INLINE void add_products(const InformationWork& w, std::size_t d, std::size_t e, std::size_t begin,
                             std::size_t end) {
  const std::size_t m = w.directions;
  const double *a[2], *b[4];
  V sum[2][4];
  HWY_UNROLL(8) for (std::size_t j = 0; j < 4; ++j) b[j] = w.roots + HWY_MIN(e + j, m - 1) * w.root_size;
  HWY_UNROLL(8) for (std::size_t i = 0; i < 2; ++i) {
    a[i] = w.roots + HWY_MIN(d + i, m - 1) * w.root_size;
    HWY_UNROLL(8) for (std::size_t j = 0; j < 4; ++j) sum[i][j] = hn::Zero(D());
  }
  for (std::size_t k = begin; k < end; k += kLanes) {
    const V a0 = hn::Load(D(), a[0] + k), a1 = hn::Load(D(), a[1] + k);
    HWY_UNROLL(8) for (std::size_t j = 0; j < 4; ++j) {
      const V other = hn::Load(D(), b[j] + k);
      sum[0][j] = hn::MulAdd(a0, other, sum[0][j]);
      sum[1][j] = hn::MulAdd(a1, other, sum[1][j]);
    }
  }
  for (std::size_t i = 0; i < HWY_MIN(2, m - d); ++i) {
    for (std::size_t j = 0; j < HWY_MIN(4, m - e); ++j) {
      double* out = w.sums + ((d + i) * m + e + j) * kLanes;
      hn::Store(hn::Add(hn::Load(D(), out), sum[i][j]), D(), out);
    }
  }
}

// Pieces of all roots that stay in the first cache while every pair is summed.
HWY_INLINE void add_all_products(const InformationWork& w, std::size_t begin, std::size_t end) {
  constexpr std::size_t kPiece = 32 * kLanes;
  for (; begin < end; begin += kPiece) {
    for (std::size_t d = 0; d < w.directions; d += 2) {
      for (std::size_t e = 0; e <= HWY_MIN(d + 1, w.directions - 1); e += 4) {
        add_products(w, d, e, begin, HWY_MIN(begin + kPiece, end));
      }
    }
  }
}

// <A_d, A_e> from lower triangles: what is below a panel's square on the diagonal counts twice.
HWY_INLINE void gram_matrix(const InformationWork& w, double* gram) {
  const std::size_t m = w.directions;
  const LowerPanels shape{nullptr, w.n};
  const auto add_parts = [&](bool squares) HWY_ATTR {
    for (std::size_t index = 0; index < shape.num_panels(); ++index) {
      const Panel panel = shape.panel(index);
      const std::size_t begin = static_cast<std::size_t>(panel.elements - shape.elements);
      const std::size_t square = begin + panel.first * panel.height;
      add_all_products(w, squares ? square : begin, squares ? begin + panel.width * panel.height : square);
    }
  };
  for (std::size_t i = 0; i < m * m * kLanes; ++i) w.sums[i] = 0.0;
  add_parts(false);
  for (std::size_t i = 0; i < m * m * kLanes; ++i) w.sums[i] *= 2.0;
  add_parts(true);
  for (std::size_t d = 0; d < m; ++d) {
    for (std::size_t e = 0; e <= d; ++e) {
      gram[d * m + e] = gram[e * m + d] =
          hn::GetLane(hn::SumOfLanes(D(), hn::Load(D(), w.sums + (d * m + e) * kLanes)));
    }
  }
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
