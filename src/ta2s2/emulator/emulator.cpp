#include "ta2s2/emulator/emulator.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Draws per task: enough to outweigh the hand-over, few enough to keep every worker busy.
constexpr Index kDrawsPerTask = 16;

std::span<const double> column(const Matrix& matrix, Index j) {
  return {matrix.col(j).data(), static_cast<std::size_t>(matrix.rows())};
}

double added_nugget(Predict what, const ConditionalPredictor& predictor) {
  return what == Predict::new_run ? predictor.nugget() : 0.0;
}

}  // namespace

StudentMixture MixtureBlock::at(Index point) const {
  return StudentMixture({weights.data(), static_cast<std::size_t>(weights.size())}, column(means, point),
                        column(scales, point), degrees_of_freedom);
}

Emulator::Emulator(std::shared_ptr<const GpModel> model, Scaling scaling, const ParameterSpace& space,
                   const PosteriorSample& sample)
    : model_(std::move(model)), scaling_(std::move(scaling)), weights_(sample.weights) {
  for (Index i = 0; i < sample.size(); ++i) parameters_.push_back(space.natural(sample.positions.col(i)));
}

Index Emulator::block_size() const {
  constexpr Index kNumbersInBlock = 4'000'000;  // 32 MB each for means and scales
  return std::clamp<Index>(kNumbersInBlock / num_draws(), 64, 4096);
}

MixtureBlock Emulator::mixtures(MatrixView points, Predict what, Executor& executor) const {
  const Matrix unit = scaling_.to_unit(points);
  const Index m = points.rows();
  const auto task = [&](Index group, int) {
    const Index first = group * kDrawsPerTask;
    const Index end = std::min(first + kDrawsPerTask, num_draws());
    Payload payload(static_cast<std::size_t>(2 * m * (end - first)));
    Eigen::Map<Matrix> rows(payload.data(), m, 2 * (end - first));
    Vector mean, c;
    for (Index i = first; i < end; ++i) {
      const ConditionalPredictor predictor(*model_, parameters_[static_cast<std::size_t>(i)]);
      predictor.predict(unit, mean, c);
      const double unit_scale2 = predictor.S2() / static_cast<double>(predictor.degrees_of_freedom());
      rows.col(2 * (i - first)) = scaling_.output_mean() + scaling_.output_sd() * mean.array();
      rows.col(2 * (i - first) + 1) =
          scaling_.output_sd() * (unit_scale2 * (c.array() + added_nugget(what, predictor))).sqrt();
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>((num_draws() + kDrawsPerTask - 1) / kDrawsPerTask), 1.0);
  const std::vector<Payload> payloads = executor.map(costs, task);

  MixtureBlock block{weights_, Matrix(num_draws(), m), Matrix(num_draws(), m),
                     static_cast<double>(model_->degrees_of_freedom())};
  for (Index i = 0; i < num_draws(); ++i) {
    const Payload& payload = payloads[static_cast<std::size_t>(i / kDrawsPerTask)];
    const double* rows = payload.data() + 2 * m * (i % kDrawsPerTask);
    block.means.row(i) = Eigen::Map<const Vector>(rows, m).transpose();
    block.scales.row(i) = Eigen::Map<const Vector>(rows + m, m).transpose();
  }
  return block;
}

// (2.7): the mean of the draws' covariances plus the covariance of their means.
Matrix Emulator::covariance(MatrixView points, Predict what, Executor& executor) const {
  const Matrix unit = scaling_.to_unit(points);
  const Index m = points.rows();
  const double sd = scaling_.output_sd();
  const MixtureBlock block = mixtures(points, what, executor);
  const auto freedom = static_cast<double>(model_->degrees_of_freedom());

  // One partial sum per task; their number does not depend on the number of workers, so neither does their
  // sum.
  constexpr Index kNumTasks = 8;
  const auto task = [&](Index part, int) {
    Payload payload(static_cast<std::size_t>(m * m), 0.0);
    Eigen::Map<Matrix> sum(payload.data(), m, m);
    for (Index i = part; i < num_draws(); i += kNumTasks) {
      const ConditionalPredictor predictor(*model_, parameters_[static_cast<std::size_t>(i)]);
      Matrix c = predictor.covariance(unit, unit);
      c.diagonal().array() += added_nugget(what, predictor);
      sum += (weights_[i] * sd * sd * predictor.S2() / (freedom - 2.0)) * c;
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>(kNumTasks), 1.0);
  Matrix total = weighted_moments(block.means.transpose(), weights_).covariance;
  for (const Payload& payload : executor.map(costs, task)) total += Eigen::Map<const Matrix>(payload.data(), m, m);
  return total;
}

Matrix Emulator::joint_draws(MatrixView points, Predict what, Index count, std::uint64_t seed,
                             Executor& executor) const {
  const Matrix unit = scaling_.to_unit(points);
  const Index m = points.rows();
  const auto freedom = static_cast<double>(model_->degrees_of_freedom());
  const auto task = [&](Index draw, int) {
    Stream stream({seed, Purpose::predictive_draw, 0, static_cast<std::uint64_t>(draw), 0});
    const Index chosen = draw_categorical(stream, {weights_.data(), static_cast<std::size_t>(weights_.size())});
    const ConditionalPredictor predictor(*model_, parameters_[static_cast<std::size_t>(chosen)]);
    Vector mean, c_diagonal;
    predictor.predict(unit, mean, c_diagonal);
    Matrix c = predictor.covariance(unit, unit);
    c.diagonal().array() += added_nugget(what, predictor);
    const double chi2_over_df = draw_gamma(stream, 0.5 * freedom) / (0.5 * freedom);
    const double spread = std::sqrt(predictor.S2() / freedom / chi2_over_df);
    const Vector standard = mean + spread * draw_correlated_normals(stream, regularised_factor(c));
    Payload payload(static_cast<std::size_t>(m));
    Eigen::Map<Vector>(payload.data(), m) = scaling_.output_mean() + scaling_.output_sd() * standard.array();
    return payload;
  };
  const std::vector<Payload> payloads = executor.map(std::vector<double>(static_cast<std::size_t>(count), 1.0), task);
  Matrix draws(m, count);
  for (Index i = 0; i < count; ++i) {
    draws.col(i) = Eigen::Map<const Vector>(payloads[static_cast<std::size_t>(i)].data(), m);
  }
  return draws;
}

}  // namespace ta2s2
