// An emulator of two inputs with two draws that differ much, one of them smooth and one rough.
#pragma once

#include <memory>
#include <string>

#include "ta2s2/predictive/predictive.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2::test {

struct TwoDraws {
  std::shared_ptr<const GpModel> model;
  Scaling scaling{Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0};
  ParameterSpace space = ParameterSpace::with_sampled_nugget(input_names(2));
  PosteriorSample sample{{}, Matrix(3, 2), Vector{{0.4, 0.6}}, Vector::Zero(2)};

  explicit TwoDraws(const std::string& trend = "constant", Index runs = 10)
      : model(std::make_shared<const GpModel>(small_model(runs, 2, trend))) {
    sample.positions << -1.5, 0.5,  //
        -3.5, -1.0,                 //
        -4.0, -2.5;
  }
  Predictive predictive() const { return Predictive(model, scaling, space, sample); }
  GpParameters parameters(Index draw) const { return space.natural(sample.positions.col(draw)); }

  // The same model with one more run.
  GpModel with_run(const Vector& unit_point, double standard_output) const {
    Matrix X(model->num_runs() + 1, 2);
    X << model->X(), unit_point.transpose();
    Vector y(X.rows());
    y << model->y(), standard_output;
    return GpModel(X, y, model->trend(), make_covariance(model->covariance().spec()));
  }
};

}  // namespace ta2s2::test
