#include "ta2s2/predictive/path_terms.hpp"

namespace ta2s2::detail {
namespace {

// product *= factor, term by term: waves are complex numbers, correlations real ones.
void multiply(const TermSplit& split, Matrix& product, const Matrix& factor) {
  for (Index j = 0; j < product.cols(); ++j) {
    double *a = product.col(j).data(), *b = a + split.waves;
    const double *c = factor.col(j).data(), *d = c + split.waves;
    for (Index k = 0; k < split.waves; ++k) {
      const double real = a[k] * c[k] - b[k] * d[k];
      b[k] = a[k] * d[k] + b[k] * c[k];
      a[k] = real;
    }
  }
  split.correlations(product) *= split.correlations(factor);
}

}  // namespace

Vector term_coefficients(const SampleFunction& path) {
  Vector all(path.num_terms());
  all << path.real_amplitudes, path.imag_amplitudes, path.run_weights.head(all.size() - 2 * path.num_waves());
  return all;
}

void multiply_others(const TermSplit& split, const Vector& start, TermWorkspace& work) {
  const std::size_t p = work.factors.size();
  work.others.resize(p);
  work.before = start.replicate(1, work.factors.front().cols());
  for (std::size_t d = 0; d < p; ++d) {
    work.others[d] = work.before;
    multiply(split, work.before, work.factors[d]);
  }
  work.behind = work.factors.back();
  for (std::size_t d = p - 1; d-- > 0;) {
    multiply(split, work.others[d], work.behind);
    if (d > 0) multiply(split, work.behind, work.factors[d]);
  }
}

Matrix conjugated(const TermSplit& split, Matrix factors) {
  split.sines(factors) *= -1.0;
  return factors;
}

Vector trend_of_input(const SampleFunction& path, Index input, const Vector& values) {
  Matrix points = Matrix::Zero(values.size() + 1, path.model->num_inputs());
  points.col(input).head(values.size()) = values;
  const Vector all = path.model->trend().columns(points) * path.beta;
  return all.head(values.size()).array() - all[values.size()];
}

}  // namespace ta2s2::detail
