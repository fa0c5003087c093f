// The Student-t predictive given (phi, nugget), in standardised units, of transformed outputs in units of g(y): (2.12),
// (2.13), docs/math.md, section 1.
#pragma once

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// At x the predictive is t with degrees_of_freedom(), the given mean, and scale^2 = S2 / degrees_of_freedom()
// times c(x, x) for the latent function, times c(x, x) + nugget() for a new run.
class ConditionalPredictor {
 public:
  // The model must outlive the predictor.
  ConditionalPredictor(const GpModel& model, const GpParameters& parameters);

  // Rows of X_new are points in the unit cube. c(x, x) is without the nugget and never below zero.
  void predict(MatrixView X_new, Vector& mean, Vector& c) const;

  // Linear functionals of the process, such as averages of it over some inputs: a column of `cross` is one's
  // correlation with each run, a row of H_new the same functional of the trend, `prior` its correlation with itself. A
  // point is one.
  void predict_functionals(Matrix cross, const Matrix& H_new, const Vector& prior, Vector& mean, Vector& c) const;

  // A block of points, worked out once for all that is asked of them. Columns of G and E are for points: G = L^-1 t(x),
  // E = R^-T h(x) - U' G; then c(x, w) = k(x, w) - G(x)'G(w) + E(x)'E(w).
  struct Points {
    Matrix X, G, E;
    Vector mean;
  };
  Points at(MatrixView X_new) const;
  Matrix covariance(const Points& a, const Points& b) const;
  Vector variance(const Points& points) const;  // c(x, x), never below zero

  // c(x, w) for the rows x of X_a and w of X_b.
  Matrix covariance(MatrixView X_a, MatrixView X_b) const;

  const Vector& output() const { return factor_.output; }  // of the runs: g(y), or y itself
  Index degrees_of_freedom() const { return model_->degrees_of_freedom(); }
  double S2() const { return factor_.S2; }
  double nugget() const { return parameters_.nugget; }
  const Vector& beta_hat() const { return beta_hat_; }
  const Vector& data_weights() const { return data_weights_; }  // Q y: the mean is h(x)' beta_hat + t(x)' Q y

  // What beta_hat() and data_weights() would be, had the runs given `y`: both are linear in the output.
  struct Weights {
    Vector beta_hat, data_weights;
  };
  Weights weights_for(Vector y) const;
  // A draw of the trend's coefficients from their prior for sigma = 1, given standard normal numbers; 0 for flat ones.
  Vector prior_coefficients(const Vector& normals) const;

  // p(y_i | y without i, phi, nugget) for each run i: t with mean(i) and scale2(i). Nothing is refitted. A
  // run without which the trend cannot be found has scale2 = +inf.
  struct LeaveOneOut {
    Vector mean;
    Vector scale2;
    Index degrees_of_freedom = 0;
  };
  LeaveOneOut leave_one_out() const;

 private:
  // As Points has them.
  struct Whitened {
    Matrix G, E;
  };
  Whitened whiten(Matrix cross, const Matrix& H_new) const;
  Weights weights_of(Vector residual, const Vector& coordinates) const;  // (I - U U') L^-1 y and U' L^-1 y

  const GpModel* model_;
  GpParameters parameters_;
  GpFactor factor_;
  Vector beta_hat_;      // R^-1 U' L^-1 y, drawn towards 0 by the prior where that is proper
  Vector data_weights_;  // K_delta^-1 (y - H beta_hat) = Q y
};

}  // namespace ta2s2
