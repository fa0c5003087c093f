#include "dgemm_prior.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

extern "C" {
void dpotri_(const char*, const int*, double*, const int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
double ddot_(const int*, const double*, const int*, const double*, const int*);
}

namespace ta2s2::bench {

DgemmPrior::DgemmPrior(int n, int p, const double* X, const double* phi, const double* K, const double* L)
    : n_(n), p_(p), X_(X, X + n * p), phi_(phi, phi + p), K_(K, K + n * n), L_(L, L + n * n) {
  inverse_.resize(K_.size());
  scratch_.resize(K_.size());
  W_.resize(K_.size() * static_cast<std::size_t>(p));
}

void DgemmPrior::invert() {
  inverse_ = L_;
  int info = 0;
  dpotri_("L", &n_, inverse_.data(), &n_, &info);
  if (info != 0) throw std::runtime_error("dpotri found a singular matrix");
  for (int j = 0; j < n_; ++j) {
    for (int i = j + 1; i < n_; ++i) inverse_[j + i * n_] = inverse_[i + j * n_];
  }
}

void DgemmPrior::fill_derivative(int d) {
  const double* x = X_.data() + d * n_;
  const double factor = 0.5 / phi_[d];
  for (int j = 0; j < n_; ++j) {
    const double* k = K_.data() + j * n_;
    double* out = scratch_.data() + j * n_;
    for (int i = 0; i < n_; ++i) out[i] = k[i] * factor * (x[i] - x[j]) * (x[i] - x[j]);
  }
}

void DgemmPrior::multiply(int d) {
  const double one = 1.0, zero = 0.0;
  dgemm_("N", "N", &n_, &n_, &n_, &one, scratch_.data(), &n_, inverse_.data(), &n_, &zero, W_.data() + d * n_ * n_,
         &n_);
}

double DgemmPrior::trace(int d) const {
  double sum = 0.0;
  for (int i = 0; i < n_; ++i) sum += W_[d * n_ * n_ + i * (n_ + 1)];
  return sum;
}

void DgemmPrior::transpose(int d) {
  const double* W = W_.data() + d * n_ * n_;
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i) scratch_[j + i * n_] = W[i + j * n_];
  }
}

double DgemmPrior::trace_of_product(int e) const {
  const int size = n_ * n_, step = 1;
  return ddot_(&size, scratch_.data(), &step, W_.data() + e * size, &step);
}

double DgemmPrior::log_density() {
  invert();
  for (int d = 0; d < p_; ++d) {
    fill_derivative(d);
    multiply(d);
  }
  const int order = p_ + 1;
  information_.assign(static_cast<std::size_t>(order * order), 0.0);
  information_[0] = n_;
  for (int d = 0; d < p_; ++d) {
    information_[d + 1] = trace(d);
    transpose(d);
    for (int e = 0; e <= d; ++e) information_[(d + 1) + (e + 1) * order] = trace_of_product(e);
  }
  int info = 0;
  dpotrf_("L", &order, information_.data(), &order, &info);
  if (info != 0) throw std::runtime_error("the information matrix is singular");
  double sum = 0.0;
  for (int i = 0; i < order; ++i) sum += std::log(information_[i * (order + 1)]);
  return sum;
}

}  // namespace ta2s2::bench
