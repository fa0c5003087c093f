#include "ta2s2/emulator/emulator.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/gp/block_predictor.hpp"
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

double added_nugget(Predict what, double nugget) {
  return what == Predict::new_run ? nugget : 0.0;
}

}  // namespace

StudentMixture MixtureBlock::at(Index point) const {
  return StudentMixture({weights.data(), static_cast<std::size_t>(weights.size())}, column(means, point),
                        column(scales, point), degrees_of_freedom, path);
}

Emulator::Emulator(std::shared_ptr<const GpModel> model, Scaling scaling, const ParameterSpace& space,
                   const PosteriorSample& sample, SimdPath path)
    : model_(std::move(model)), scaling_(std::move(scaling)), weights_(sample.weights), path_(path) {
  for (Index i = 0; i < sample.size(); ++i) parameters_.push_back(space.natural(sample.positions.col(i)));
}

Index Emulator::block_size() const {
  constexpr Index kNumbersInBlock = 4'000'000;  // 32 MB each for means and scales
  const Index by_memory = std::clamp<Index>(kNumbersInBlock / num_draws(), 64, 4096);
  return std::min(by_memory, most_points_in_block(*model_));
}

MixtureBlock Emulator::mixtures(MatrixView points, Predict what, Executor& executor) const {
  const Index m = points.rows();
  const auto freedom = static_cast<double>(model_->degrees_of_freedom());
  const auto predictor = make_block_predictor(*model_, scaling_.to_unit(points), path_);
  const auto task = [&](Index group, int) {
    const Index first = group * kDrawsPerTask;
    const Index count = std::min(kDrawsPerTask, num_draws() - first);
    Payload payload(static_cast<std::size_t>(2 * m * count));
    Eigen::Map<Matrix> means(payload.data(), m, count), scales(payload.data() + m * count, m, count);
    const auto workspace = predictor->make_workspace();
    BlockPrediction prediction;
    for (Index i = 0; i < count; ++i) {
      const GpParameters& parameters = parameters_[static_cast<std::size_t>(first + i)];
      predictor->predict(parameters, *workspace, prediction);
      const double added = added_nugget(what, parameters.nugget);
      means.col(i) = scaling_.output_mean() + scaling_.output_sd() * prediction.mean.array();
      scales.col(i) = scaling_.output_sd() * (prediction.S2 / freedom * (prediction.c.array() + added)).sqrt();
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>((num_draws() + kDrawsPerTask - 1) / kDrawsPerTask), 1.0);
  const std::vector<Payload> payloads = executor.map(costs, task);

  MixtureBlock block{weights_, Matrix(num_draws(), m), Matrix(num_draws(), m), freedom, path_};
  for (std::size_t group = 0; group < payloads.size(); ++group) {
    const Index first = static_cast<Index>(group) * kDrawsPerTask;
    const Index count = std::min(kDrawsPerTask, num_draws() - first);
    const double* numbers = payloads[group].data();
    block.means.middleRows(first, count) = Eigen::Map<const Matrix>(numbers, m, count).transpose();
    block.scales.middleRows(first, count) = Eigen::Map<const Matrix>(numbers + m * count, m, count).transpose();
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
      c.diagonal().array() += added_nugget(what, predictor.nugget());
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
    c.diagonal().array() += added_nugget(what, predictor.nugget());
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
