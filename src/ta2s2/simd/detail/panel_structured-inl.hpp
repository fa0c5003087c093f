// The reference prior's products <B_d, B_e> for the squared exponential, from the structure of its derivatives.
// Included once per instruction path.
//
// With X = diag(x), x the centred coordinate d, and u = x o x: dK_d = c_d (diag(u) K + K diag(u) - 2 X K X). Nothing is
// lost by K_delta in place of K, as the derivative of a diagonal is zero. With M_d = L^-1 X L, lower triangular, and
// P = K_delta o K_delta^-1 the traces without a trend are
//   tr W_d     = 2 c_d (u_d' P 1 - x_d' P x_d),
//   tr W_d W_e = c_d c_e (2 u_d' u_e + 2 u_d' P u_e - 4 (u_d o x_e)' P x_e - 4 (u_e o x_d)' P x_d
//                         + 4 <M_d M_d', M_e M_e'>):
// two triangular products for each input, two thirds of what panel_information-inl.hpp does. A trend, U the orthonormal
// basis of L^-1 H and G = L^-T U, takes tr C_d from the first and adds <C_d, C_e> - 2 <V_d, V_e> to the second, with
// V_d = L^-1 dK_d G and C_d = U' V_d.
//
// Where K is near the identity, terms of order one cancel in both: see kLeastRemainder.
#if defined(TA2S2_PANEL_STRUCTURED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TA2S2_PANEL_STRUCTURED_INL
#undef TA2S2_PANEL_STRUCTURED_INL
#else
#define TA2S2_PANEL_STRUCTURED_INL
#endif

#include "ta2s2/simd/detail/panel_information-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ta2s2::HWY_NAMESPACE {

// What must remain of <B_d, B_d>, relative to the squares among its terms; else the result is refused. Errors of sums,
// some 1e-15 of those squares, are then below 1e-10 of the products; docs/math.md, section 7, has what was measured.
constexpr double kLeastRemainder = 1e-4;

struct StridedRow {
  double* elements;
  std::size_t stride;

  HWY_INLINE double& operator[](std::size_t i) const { return elements[i * stride]; }
};

// Vectors as rows, in panels.
struct RowPanels {
  double* elements;
  std::size_t rows, n;  // rows padded to whole vectors

  HWY_INLINE Panel panel(std::size_t first) const {
    return {elements + first * n, first, HWY_MIN(kPanel, rows - first), n};
  }
  HWY_INLINE StridedRow row(std::size_t index) const {
    const Panel p = panel(index / kPanel * kPanel);
    return {p.elements + (index - p.first), p.height};
  }
};

struct StructuredWork {
  std::size_t p, num_images;  // images: dK_d G, q for each direction, padded
  double* c;                  // [input]
  double *x, *u, *h;          // [input][row]
  VectorPanels transposed;    // L'
  VectorPanels P;
  LowerPanels M;
  RowPanels vectors, products;  // g, x_d o g and u_d o g for one or several g; times a matrix
  double* G;                    // [trend column][row]
  double* images;               // in panels of vectors
  double* whitened;             // V_d: [image][row]
  double* coefficients;         // C_d: [direction][q][q]
  double *traces, *squares;     // [direction]
  double* end;

  StructuredWork(const InformationWork& w, std::size_t num_inputs) : p(num_inputs) {
    WorkTaker take{w.end};
    num_images = PanelMatrix::padded(w.directions * w.q);
    x = take(p * w.n);
    u = take(p * w.n);
    h = take(p * w.n);
    c = take(p);
    transposed = {take(w.n * w.n), w.n};
    P = {take(w.n * w.n), w.n};
    M = {take(w.root_size), w.n};
    const std::size_t rows = PanelMatrix::padded((2 * p + 1) * HWY_MAX(w.q, 1));
    vectors = {take(rows * w.n), rows, w.n};
    products = {take(rows * w.n), rows, w.n};
    G = take(HWY_MAX(w.q, 1) * w.n);
    images = take(num_images * w.n);
    whitened = take(num_images * w.n);
    coefficients = take(w.directions * w.q * w.q);
    traces = take(w.directions);
    squares = take(w.directions);
    end = take.next;
  }
};

// Coordinates about their mean: the smaller they are, the less cancels.
HWY_INLINE void centre_inputs(const InformationWork& w, const StructuredWork& s, const double* inputs,
                              std::size_t stride) {
  for (std::size_t d = 0; d < s.p; ++d) {
    const double* from = inputs + d * stride;
    double sum = 0.0;
    for (std::size_t i = 0; i < w.runs; ++i) sum += from[i];
    const double mean = sum / static_cast<double>(w.runs);
    for (std::size_t i = 0; i < w.n; ++i) {
      const double x = i < w.runs ? from[i] - mean : 0.0;
      s.x[d * w.n + i] = x;
      s.u[d * w.n + i] = x * x;
    }
  }
}

// L' in panels one vector high, with the zeros of its tiles on the diagonal.
HWY_INLINE void transpose_factor(const PanelMatrix& L, const InformationWork& w, const VectorPanels& out) {
  for (std::size_t m = 0; m < w.n; m += kLanes) {
    const Panel panel = L.panel(m / kPanel);
    for (std::size_t j = 0; j <= m; j += kLanes) {
      transpose_tile(panel.elements + j * panel.height + (m - panel.first), panel.height,
                     out.panel(j).elements + m * kLanes, kLanes);
    }
    double* diagonal = out.panel(m).elements + m * kLanes;
    for (std::size_t r = 0; r < kLanes; ++r) {
      for (std::size_t j = r + 1; j < kLanes; ++j) diagonal[r * kLanes + j] = 0.0;
    }
  }
}

// M = L^-1 X L, a panel.
HWY_INLINE void conjugate_panel(const InformationWork& w, const StructuredWork& s, const double* x, std::size_t index) {
  const Panel own = w.inverse.panel(index), out = s.M.panel(index);
  for (std::size_t m = 0; m < out.width; ++m) {
    const V factor = number(x[m]);
    for (std::size_t r = 0; r < own.height; r += kLanes) {
      const std::size_t at = m * own.height + r;
      hn::Store(hn::Mul(hn::Load(D(), own.elements + at), factor), D(), w.product + at);
    }
  }
  const std::size_t end = HWY_MIN(out.width, w.runs);
  for (std::size_t j = 0; j < out.width; j += kBlock) {
    const std::size_t first_end = own.first + kLanes;
    multiply_triangular(w.product + j * own.height, own.height, s.transposed.panel(j).elements + j * kLanes, kLanes,
                        first_end > j ? first_end - j : 0, end - j, out.elements + j * own.height, own.height);
  }
}

// The lower triangle of M M', for each input.
HWY_INLINE void fill_roots(const InformationWork& w, const StructuredWork& s) {
  for (std::size_t d = 0; d < s.p; ++d) {
    const LowerPanels B = w.root(d);
    for (std::size_t index = 0; index < B.num_panels(); ++index) {
      conjugate_panel(w, s, s.x + d * w.n, index);
      const Panel own = s.M.panel(index), out = B.panel(index);
      for (std::size_t j = 0; j < out.width; j += kBlock) {
        multiply_block(own.elements, own.height, s.M.panel_of(j), j, HWY_MIN(j + kBlock, w.runs),
                       out.elements + j * own.height);
      }
    }
  }
}

// P = K_delta o K_delta^-1; `columns` are those of L^-1 as solve_identity left them.
HWY_INLINE void fill_P(const InformationWork& w, const VectorPanels& columns, const VectorPanels& P) {
  for (std::size_t i = 0; i < w.n; i += kLanes) {
    const Panel own = columns.panel(i);
    for (std::size_t j = 0; j <= i; j += kBlock) {
      double* out = P.panel(i).elements + j * kLanes;
      const double* k = w.K.panel(i).elements + j * kLanes;
      multiply_tile<1>(own.elements + i * kLanes, kLanes, columns.panel(j).elements + i * kLanes, kLanes, w.runs - i,
                       w.runs - i, out, kLanes);
      for (std::size_t e = 0; e < kBlock * kLanes; e += kLanes) {
        hn::Store(hn::Mul(hn::Load(D(), out + e), hn::Load(D(), k + e)), D(), out + e);
      }
    }
  }
  mirror(P);
}

// Rows g, x_d o g and u_d o g for `count` vectors g, those of an input together.
HWY_INLINE void fill_vectors(const InformationWork& w, const StructuredWork& s, const double* g, std::size_t count) {
  for (std::size_t r = 0; r < count; ++r, g += w.n) {
    const StridedRow itself = s.vectors.row(r);
    for (std::size_t i = 0; i < w.runs; ++i) itself[i] = g[i];
    for (std::size_t d = 0; d < s.p; ++d) {
      const StridedRow with_x = s.vectors.row((1 + d) * count + r), with_u = s.vectors.row((1 + s.p + d) * count + r);
      for (std::size_t i = 0; i < w.runs; ++i) {
        with_x[i] = s.x[d * w.n + i] * g[i];
        with_u[i] = s.u[d * w.n + i] * g[i];
      }
    }
  }
}

// products = vectors S for a symmetric S and the first `rows` of the vectors.
HWY_INLINE void multiply_vectors(const InformationWork& w, const StructuredWork& s, const VectorPanels& S,
                                 std::size_t rows) {
  for (std::size_t first = 0; first < rows; first += kPanel) {
    const Panel own = s.vectors.panel(first), out = s.products.panel(first);
    for (std::size_t i = 0; i < w.n; i += kBlock) {
      multiply_rows(own.elements, own.height, S.panel(i).elements, kLanes, w.runs, out.elements + i * own.height,
                    own.height);
    }
  }
}

// h_d with u_d' h_e + u_e' h_d = all terms of tr W_d W_e but the last; and tr W_d. Both without c_d.
HWY_INLINE void gather_terms_of_P(const InformationWork& w, const StructuredWork& s) {
  for (std::size_t d = 0; d < s.p; ++d) {
    const double *x = s.x + d * w.n, *u = s.u + d * w.n;
    double* h = s.h + d * w.n;
    const StridedRow P1 = s.products.row(0), Px = s.products.row(1 + d), Pu = s.products.row(1 + s.p + d);
    double sum = 0.0;
    for (std::size_t i = 0; i < w.runs; ++i) {
      const double g = x[i] * Px[i];
      h[i] = u[i] + Pu[i] - 4.0 * g;
      sum += u[i] * P1[i] - g;
    }
    for (std::size_t i = w.runs; i < w.n; ++i) h[i] = 0.0;
    s.traces[d] = 2.0 * sum;
  }
}

// From gram = <M_d M_d', M_e M_e'> to the traces tr W_d W_e without a trend; `squares` are the terms of tr W_d W_d that
// cannot cancel.
HWY_INLINE void add_terms_of_P(const InformationWork& w, const StructuredWork& s, double* gram) {
  const std::size_t m = w.directions;
  for (std::size_t d = 0; d < s.p; ++d) {
    const double *u = s.u + d * w.n, *h = s.h + d * w.n;
    s.squares[d] = s.c[d] * s.c[d] * (2.0 * inner(u, u, w.n) + 4.0 * gram[d * m + d]);
    for (std::size_t e = 0; e <= d; ++e) {
      const double linear = inner(u, s.h + e * w.n, w.n) + inner(h, s.u + e * w.n, w.n);
      gram[d * m + e] = s.c[d] * s.c[e] * (linear + 4.0 * gram[d * m + e]);
    }
    s.traces[d] *= s.c[d];
  }
}

// The same for dK = I, the last direction: gram = <M_d M_d', L^-1 L^-T> there.
HWY_INLINE void add_terms_of_nugget(const InformationWork& w, const StructuredWork& s, double* gram) {
  double* row = gram + s.p * w.directions;
  for (std::size_t d = 0; d < s.p; ++d) row[d] *= -1.0;
  s.traces[s.p] = 0.0;
  for (std::size_t i = 0; i < w.runs; ++i) {
    const double diagonal = s.P.at(i, i) / w.K.at(i, i);  // of K_delta^-1
    s.traces[s.p] += diagonal;
    for (std::size_t d = 0; d < s.p; ++d) row[d] += s.u[d * w.n + i] * diagonal;
  }
  for (std::size_t d = 0; d < s.p; ++d) row[d] *= 2.0 * s.c[d];
  s.squares[s.p] = row[s.p];
}

// G = L^-T U.
HWY_INLINE void fill_G(const InformationWork& w, const StructuredWork& s, const VectorPanels& columns) {
  for (std::size_t r = 0; r < w.q; ++r) {
    for (std::size_t k = 0; k < w.n; k += kLanes) {
      const double* column = columns.panel(k).elements;
      V sum = hn::Zero(D());
      for (std::size_t i = k; i < w.runs; ++i) {
        sum = hn::MulAdd(hn::Load(D(), column + i * kLanes), number(w.U[r * w.n + i]), sum);
      }
      hn::Store(sum, D(), s.G + r * w.n + k);
    }
  }
}

// Images dK_d G, or G itself for the nugget, as rows; padded ones are zero.
HWY_INLINE void fill_images(const InformationWork& w, const StructuredWork& s) {
  const std::size_t q = w.q;
  const VectorPanels images{s.images, w.n};
  for (std::size_t t = 0; t < s.p * q; ++t) {
    const std::size_t d = t / q, r = t % q;
    const double *x = s.x + d * w.n, *u = s.u + d * w.n;
    const StridedRow KG = s.products.row(r), with_x = s.products.row(q + t), with_u = s.products.row(q + s.p * q + t);
    for (std::size_t i = 0; i < w.runs; ++i) {
      images.at(t, i) = s.c[d] * (u[i] * KG[i] + with_u[i] - 2.0 * x[i] * with_x[i]);
    }
  }
  for (std::size_t t = s.p * q; t < s.num_images; ++t) {
    const bool nugget = t < w.directions * q;
    for (std::size_t i = 0; i < w.runs; ++i) images.at(t, i) = nugget ? s.G[(t - s.p * q) * w.n + i] : 0.0;
  }
}

// V_d = L^-1 times the images, and C_d = U' V_d.
HWY_INLINE void whiten_images(const InformationWork& w, const StructuredWork& s) {
  const VectorPanels images{s.images, w.n};
  for (std::size_t index = 0; index < w.inverse.num_panels(); ++index) {
    const Panel own = w.inverse.panel(index);
    for (std::size_t t = 0; t < s.num_images; t += kBlock) {
      multiply_rows(own.elements, own.height, images.panel(t).elements, kLanes, HWY_MIN(own.first + own.height, w.runs),
                    s.whitened + t * w.n + own.first, w.n);
    }
  }
  for (std::size_t t = 0; t < w.directions * w.q; ++t) {
    for (std::size_t r = 0; r < w.q; ++r) {
      s.coefficients[t * w.q + r] = inner(s.whitened + t * w.n, w.U + r * w.n, w.n);
    }
  }
}

HWY_INLINE void add_terms_of_trend(const InformationWork& w, const StructuredWork& s, double* gram) {
  const std::size_t q = w.q;
  for (std::size_t d = 0; d < w.directions; ++d) {
    const double* C = s.coefficients + d * q * q;
    for (std::size_t r = 0; r < q; ++r) s.traces[d] -= C[r * q + r];
    for (std::size_t e = 0; e <= d; ++e) {
      const double* other = s.coefficients + e * q * q;
      double captured = 0.0;
      for (std::size_t i = 0; i < q * q; ++i) captured += C[i] * other[i];
      gram[d * w.directions + e] += captured - 2.0 * inner(s.whitened + d * q * w.n, s.whitened + e * q * w.n, q * w.n);
    }
  }
}

// tr W_d W_e - tr W_d tr W_e / m, and whether enough remains of every diagonal element.
HWY_INLINE bool centre_gram(const InformationWork& w, const StructuredWork& s, double* gram) {
  const std::size_t m = w.directions;
  bool accurate = true;
  for (std::size_t d = 0; d < m; ++d) {
    for (std::size_t e = 0; e <= d; ++e) {
      gram[d * m + e] -= s.traces[d] * s.traces[e] / static_cast<double>(w.runs - w.q);
      gram[e * m + d] = gram[d * m + e];
    }
    accurate = accurate && gram[d * m + d] > kLeastRemainder * s.squares[d];
  }
  return accurate;
}

// After centre_inputs, with s.c set. `columns`: of L^-1, as solve_identity left them. False where the result is not
// accurate.
HWY_INLINE bool structured_information(const PanelMatrix& L, const InformationWork& w, const StructuredWork& s,
                                       const VectorPanels& columns, double* gram) {
  transpose_factor(L, w, s.transposed);
  fill_roots(w, s);
  if (w.directions > s.p) square_of_inverse(w, w.root(s.p));
  gram_matrix(w, gram);
  fill_P(w, columns, s.P);
  for (std::size_t i = 0; i < w.runs; ++i) s.G[i] = 1.0;
  fill_vectors(w, s, s.G, 1);
  multiply_vectors(w, s, s.P, 2 * s.p + 1);
  gather_terms_of_P(w, s);
  add_terms_of_P(w, s, gram);
  if (w.directions > s.p) add_terms_of_nugget(w, s, gram);
  if (w.q > 0) {
    fill_G(w, s, columns);
    fill_vectors(w, s, s.G, w.q);
    multiply_vectors(w, s, w.K, (2 * s.p + 1) * w.q);
    fill_images(w, s);
    whiten_images(w, s);
    add_terms_of_trend(w, s, gram);
  }
  return centre_gram(w, s, gram);
}

}  // namespace ta2s2::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
