// The reference prior's information from a panel factor. Included once per instruction path.
//
// With K_delta = L L', U the orthonormal basis of L^-1 H and P = I - U U' (gp/reference_information.hpp):
// A_d = L^-1 dK_d L^-T, B_d = P A_d P - (tr(P A_d P) / m) P, and what is wanted are all <B_d, B_e>. With the inverse of
// L at hand only lower triangles are computed, Z = L^-1 dK_d and A_d = Z L^-T: n^3 operations for each input, half of
// what products with K^-1 take, on symmetric matrices, where nothing cancels.
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

// A square matrix in panels of full width.
struct SquarePanels {
  double* elements;
  std::size_t n;  // rows and columns, padded to whole vectors

  HWY_INLINE std::size_t num_panels() const { return (n + kLowPanel - 1) / kLowPanel; }
  HWY_INLINE Panel panel(std::size_t index) const {
    const std::size_t first = index * kLowPanel;
    return {elements + first * n, first, HWY_MIN(kLowPanel, n - first), n};
  }
};

// The lower triangle of a symmetric matrix in panels, each panel's square on the diagonal complete.
struct LowerPanels {
  double* elements;
  std::size_t n;

  HWY_INLINE std::size_t num_panels() const { return (n + kLowPanel - 1) / kLowPanel; }
  HWY_INLINE Panel panel(std::size_t index) const {
    const std::size_t first = index * kLowPanel;
    const std::size_t height = HWY_MIN(kLowPanel, n - first);
    return {elements + kLowPanel * kLowPanel * index * (index + 1) / 2, first, height, first + height};
  }
  HWY_INLINE std::size_t size() const {
    const Panel last = panel(num_panels() - 1);
    return static_cast<std::size_t>(last.elements - elements) + last.height * last.width;
  }
};

struct InformationWork {
  std::size_t runs, n, q, directions;  // n: runs padded to whole vectors
  SquarePanels K, derivative, inverse;
  double* product;  // a panel of Z
  double* U;        // [trend column][row]
  double* V_;       // [trend column][row]
  double* roots;    // B_d, one after another
  std::size_t root_size;
  double* end;

  InformationWork(double* work, std::size_t num_runs, std::size_t num_trend, std::size_t num_directions)
      : runs(num_runs), n(PanelMatrix::padded(num_runs)), q(num_trend), directions(num_directions) {
    double* next = work;
    const auto take = [&next](std::size_t count) {
      double* const taken = next;
      next += count;
      return taken;
    };
    K = {take(n * n), n};
    derivative = {take(n * n), n};
    inverse = {take(n * n), n};
    product = take(kLowPanel * n);
    U = take(q * n);
    V_ = take(q * n);
    root_size = LowerPanels{nullptr, n}.size();
    roots = take(directions * root_size);
    end = next;
  }

  HWY_INLINE LowerPanels root(std::size_t d) const { return {roots + d * root_size, n}; }
};

// out(v, b) = sum over k < end of rows(v, k) columns(b, k).
template <std::size_t NV>
HWY_NOINLINE void multiply_tile(const double* rows, std::size_t row_stride, const double* columns,
                                std::size_t column_stride, std::size_t end, double* out, std::size_t out_stride) {
  V c[NV][kBlock];
  HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) c[v][b] = hn::Zero(D());
  }
  for (std::size_t k = 0; k < end; ++k, rows += row_stride, columns += column_stride) {
    V l[NV];
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) l[v] = hn::Load(D(), rows + v * kLanes);
    HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
      const V r = number(columns[b]);
      HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) c[v][b] = hn::MulAdd(l[v], r, c[v][b]);
    }
  }
  HWY_UNROLL(8) for (std::size_t b = 0; b < kBlock; ++b) {
    HWY_UNROLL(8) for (std::size_t v = 0; v < NV; ++v) hn::Store(c[v][b], D(), out + b * out_stride + v * kLanes);
  }
}

// The block of columns that begins at `column`: out = rows * columns', both panels of height `height` for `out`'s rows.
HWY_INLINE void multiply_block(const double* rows, std::size_t height, const Panel& other, std::size_t column,
                               std::size_t end, double* out) {
  const double* columns = other.elements + (column - other.first);
  switch (height / kLanes) {
    case 1:
      return multiply_tile<1>(rows, height, columns, other.height, end, out, height);
    case 2:
      return multiply_tile<2>(rows, height, columns, other.height, end, out, height);
    case 3:
      return multiply_tile<3>(rows, height, columns, other.height, end, out, height);
    default:
      return multiply_tile<kVectors>(rows, height, columns, other.height, end, out, height);
  }
}

// Rows of the identity are borders of L: solved, they are the columns of L^-1, here as rows of `columns`.
HWY_INLINE void solve_identity(const PanelMatrix& L, double* columns, std::size_t n) {
  for (std::size_t first = 0; first < n; first += kLanes) {
    const Panel own{columns + first * n, first, kLanes, n};
    for (std::size_t i = 0; i < n * kLanes; ++i) own.elements[i] = 0.0;
    for (std::size_t r = 0; r < kLanes; ++r) own.elements[(first + r) * kLanes + r] = 1.0;
    for (std::size_t column = first; column < n; column += kBlock) {
      finish_tile<1, false>(own, L.panel(column / kPanel), first, column, L.inverses, nullptr, first);
    }
  }
}

// L^-1 in panels; what belongs to padded rows or columns is zero.
HWY_INLINE void invert(const PanelMatrix& L, double* columns, const SquarePanels& out) {
  const std::size_t n = L.columns;
  solve_identity(L, columns, out.n);
  for (std::size_t index = 0; index < out.num_panels(); ++index) {
    const Panel panel = out.panel(index);
    for (std::size_t k = 0; k < out.n; ++k) {
      const double* column = columns + k / kLanes * kLanes * out.n + k % kLanes;
      for (std::size_t r = 0; r < panel.height; ++r) {
        const std::size_t i = panel.first + r;
        panel.elements[k * panel.height + r] = k <= i && i < n ? column[i * kLanes] : 0.0;
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
      multiply_block(own.elements, own.height, w.derivative.panel(k / kLowPanel), k, HWY_MIN(end, w.runs),
                     w.product + k * own.height);
    }
    for (std::size_t j = 0; j < end; j += kBlock) {
      multiply_block(w.product, own.height, w.inverse.panel(j / kLowPanel), j, HWY_MIN(j + kBlock, w.runs),
                     out.elements + j * own.height);
    }
  }
}

// A = L^-1 L^-T.
HWY_INLINE void square_of_inverse(const InformationWork& w, const LowerPanels& A) {
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel own = w.inverse.panel(index), out = A.panel(index);
    for (std::size_t j = 0; j < out.width; j += kBlock) {
      multiply_block(own.elements, own.height, w.inverse.panel(j / kLowPanel), j, HWY_MIN(j + kBlock, w.runs),
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

// A = P A P - mean P, and what is below the diagonal squares times sqrt(2): a sum of products over all that is stored
// is then the trace of a product.
HWY_INLINE void project_and_centre(const InformationWork& w, const LowerPanels& A) {
  const double whole = trace(A);
  const double mean = (whole - trend_part(w, A)) / static_cast<double>(w.runs - w.q);
  for (std::size_t r = 0; r < w.q; ++r) {
    for (std::size_t i = 0; i < w.n; ++i) w.V_[r * w.n + i] -= 0.5 * mean * w.U[r * w.n + i];
  }
  for (std::size_t index = 0; index < A.num_panels(); ++index) {
    const Panel panel = A.panel(index);
    for (std::size_t k = 0; k < panel.width; ++k) {
      const V scale = number(k < panel.first ? 1.4142135623730951 : 1.0);
      for (std::size_t i = 0; i < panel.height; i += kLanes) {
        double* out = panel.elements + k * panel.height + i;
        V a = hn::Load(D(), out);
        for (std::size_t r = 0; r < w.q; ++r) {
          const double *u = w.U + r * w.n, *v = w.V_ + r * w.n;
          a = hn::NegMulAdd(hn::Load(D(), u + panel.first + i), number(v[k]), a);
          a = hn::NegMulAdd(hn::Load(D(), v + panel.first + i), number(u[k]), a);
        }
        hn::Store(hn::Mul(a, scale), D(), out);
      }
    }
    for (std::size_t i = panel.first; i < HWY_MIN(panel.first + panel.height, w.runs); ++i) {
      panel.elements[i * panel.height + (i - panel.first)] -= mean;
    }
  }
}

// Products of one vector with `count` others, at most four: enough of them to fill the waits of each other's sums.
HWY_INLINE void inner_products(const double* one, const double* others, std::size_t stride, std::size_t count,
                               std::size_t n, double* sums) {
  const std::size_t at[4] = {0, (count > 1 ? 1 : 0) * stride, (count > 2 ? 2 : 0) * stride,
                             (count > 3 ? 3 : 0) * stride};
  V sum[4] = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  for (std::size_t i = 0; i < n; i += kLanes) {
    const V a = hn::Load(D(), one + i);
    HWY_UNROLL(8) for (std::size_t u = 0; u < 4; ++u) {
      sum[u] = hn::MulAdd(a, hn::Load(D(), others + at[u] + i), sum[u]);
    }
  }
  for (std::size_t u = 0; u < count; ++u) sums[u] += hn::GetLane(hn::SumOfLanes(D(), sum[u]));
}

// Chunks of all B_d that stay in the first cache while every pair is summed.
HWY_INLINE void gram_matrix(const InformationWork& w, double* gram) {
  constexpr std::size_t kChunk = 32 * kLanes;
  const std::size_t m = w.directions;
  for (std::size_t i = 0; i < m * m; ++i) gram[i] = 0.0;
  for (std::size_t begin = 0; begin < w.root_size; begin += kChunk) {
    const std::size_t length = HWY_MIN(kChunk, w.root_size - begin);
    const double* roots = w.roots + begin;
    for (std::size_t d = 0; d < m; ++d) {
      for (std::size_t e = 0; e <= d; e += 4) {
        inner_products(roots + d * w.root_size, roots + e * w.root_size, w.root_size, HWY_MIN(4, d + 1 - e), length,
                       gram + d * m + e);
      }
    }
  }
  for (std::size_t d = 0; d < m; ++d) {
    for (std::size_t e = 0; e < d; ++e) gram[e * m + d] = gram[d * m + e];
  }
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
