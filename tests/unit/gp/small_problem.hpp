// A few runs of a smooth function, and the dense algebra of docs/math.md, section 1 in long double as the truth.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// `n` points in the unit cube of `p` dimensions.
Matrix scattered_points(Index n, Index p, std::uint64_t seed = 1);
Vector smooth_output(const Matrix& X);
std::vector<std::string> input_names(Index p);

GpModel small_model(Index n, Index p, const std::string& trend = "constant", const std::string& covariance = "matern52",
                    Exponent exponent = Exponent::model);
// With a shape that is not one, for correlations that have one.
GpParameters some_parameters(Index p, double nugget = 1e-3);

// Any model of `smooth_output`.
struct ModelChoice {
  std::string trend = "constant", covariance = "matern52", transform = "none";
  TrendPrior prior = TrendPrior::flat;
  Exponent exponent = Exponent::model;

  std::string name() const;
};
GpModel model_with(const ModelChoice& choice, Index n, Index p);
// Every correlation with every kind of trend, and every transformation with a correlation that has a shape, with one
// that has none, and with every kind of trend that it goes with.
std::vector<ModelChoice> model_choices();
// Somewhere in the boxes of its shape and of its transformation.
GpParameters some_parameters(const GpModel& model, double nugget = 1e-3);
// Scattered over their boxes, and log phi over an interval.
std::vector<GpParameters> scattered_parameters(const GpModel& model, Index count, Interval log_phi, double nugget,
                                               std::uint64_t seed = 5);

// (log phi, log nugget[, log shape][, those of the transformation]), the parameters there, and a gradient along them.
Vector coordinates_of(const GpModel& model, const GpParameters& at);
GpParameters parameters_at(const GpModel& model, const Vector& coordinates);
Vector joined(const GpModel& model, const LikelihoodGradient& gradient, double nugget);

LongMatrix long_inverse(const LongMatrix& A);
long double long_log_determinant(const LongMatrix& A);

// Twelve runs and a nugget of 1e-3: condition below 1e5, so each figure keeps ten digits at least.
inline constexpr double kDenseTolerance = 1e-10;

// The formulas as they stand, with explicit inverses and determinants.
struct DenseTruth {
  LongMatrix K, K_inverse, H, trend_information, Q;
  LongVector y;
  long double S2, log_det_K, log_det_trend;

  DenseTruth(const GpModel& model, const GpParameters& parameters);
};

}  // namespace ta2s2::test
