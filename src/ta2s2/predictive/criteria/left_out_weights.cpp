// A stationary process has the same variance wherever runs are as dense. Where the function is rougher than elsewhere,
// runs that are left out are predicted worse than the process says: 1 + e^2 / s^2 of the nearest run, nearest by the
// draw's length-scales, is what its variance is to be multiplied by (after Le Gratiet and Cannamela 2015). Given a draw
// that is right everywhere e^2 / s^2 is about 1, so that nothing changes on average.
#include "ta2s2/predictive/criteria/left_out_weights.hpp"

#include "ta2s2/gp/conditional_predictor.hpp"

namespace ta2s2::detail {
namespace {

Vector factors_by_draw(const Predictive& predictive, Index draw, const Matrix& unit_points) {
  const GpModel& model = predictive.model_of(draw);
  const GpParameters& parameters = predictive.parameters_of(draw);
  const ConditionalPredictor::LeaveOneOut left_out = ConditionalPredictor(model, parameters).leave_one_out();
  const Vector at_runs = 1.0 + (predictive.observed() - left_out.mean).array().square() / left_out.scale2.array();
  Vector factors(unit_points.rows());
  for (Index i = 0; i < unit_points.rows(); ++i) {
    const Matrix apart = model.X().rowwise() - unit_points.row(i);
    Index nearest = 0;
    (apart.array().square().matrix() * parameters.phi.cwiseInverse()).minCoeff(&nearest);
    factors[i] = at_runs[nearest];
  }
  return factors;
}

}  // namespace

Vector left_out_weights(const Predictive& predictive, const Matrix& unit_points, Executor& executor) {
  Matrix factors(unit_points.rows(), predictive.num_draws());
  executor.for_each_here(predictive.num_draws(),
                         [&](Index draw) { factors.col(draw) = factors_by_draw(predictive, draw, unit_points); });
  const Vector weights = factors * predictive.weights();
  return weights / weights.sum();
}

}  // namespace ta2s2::detail
