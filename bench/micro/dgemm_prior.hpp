// The reference prior as its formula reads, by a BLAS: K^-1 by dpotri, p products W_d = dK_d K^-1 by dgemm, traces of
// products. Squared exponential, no trend. What a fast prior is measured against.
#pragma once

#include <vector>

namespace ta2s2::bench {

class DgemmPrior {
 public:
  // X: (n, p) by columns. K: correlation without nugget, L: Cholesky factor of K_delta, both (n, n) by columns, given
  // since H has them anyway.
  DgemmPrior(int n, int p, const double* X, const double* phi, const double* K, const double* L);

  double log_density();  // 1/2 log |I|

 private:
  void invert();
  void fill_derivative(int d);
  void multiply(int d);
  double trace(int d) const;
  void transpose(int d);
  double trace_of_product(int e) const;  // of the transposed one and W_e

  int n_, p_;
  std::vector<double> X_, phi_, K_, L_, inverse_, scratch_, W_, information_;
};

}  // namespace ta2s2::bench
