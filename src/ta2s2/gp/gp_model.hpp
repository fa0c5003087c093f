// The regression problem itself: runs, trend, correlation. Immutable, checked once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/gp/output_transform.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// The mean's regressors h(x), in unit-cube coordinates.
// "none", "constant", "linear" (constant and every input) or "terms(a,b,a^2)" (constant, chosen inputs,
// chosen squares).
class Trend {
 public:
  Trend(const std::string& spec,
        const std::vector<std::string>& inputs);  // Error{usage} on an unknown spec or input

  Index size() const { return static_cast<Index>(terms_.size()); }
  std::string spec() const { return spec_; }
  Matrix columns(MatrixView X_unit) const;  // (n, size())

 private:
  struct Term {
    Index input;
    int power;  // 0: the constant
  };

  void add_chosen_terms(const std::vector<std::string>& names, const std::vector<std::string>& inputs);

  std::string spec_;
  std::vector<Term> terms_;
};

class GpModel {
 public:
  // X: (n, p) in the unit cube; y: (n) standardised. Error{bad_data} if m <= 2, or if the trend's columns
  // depend linearly on one another; Error{usage} for the paper's exponent with a trend, and for a transformation
  // without an intercept.
  GpModel(Matrix X, Vector y, Trend trend, std::shared_ptr<const Covariance> covariance,
          Exponent exponent = Exponent::model, TrendPrior trend_prior = TrendPrior::flat,
          OutputTransform transform = {});

  // The first runs alone, in the order given.
  GpModel first_runs(Index count) const {
    return {X_.topRows(count), y_.head(count), trend_, covariance_, exponent_, trend_prior_, transform_};
  }
  // The least number of first runs that are a model, with some degrees of freedom to spare and an output that its trend
  // does not explain; all if there is none.
  Index first_informative() const;

  const Matrix& X() const { return X_; }
  const Vector& y() const { return y_; }                           // as observed
  const OutputTransform& transform() const { return transform_; }  // what the process describes is g(y)
  // g(y) of all runs, and the logarithm of what their density in units of y has besides that of g(y).
  double transform_outputs(const Vector& parameters, Vector& outputs) const;
  // That logarithm for the first runs: (m / n) sum log g'(y_i). With a flat intercept only m = n - q combinations of
  // the outputs have a density; by this power it does not depend on the output's unit.
  double log_jacobian(Index count, const Vector& parameters) const;
  double jacobian_share(Index count) const;  // m / n of the first runs
  const Matrix& H() const { return H_; }     // trend columns at the runs, (n, q)
  const Trend& trend() const { return trend_; }
  const Covariance& covariance() const { return *covariance_; }
  Exponent exponent() const { return exponent_; }
  TrendPrior trend_prior() const { return trend_prior_; }

  Index num_runs() const { return X_.rows(); }
  Index num_inputs() const { return X_.cols(); }
  Index num_trend_columns() const { return H_.cols(); }
  // Of the trend's columns, the first, whose coefficients have a flat prior; all of them, or the intercept.
  Index num_flat_columns() const { return num_flat_columns_; }
  bool has_proper_columns() const { return num_flat_columns_ < num_trend_columns(); }
  // How far the runs, and not the prior, decide each coefficient: 1 if flat, else g/(1 + g) with g = n.
  const Vector& trend_shares() const { return trend_shares_; }
  // Of a coefficient that is not flat, if there were as many runs.
  static double trend_share_of(Index count) { return static_cast<double>(count) / static_cast<double>(1 + count); }
  Index residual_rank() const { return num_runs() - num_trend_columns(); }  // n - q
  // m: the runs less the flat columns, or n - p under the paper's exponent.
  Index degrees_of_freedom() const;

 private:
  void check() const;

  Matrix X_;
  Vector y_;
  Trend trend_;
  Matrix H_;
  std::shared_ptr<const Covariance> covariance_;
  Exponent exponent_;
  TrendPrior trend_prior_;
  OutputTransform transform_;
  Index num_flat_columns_;
  Vector trend_shares_;
};

}  // namespace ta2s2
