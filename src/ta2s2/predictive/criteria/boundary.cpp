// Where the output crosses a level: the imse criterion with reference points where it may do so (Picheny et al. 2010).
// Such points are chosen from many with probability proportional to the mixture's density at the level, its scales
// widened so that the density is a bump wider than the gaps between the points also where the emulator is sure. That
// density is its own expectation whatever further runs tell, so that it serves for a whole batch.
#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/predictive/criteria/boundary.hpp"
#include "ta2s2/smc/thinning.hpp"

namespace ta2s2::detail {
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
