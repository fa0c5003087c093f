#include "ta2s2/smc/mode_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ta2s2/smc/block_driver.hpp"
#include "ta2s2/smc/chain_growth.hpp"

namespace ta2s2 {
namespace {

constexpr int kMostTrials = 8;  // of one line search
constexpr Index kSearchesPerTask = 16;
constexpr std::size_t kMostModes = 8;
constexpr double kEvidenceSpan = 10.0;  // nats below the best mode's that are still of interest

struct SearchEnd {
  Vector position;
  double energy = kInfinity;  // infinite if the search came to nothing new
};

// How far a search goes, and what it must not leave. With walls it is a projected quasi-Newton method (Bertsekas 1982):
// coordinates that a wall holds take no part in a step, and what would leave the box ends at its wall.
struct SearchRules {
  int most_iterations = 80;
  double least_decrease = 0.01;                     // of H in an iteration
  const std::vector<LaplaceMode>* known = nullptr;  // in the bulk of one of these the search ends, with nothing new
  const Box* walls = nullptr;                       // null: none
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

// 1 of coordinates that may move downhill, 0 of those that a wall holds.
Vector free_coordinates(const Vector& gradient, const Vector& z, const Box* walls) {
  Vector is_free = Vector::Ones(z.size());
  for (Index k = 0; walls != nullptr && k < z.size(); ++k) {
    const bool is_held = (z[k] <= walls->low[k] && gradient[k] > 0.0) || (z[k] >= walls->high[k] && gradient[k] < 0.0);
    if (is_held) is_free[k] = 0.0;
  }
  return is_free;
}

Vector nearest_inside(const Vector& z, const Box* walls) {
  return walls == nullptr ? z : Vector(z.cwiseMax(walls->low).cwiseMin(walls->high));
}

ChainTask<SearchEnd> search(Vector z, Matrix B, SearchRules rules, EnergyRequest& energy) {
  constexpr double kArmijo = 1e-4, kShorter = 0.3, kFirstLength = 2.0;
  const double bulk = static_cast<double>(z.size());
  Vector gradient, next_gradient;
  double h = (co_await energy.with_gradient(z, gradient)).total();
  if (!std::isfinite(h)) co_return SearchEnd{};
  // The first step goes no farther than a few standard deviations of B.
  const double length = std::sqrt(gradient.dot(B * gradient));
  if (length > kFirstLength) B *= kFirstLength / length;
  bool is_steepest = false;
  for (int iteration = 0; iteration < rules.most_iterations; ++iteration) {
    const Vector is_free = free_coordinates(gradient, z, rules.walls);
    const Vector direction = -is_free.cwiseProduct(B * is_free.cwiseProduct(gradient));
    double share = 1.0, next = kInfinity;
    Vector candidate;
    for (int trial = 0; trial < kMostTrials; ++trial, share *= kShorter) {
      candidate = nearest_inside(z + share * direction, rules.walls);
      next = (co_await energy.with_gradient(candidate, next_gradient)).total();
      const double promised = gradient.dot(candidate - z);
      if (promised < 0.0 && next <= h + kArmijo * promised) break;
      next = kInfinity;
    }
    // Where walls bend the path of a step it may lead uphill; that of steepest descent does not.
    if (!std::isfinite(next) && rules.walls != nullptr && !is_steepest) {
      B = Matrix::Identity(z.size(), z.size()) / std::max(1.0, gradient.norm());
      is_steepest = true;
      continue;
    }
    if (!std::isfinite(next)) break;
    is_steepest = false;
    const Vector step = candidate - z;
    update_inverse(B, step, (step.array() == 0.0).select(Vector::Zero(z.size()), next_gradient - gradient));
    const double decrease = h - next;
    z = candidate;
    h = next;
    gradient = next_gradient;
    if (rules.known != nullptr && is_known(*rules.known, z, bulk)) co_return SearchEnd{};
    if (decrease < rules.least_decrease) break;
  }
  co_return SearchEnd{std::move(z), h};
}

// One end for each start, in their order.
std::vector<SearchEnd> search_all(const DifferentiableTarget& target, const Matrix& starts, const Matrix& covariance,
                                  const SearchRules& rules, Executor& executor, std::int64_t& gradients) {
  const auto workspaces = make_workspaces(target, executor);
  const auto task = [&](Index part, int worker) {
    const Index first = part * kSearchesPerTask, end = std::min(first + kSearchesPerTask, starts.cols());
    std::deque<UnderWay<SearchEnd>> searches(static_cast<std::size_t>(end - first));
    for (Index i = first; i < end; ++i) {
      auto& own = searches[static_cast<std::size_t>(i - first)];
      own.task = search(starts.col(i), covariance, rules, own.request);
      own.task.start();
    }
    BlockDriver driver(target, *workspaces[static_cast<std::size_t>(worker)], executor);
    driver.run(searches);
    Payload payload = {static_cast<double>(driver.num_gradients())};
    for (auto& own : searches) {
      const SearchEnd found = own.task.take_result();
      payload.push_back(found.energy);
      const Vector position = found.position.size() > 0 ? found.position : Vector(Vector::Zero(target.dim()));
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
      const auto position = reader.numbers(static_cast<std::size_t>(target.dim()));
      ends.push_back({Eigen::Map<const Vector>(position.data(), target.dim()), energy});
    }
    reader.require_end();
  }
  return ends;
}

// The best first, without those that came to nothing.
std::vector<SearchEnd> sorted(std::vector<SearchEnd> ends) {
  std::stable_sort(ends.begin(), ends.end(),
                   [](const SearchEnd& a, const SearchEnd& b) { return a.energy < b.energy; });
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
  const SearchRules rules{.known = &modes};
  const std::vector<SearchEnd> ends = sorted(search_all(space, starts, covariance, rules, executor, gradients));
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
    const Vector sds =
        H.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse().cwiseMax(1e-6 * scales).cwiseMin(0.3 * scales);
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

std::vector<MapEstimate> minimise(const DifferentiableTarget& target, const Box& box, const Matrix& starts,
                                  Executor& executor) {
  const SearchRules rules{.most_iterations = 400, .least_decrease = 1e-8, .walls = &box};
  std::int64_t gradients = 0;
  std::vector<MapEstimate> found;
  for (SearchEnd& end :
       search_all(target, starts, Matrix::Identity(target.dim(), target.dim()), rules, executor, gradients)) {
    found.push_back({std::move(end.position), end.energy, 0});
  }
  return found;
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
