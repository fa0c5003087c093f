// One way of computing H, served to bench/peers/compare.py over a pipe. Squared exponential, no trend, fixed nugget.
#pragma once

#include <memory>
#include <vector>

namespace ta2s2::bench {

struct PeerProblem {
  int n = 0, p = 0;
  double nugget = 0.0;
  std::vector<double> X;  // (n, p) by columns
  std::vector<double> y;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // How many positions are evaluated at once.
  virtual int lanes() const = 0;
  // energies[i] = -log p(y | phi_i), phi_i = exp(positions[i p ...]), for lanes() positions.
  virtual void evaluate(const double* positions, double* energies) = 0;
};

// Each program links one of these.
std::unique_ptr<Evaluator> make_evaluator(const PeerProblem& problem);

}  // namespace ta2s2::bench
