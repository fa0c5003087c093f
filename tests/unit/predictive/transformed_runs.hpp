// Fourteen runs of a skewed output of two inputs that interact, a transformation of it and one draw's parameters.
#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "ta2s2/predictive/predictive.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2::test {

struct TransformedRuns {
  std::shared_ptr<const GpModel> model;
  GpParameters parameters = some_parameters(2, 1e-4);

  TransformedRuns(const std::string& transform, const std::string& covariance, Index runs = 14) {
    const Matrix X = scattered_points(runs, 2);
    Vector y = (1.2 * smooth_output(X).array()).exp();
    y.array() -= y.mean();
    y /= std::sqrt(y.squaredNorm() / static_cast<double>(runs - 1));
    model = std::make_shared<const GpModel>(X, y, Trend("constant", input_names(2)), make_covariance(covariance),
                                            Exponent::model, TrendPrior::flat,
                                            OutputTransform::from(transform, y, y.minCoeff() - 0.2));
    parameters.log_shape = 0.5;
    if (transform == "box-cox") parameters.transform = Vector{{-2.0, 0.2}};
    if (transform == "sinh-arcsinh") parameters.transform = Vector{{-0.3, -0.4}};
  }

  // As if all draws were this one.
  Predictive predictive(Index draws = 1) const {
    ParameterSpace space = ParameterSpace::with_sampled_nugget(input_names(2))
                               .with_normal_coordinates(model->covariance().shape(), model->transform().coordinates());
    const Vector weights = Vector::Constant(draws, 1.0 / static_cast<double>(draws));
    PosteriorSample sample{{}, space.position(parameters).replicate(1, draws), weights, Vector::Zero(draws)};
    return Predictive(model, Scaling(Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0), space, sample);
  }
};

}  // namespace ta2s2::test
