#include "ta2s2/predictive/activity.hpp"

#include <array>
#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {
namespace {

// The trend's values at 0, 1/2 and 1 of one input: columns times coefficients, at most quadratic.
std::array<double, 3> trend_along(const GpModel& model, const Vector& beta, Index input) {
  Matrix points = Matrix::Zero(3, model.num_inputs());
  points(1, input) = 0.5;
  points(2, input) = 1.0;
  const Vector values = model.trend().columns(points) * beta;
  return {values[0], values[1], values[2]};
}

// Over the range of the input: Simpson's rule is exact.
double mean_squared_slope(const std::array<double, 3>& t) {
  const double first = -3.0 * t[0] + 4.0 * t[1] - t[2], middle = t[2] - t[0], last = t[0] - 4.0 * t[1] + 3.0 * t[2];
  return (first * first + 4.0 * middle * middle + last * last) / 6.0;
}

// Of the process half-way between the ends of an input's range, from the straight line between them, for sigma = 1.
double variance_of_departure(const GpModel& model, const GpParameters& parameters, Index input) {
  Matrix points = Matrix::Zero(3, model.num_inputs()), k;
  points(1, input) = 0.5;
  points(2, input) = 1.0;
  model.covariance().fill_cross(points, points, parameters, k);
  return std::max(1.5 - k(0, 1) - k(1, 2) + 0.5 * k(0, 2), 0.0);
}

double standard_deviation(const Vector& values) {
  return std::sqrt((values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1));
}

// Active and then linear, of each input: 0 or 1.
Payload activity_of(const Predictive& predictive, Index draw) {
  const GpModel& model = predictive.model_of(draw);
  const GpParameters& parameters = predictive.parameters_of(draw);
  const ConditionalPredictor predictor(model, parameters);
  const double sigma2 = predictor.S2() / (predictive.degrees_of_freedom() - 2.0);
  const double least = std::pow(kActiveShare * standard_deviation(predictor.output()), 2);
  const Index p = model.num_inputs();
  Payload found(static_cast<std::size_t>(2 * p), 0.0);
  for (Index d = 0; d < p; ++d) {
    const std::array<double, 3> trend = trend_along(model, predictor.beta_hat(), d);
    if (!(sigma2 / parameters.phi[d] + mean_squared_slope(trend) > least)) continue;
    found[static_cast<std::size_t>(d)] = 1.0;
    const double of_trend = 0.5 * (trend[0] + trend[2]) - trend[1];
    const double departure = sigma2 * variance_of_departure(model, parameters, d) + of_trend * of_trend;
    if (departure < least) found[static_cast<std::size_t>(p + d)] = 1.0;
  }
  return found;
}

}  // namespace

ActivityByDraw activity_by_draw(const Predictive& predictive, Executor& executor) {
  const Index p = predictive.num_inputs(), draws = predictive.num_draws();
  const std::vector<double> costs(static_cast<std::size_t>(draws), 1.0);
  const std::vector<Payload> payloads =
      executor.map(costs, [&](Index draw, int) { return activity_of(predictive, draw); });
  ActivityByDraw found{Matrix(draws, p), Matrix(draws, p)};
  for (Index draw = 0; draw < draws; ++draw) {
    const double* first = payloads[static_cast<std::size_t>(draw)].data();
    found.active.row(draw) = Eigen::Map<const Eigen::RowVectorXd>(first, p);
    found.linear.row(draw) = Eigen::Map<const Eigen::RowVectorXd>(first + p, p);
  }
  return found;
}

Activity find_activity(const Predictive& predictive, Executor& executor) {
  const ActivityByDraw found = activity_by_draw(predictive, executor);
  const Vector& weights = predictive.weights();
  // Weights sum to one up to rounding.
  return {(found.active.transpose() * weights).cwiseMin(1.0), (found.linear.transpose() * weights).cwiseMin(1.0)};
}

}  // namespace ta2s2
