// Where the imse criterion averages variances, and how much each place counts.
#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/run_criterion.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2::detail {
namespace {

Vector factors_by_draw(const Predictive& predictive, Index draw, const Matrix& unit_points) {
  const GpModel& model = predictive.model_of(draw);
  const GpParameters& parameters = predictive.parameters_of(draw);
  const ConditionalPredictor::LeaveOneOut left_out = ConditionalPredictor(model, parameters).leave_one_out();
  Vector observed = predictive.observed();
  for (double& y : observed) y = model.transform().at(y, parameters.transform.data()).value;
  const Vector at_runs = 1.0 + (observed - left_out.mean).array().square() / left_out.scale2.array();
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

// A stationary process has the same variance wherever runs are as dense. Where the function is rougher than elsewhere,
// runs that are left out are predicted worse than the process says: 1 + e^2 / s^2 of the nearest run, nearest by the
// draw's length-scales, is what its variance is to be multiplied by (after Le Gratiet and Cannamela 2015). Given a draw
// that is right everywhere e^2 / s^2 is about 1, so that nothing changes on average.
Vector left_out_weights(const Predictive& predictive, const Matrix& unit_points, Executor& executor) {
  Matrix factors(unit_points.rows(), predictive.num_draws());
  executor.for_each_here(predictive.num_draws(),
                         [&](Index draw) { factors.col(draw) = factors_by_draw(predictive, draw, unit_points); });
  const Vector weights = factors * predictive.weights();
  return weights / weights.sum();
}

namespace {

constexpr Index kPointsToChooseFrom = 4096;
constexpr double kWidth = 0.02;  // added to scales, in standard deviations of the runs' outputs

// log of sum_j w_j t(level), up to a constant.
Vector log_densities_at(double level, const MixtureBlock& block, double width) {
  Vector logs(block.num_points());
  for (Index i = 0; i < block.num_points(); ++i) {
    const Vector scales = (block.scales.col(i).array().square() + width * width).sqrt();
    const auto span = [](const auto& vector) {
      return std::span<const double>(vector.data(), static_cast<std::size_t>(vector.size()));
    };
    logs[i] = StudentMixture(span(block.weights), {block.means.col(i).data(), static_cast<std::size_t>(scales.size())},
                             span(scales), block.degrees_of_freedom, block.path)
                  .log_density(level);
  }
  return logs;
}

}  // namespace

// Where the output crosses a level: the imse criterion with reference points where it may do so (Picheny et al. 2010).
// Such points are chosen from many with probability proportional to the mixture's density at the level, its scales
// widened so that the density is a bump wider than the gaps between the points also where the emulator is sure. That
// density is its own expectation whatever further runs tell, so that it serves for a whole batch.
WeightedPoints points_near_level(const Predictive& predictive, double level, Index count, std::uint64_t seed,
                                 Executor& executor) {
  const Scaling& scaling = predictive.scaling();
  const Matrix unit = make_design({predictive.num_inputs(), kPointsToChooseFrom, DesignKind::sobol, seed});
  Vector logs(unit.rows());
  const Index block_size = predictive.block_size();
  for (Index first = 0; first < unit.rows(); first += block_size) {
    const Index size = std::min(block_size, unit.rows() - first);
    const MixtureBlock block =
        predictive.mixtures(scaling.to_user(unit.middleRows(first, size)), Predict::latent, executor);
    logs.segment(first, size) = log_densities_at(level, block, kWidth * scaling.output_sd());
  }
  Vector weights = (logs.array() - logs.maxCoeff()).exp();
  weights /= weights.sum();
  Stream stream({seed, Purpose::next_runs});
  const ThinnedDraws chosen = thin(weights, count, stream);
  return {unit(chosen.kept, Eigen::all), chosen.weights};
}

}  // namespace ta2s2::detail
