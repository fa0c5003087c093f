// One draw's process given the runs, and given further runs at chosen points whose outputs nobody knows yet: what they
// leave of the variance depends on where they are alone (docs/math.md, section "Next runs").
#pragma once

#include <memory>
#include <vector>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

class DrawProcess {
 public:
  // The emulator must outlive it.
  DrawProcess(const Predictive& predictive, Index draw);

  struct Points {
    ConditionalPredictor::Points given_runs;
    Matrix told;  // a column per point: T^-1 c(S, x), S the chosen points, T T' = c(S, S) + noise
    Vector c;     // c(x, x) given the runs and S
  };
  // Rows are points in the unit cube.
  Points at(MatrixView unit_points) const;
  Matrix covariance(const Points& a, const Points& b) const;  // c(x, w) given the runs and S

  // A further run at the point: its output is the process there, and noise of this variance, in units of c.
  void add_run(const Vector& unit_point, double noise);
  // For points that were worked out before the latest run was added.
  void update(Points& points) const;

  double weight() const { return weight_; }
  double nugget() const { return predictor_.nugget(); }
  double S2() const { return predictor_.S2(); }
  // Variance of the latent output in the user's units, for c = 1. Its expectation is the same after any further runs.
  double unit_variance() const { return unit_variance_; }
  const ConditionalPredictor& predictor() const { return predictor_; }
  // The diagonal element of T that belongs to the latest run.
  double latest_scale() const { return T_(T_.rows() - 1, T_.cols() - 1); }

 private:
  ConditionalPredictor predictor_;
  double weight_, unit_variance_;
  ConditionalPredictor::Points chosen_;
  Matrix T_;
};

// One for each draw of the emulator, which must outlive them.
std::vector<std::unique_ptr<DrawProcess>> make_processes(const Predictive& predictive, Executor& executor);

}  // namespace ta2s2
