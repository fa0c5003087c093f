#include "ta2s2/smc/mode_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ta2s2/smc/block_driver.hpp"
#include "ta2s2/smc/chain_growth.hpp"

namespace ta2s2 {
namespace {

constexpr int kMostIterations = 80;
constexpr int kMostTrials = 8;         // of one line search
constexpr double kLeastDecrease = 0.01;  // of H in an iteration: the mode only has to be found, not polished
constexpr Index kSearchesPerTask = 16;
constexpr std::size_t kMostModes = 8;
constexpr double kEvidenceSpan = 10.0;  // nats below the best mode's that are still of interest

struct SearchEnd {
  Vector position;
  double energy = kInfinity;  // infinite if the search came to nothing new
};

bool is_known(const std::vector<LaplaceMode>& modes, VectorView z, double squared_radius) {
  return std::any_of(modes.begin(), modes.end(),
                     [&](const LaplaceMode& mode) { return mode.squared_distance(z) < squared_radius; });
}

// B approximates the inverse Hessian (Nocedal and Wright 2006, 6.17).
void update_inverse(Matrix& B, const Vector& step, const Vector& change) {
  const double curvature = step.dot(change);
  if (!(curvature > 1e-12)) return;
  const Vector Bc = B * change;
  B += ((curvature + change.dot(Bc)) / (curvature * curvature)) * step * step.transpose() -
       (Bc * step.transpose() + step * Bc.transpose()) / curvature;
}

ChainTask<SearchEnd> search(Vector z, Matrix B, const std::vector<LaplaceMode>& known, EnergyRequest& energy) {
  constexpr double kArmijo = 1e-4, kShorter = 0.3, kFirstLength = 2.0;
  const double bulk = static_cast<double>(z.size());
  Vector gradient, next_gradient;
  double h = (co_await energy.with_gradient(z, gradient)).total();
  if (!std::isfinite(h)) co_return SearchEnd{};
  // The first step goes no farther than a few standard deviations of B.
  const double length = std::sqrt(gradient.dot(B * gradient));
  if (length > kFirstLength) B *= kFirstLength / length;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const Vector direction = -(B * gradient);
    const double slope = direction.dot(gradient);
    double share = 1.0, next = kInfinity;
    Vector candidate;
    for (int trial = 0; trial < kMostTrials; ++trial, share *= kShorter) {
      candidate = z + share * direction;
      next = (co_await energy.with_gradient(candidate, next_gradient)).total();
      if (next <= h + kArmijo * share * slope) break;
      next = kInfinity;
    }
    if (!std::isfinite(next)) break;
    update_inverse(B, candidate - z, next_gradient - gradient);
    const double decrease = h - next;
    z = candidate;
    h = next;
    gradient = next_gradient;
    if (is_known(known, z, bulk)) co_return SearchEnd{};
    if (decrease < kLeastDecrease) break;
  }
  co_return SearchEnd{std::move(z), h};
}

std::vector<SearchEnd> search_all(const SamplingSpace& space, const Matrix& starts, const Matrix& covariance,
                                  const std::vector<LaplaceMode>& known, Executor& executor, std::int64_t& gradients) {
  const auto workspaces = make_workspaces(space, executor);
  const auto task = [&](Index part, int worker) {
    const Index first = part * kSearchesPerTask, end = std::min(first + kSearchesPerTask, starts.cols());
    std::deque<UnderWay<SearchEnd>> searches(static_cast<std::size_t>(end - first));
    for (Index i = first; i < end; ++i) {
      auto& own = searches[static_cast<std::size_t>(i - first)];
      own.task = search(starts.col(i), covariance, known, own.request);
      own.task.start();
    }
    BlockDriver driver(space, *workspaces[static_cast<std::size_t>(worker)], executor);
    driver.run(searches);
    Payload payload = {static_cast<double>(driver.num_gradients())};
    for (auto& own : searches) {
      const SearchEnd found = own.task.take_result();
      payload.push_back(found.energy);
      const Vector position = found.position.size() > 0 ? found.position : Vector(Vector::Zero(space.dim()));
      payload.insert(payload.end(), position.begin(), position.end());
    }
    return payload;
  };
  const auto num_tasks = static_cast<std::size_t>((starts.cols() + kSearchesPerTask - 1) / kSearchesPerTask);
  std::vector<SearchEnd> ends;
  for (const Payload& payload : executor.map(std::vector<double>(num_tasks, 1.0), task)) {
    PayloadReader reader(payload);
    gradients += reader.count();
    const Index end = std::min(static_cast<Index>(ends.size()) + kSearchesPerTask, starts.cols());
    while (static_cast<Index>(ends.size()) < end) {
      const double energy = reader.number();
      const auto position = reader.numbers(static_cast<std::size_t>(space.dim()));
      ends.push_back({Eigen::Map<const Vector>(position.data(), space.dim()), energy});
    }
    reader.require_end();
  }
  std::stable_sort(ends.begin(), ends.end(), [](const SearchEnd& a, const SearchEnd& b) { return a.energy < b.energy; });
  std::erase_if(ends, [](const SearchEnd& end) { return !std::isfinite(end.energy); });
  return ends;
}

// By central differences of gradients over `lengths`; not finite if one of the points has no density.
Matrix hessian(const SamplingSpace& space, const Vector& z, const Vector& lengths, Executor& executor,
               std::int64_t& gradients) {
  const Index d = z.size();
  Matrix points = z.replicate(1, 2 * d);
  for (Index k = 0; k < d; ++k) {
    points(k, k) += lengths[k];
    points(k, d + k) -= lengths[k];
  }
  const PointGradients found = gradients_of(space, points, executor);
  gradients += points.cols();
  for (const Energy& energy : found.energies) {
    if (!energy.possible()) return Matrix::Constant(d, d, kInfinity);
  }
  const Matrix slopes =
      (found.gradients.leftCols(d) - found.gradients.rightCols(d)) * (2.0 * lengths).cwiseInverse().asDiagonal();
  return 0.5 * (slopes + slopes.transpose());
}

}  // namespace

void ModeSearch::add_modes(std::vector<LaplaceMode>& modes, const Matrix& starts, const Matrix& covariance) {
  const Index d = space.dim();
  const auto dim = static_cast<double>(d);
  const std::vector<SearchEnd> ends = search_all(space, starts, covariance, modes, executor, gradients);
  double best = ends.empty() ? kInfinity : ends.front().energy;
  for (const LaplaceMode& mode : modes) best = std::min(best, mode.energy);
  for (const SearchEnd& end : ends) {
    if (end.energy > best + 60.0 + dim || modes.size() >= kMostModes) break;
    if (is_known(modes, end.position, std::max(9.0, 0.5 * dim))) continue;
    // A first Hessian over lengths that are a guess tells the lengths of the second.
    const Vector& scales = space.scales();
    constexpr double kOfScale = 1e-4, kOfSd = 1e-3;
    Matrix H = hessian(space, end.position, kOfScale * scales, executor, gradients);
    if (!H.allFinite()) continue;
    const Vector sds = H.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse().cwiseMax(1e-6 * scales).cwiseMin(
        0.3 * scales);
    H = hessian(space, end.position, kOfSd * sds, executor, gradients);
    const Matrix scaled = scales.asDiagonal() * H * scales.asDiagonal();
    if (!scaled.allFinite()) continue;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled);
    const Vector values = eigen.eigenvalues().cwiseMax(0.5);  // flatter than half the start law is no curvature
    const Matrix vectors = scales.asDiagonal() * eigen.eigenvectors();
    const Matrix dual = scales.cwiseInverse().asDiagonal() * eigen.eigenvectors();
    LaplaceMode mode{end.position, end.energy, vectors * values.cwiseInverse().asDiagonal() * vectors.transpose(),
                     dual * values.asDiagonal() * dual.transpose()};
    mode.log_evidence = -end.energy - 0.5 * values.array().log().sum() + scales.array().log().sum() +
                        0.5 * dim * std::log(2.0 * std::numbers::pi);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const LaplaceMode& a, const LaplaceMode& b) { return a.log_evidence > b.log_evidence; });
  const double least = modes.empty() ? 0.0 : modes.front().log_evidence - kEvidenceSpan;
  std::erase_if(modes, [&](const LaplaceMode& mode) { return mode.log_evidence < least; });
}

LaplaceMode in_space(const LaplaceMode& mode, const SamplingSpace& from, const SamplingSpace& to, double energy) {
  LaplaceMode moved;
  moved.position = to.from_box(from.to_box(mode.position));
  const Vector stretch = from.slopes(mode.position).cwiseQuotient(to.slopes(moved.position));
  moved.covariance = stretch.asDiagonal() * mode.covariance * stretch.asDiagonal();
  moved.precision = stretch.cwiseInverse().asDiagonal() * mode.precision * stretch.cwiseInverse().asDiagonal();
  moved.log_evidence = mode.log_evidence;
  moved.energy = energy;
  return moved;
}

}  // namespace ta2s2
