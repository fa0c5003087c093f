#include "ta2s2/smc/hamiltonian_move.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

struct WallHit {
  double time = kInfinity;
  Index coordinate = -1;
};

// The first wall that z + t v comes to within `time`.
WallHit first_hit(const Vector& z, const Vector& velocity, double time, const Box& walls) {
  WallHit first;
  for (Index k = 0; k < z.size(); ++k) {
    const double end = z[k] + time * velocity[k];
    if (end >= walls.low[k] && end <= walls.high[k]) continue;
    const double wall = end < walls.low[k] ? walls.low[k] : walls.high[k];
    const double hit = std::max((wall - z[k]) / velocity[k], 0.0);
    if (hit < first.time) first = {hit, k};
  }
  return first;
}

bool is_accepted(double log_ratio, Stream& stream) {
  return -draw_exponential(stream) < log_ratio;  // false of what is no number
}

// A Metropolis step to a point whose density alone is asked for; gradients are found when a trajectory wants them.
ChainTask<Step> jump_to(ChainState state, Vector candidate, double log_proposal_ratio, const LevelPlan& plan,
                        EnergyRequest& energy, Stream& stream) {
  const Energy found = co_await energy(candidate);
  const double log_ratio = state.energy.at(plan.beta) - found.at(plan.beta) + log_proposal_ratio;
  const Index num_moves = state.num_moves;
  if (is_accepted(log_ratio, stream)) co_return Step{{std::move(candidate), found, {}, num_moves}, 0, true};
  co_return Step{std::move(state), 0, false};
}

}  // namespace

bool drift_between_walls(Vector& z, Vector& p, const Matrix& factor, double time, const Box& walls) {
  constexpr int kMostHits = 1000;
  Vector velocity = factor.triangularView<Eigen::Lower>() * p;
  for (int hits = 0; hits < kMostHits; ++hits) {
    const WallHit hit = first_hit(z, velocity, time, walls);
    if (hit.coordinate < 0) {
      z += time * velocity;
      return z.allFinite();
    }
    z += hit.time * velocity;
    time -= hit.time;
    z = z.cwiseMax(walls.low).cwiseMin(walls.high);
    const auto row = factor.row(hit.coordinate).transpose();
    p -= 2.0 * velocity[hit.coordinate] / row.squaredNorm() * row;
    velocity = factor.triangularView<Eigen::Lower>() * p;
  }
  return false;
}

double HamiltonianMove::draw_step_share(const HamiltonianPlan& plan, Stream& stream) {
  const double u = draw_uniform(stream);
  return plan.least_share * std::pow(plan.most_share / plan.least_share, u);
}

Vector HamiltonianMove::level_gradient(const ChainState& state, double beta) const {
  Vector gradient;
  path_.start_energy(state.position, gradient);
  return (1.0 - beta) * gradient + beta * state.gradient;
}

ChainTask<Step> HamiltonianMove::trajectory(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                            Stream& stream) const {
  const StepChoice choice = plan.hamiltonian.choices[static_cast<std::size_t>(state.num_moves)];
  const double step = plan.hamiltonian.step * draw_step_share(plan.hamiltonian, stream);
  const Matrix& factor = plan.covariance_factor;
  const auto kick = [&](Vector& momentum, const ChainState& at, double length) {
    momentum -= factor.transpose().triangularView<Eigen::Upper>() * Vector(length * level_gradient(at, plan.beta));
  };
  if (state.gradient.size() == 0) {
    Vector gradient;
    co_await energy.with_gradient(state.position, gradient);
    state.gradient = std::move(gradient);
  }
  Vector momentum = draw_normals(stream, state.position.size());
  const double before = state.energy.at(plan.beta) + 0.5 * momentum.squaredNorm();
  ChainState end = state;
  kick(momentum, end, 0.5 * step);
  for (int l = 0; l < choice.num_leapfrogs; ++l) {
    const bool followed = drift(end.position, momentum, factor, step);
    if (!followed) co_return Step{std::move(state), 0, false};
    end.energy = co_await energy.with_gradient(end.position, end.gradient);
    if (!end.energy.possible()) co_return Step{std::move(state), 0, false};
    kick(momentum, end, l + 1 < choice.num_leapfrogs ? step : last_kick() * step);
  }
  const double log_ratio = before - end.energy.at(plan.beta) - 0.5 * momentum.squaredNorm();
  const double acceptance = std::isnan(log_ratio) ? 0.0 : std::exp(std::min(log_ratio, 0.0));
  if (is_accepted(log_ratio, stream)) co_return Step{std::move(end), 0, true, acceptance};
  co_return Step{std::move(state), 0, false, acceptance};
}

// z -> mu + e^s (z - mu) with s ~ N(0, w^2 / d), w log-uniform from 0.5 to 5: long tails are crossed in one step.
ChainTask<Step> HamiltonianMove::radial(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                        Stream& stream) const {
  const Index dim = state.position.size();
  const double width = std::pow(10.0, -0.3 + draw_uniform(stream));
  const double s = draw_normal(stream) * width / std::sqrt(static_cast<double>(dim));
  const Vector& centre = plan.hamiltonian.centre;
  Vector candidate = centre + std::exp(s) * (state.position - centre);
  return jump_to(std::move(state), std::move(candidate), log_radial_ratio(s, dim), plan, energy, stream);
}

// z -> mu_b + C_b C_a^-1 (z - mu_a), a by responsibility, b any of the others.
ChainTask<Step> HamiltonianMove::between_components(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                                    Stream& stream) const {
  const auto& components = reference_->mixture().components();
  const auto count = static_cast<Index>(components.size());
  const MixturePoint here = reference_->mixture().at(state.position);
  const Index a = draw_categorical(stream, here.shares());
  const Index b = (a + 1 + draw_index(stream, count - 1)) % count;
  const TComponent& from = components[static_cast<std::size_t>(a)];
  const TComponent& to = components[static_cast<std::size_t>(b)];
  Vector candidate =
      to.factor * from.factor.triangularView<Eigen::Lower>().solve(Vector(state.position - from.mean)) + to.mean;
  const MixturePoint there = reference_->mixture().at(candidate);
  const double log_ratio =
      log_map_ratio(from, to, here.share_of[static_cast<std::size_t>(a)], there.share_of[static_cast<std::size_t>(b)]);
  return jump_to(std::move(state), std::move(candidate), log_ratio, plan, energy, stream);
}

double HamiltonianMove::log_map_ratio(const TComponent& from, const TComponent& to, double share_here,
                                      double share_there) const {
  const double log_volumes = to.factor.diagonal().array().log().sum() - from.factor.diagonal().array().log().sum();
  return log_volumes + std::log(share_there) - std::log(share_here);
}

ChainTask<Step> HamiltonianMove::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                      Stream& stream) const {
  const StepChoice choice = plan.hamiltonian.choices[static_cast<std::size_t>(state.num_moves)];
  Step step = co_await trajectory(std::move(state), plan, energy, stream);
  const double acceptance = step.acceptance;
  bool moved = step.moved;
  if (choice.is_radial) {
    step = co_await radial(std::move(step.state), plan, energy, stream);
    moved = moved || step.moved;
  }
  if (choice.maps_components) {
    step = co_await between_components(std::move(step.state), plan, energy, stream);
    moved = moved || step.moved;
  }
  co_return Step{std::move(step.state), 0, moved, acceptance};
}

}  // namespace ta2s2
