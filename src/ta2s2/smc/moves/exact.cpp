// The exact kernel and its three moves, two of which are kernels of their own too.
#include <cmath>
#include <numbers>

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/moves/moves.hpp"

namespace ta2s2 {
namespace {

// v2 ~ InvGamma((nu + d)/2, (nu + (x - mu)' S^-1 (x - mu))/2), then v ~ N(0, v2 S).
Vector draw_ellipse_axis(const TComponent& component, double squared_distance, Stream& stream) {
  const auto d = static_cast<double>(component.mean.size());
  const double rate = 0.5 * (kMixtureFreedom + squared_distance);
  const double variance = rate / draw_gamma(stream, 0.5 * (kMixtureFreedom + d));
  Vector axis = draw_correlated_normals(stream, component.factor);
  axis *= std::sqrt(variance);
  return axis;
}

}  // namespace

double proposal_spread(Index dim) {
  return 2.38 / std::sqrt(static_cast<double>(dim));
}

ChainTask<Step> random_walk_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) {
  const double spread = plan.walk_scale * proposal_spread(plan.dim());
  Vector candidate = draw_correlated_normals(stream, plan.covariance_factor);
  candidate = state.position + spread * candidate;
  const Energy found = co_await energy(candidate);
  const double log_ratio = state.energy.at(plan.beta) - found.at(plan.beta);
  if (-draw_exponential(stream) < log_ratio) co_return Step{{std::move(candidate), found}, 0, true};
  co_return Step{std::move(state), 0, false};
}

// Elliptical slice sampling (Murray, Adams and MacKay 2010) of p/q with the N(mu, v2 S) of one component: Gibbs on the
// extended target p(x) pi_c t_c(x)/q(x) p(v2 | x, c), because t_c(x) p(v2 | x, c) = N(x; mu_c, v2 S_c) IG(v2).
ChainTask<Step> elliptical_slice_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream,
                                      int part) {
  const MixturePoint here = plan.mixture.at(state.position);
  const auto c = static_cast<std::size_t>(draw_categorical(stream, here.shares()));
  const TComponent& component = plan.mixture.components()[c];
  const Vector axis = draw_ellipse_axis(component, here.squared_distance_to[c], stream);
  const Vector offset = state.position - component.mean;
  const double level = -state.energy.at(plan.beta) - here.log_density - draw_exponential(stream);
  double theta = 2.0 * std::numbers::pi * draw_uniform(stream);
  double low = theta - 2.0 * std::numbers::pi;
  double high = theta;
  // The bracket closes on theta = 0, the state itself: below this width the candidate is the state to rounding.
  constexpr double kClosed = 1e-10;
  Vector candidate(offset.size());
  while (high - low > kClosed) {
    candidate = component.mean + offset * std::cos(theta) + axis * std::sin(theta);
    const Energy found = co_await energy(candidate);
    if (found.possible() && -found.at(plan.beta) - plan.mixture.log_density(candidate) > level) {
      co_return Step{{std::move(candidate), found}, part, true};
    }
    (theta < 0.0 ? low : high) = theta;
    theta = low + (high - low) * draw_uniform(stream);
  }
  co_return Step{std::move(state), part, false};
}

namespace {

class RandomWalkMove final : public Move {
 public:
  std::string name() const override { return "random-walk"; }
  int walk_part() const override { return 0; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    return random_walk_move(std::move(state), plan, energy, stream);
  }
};

class EllipticalMove final : public Move {
 public:
  std::string name() const override { return "elliptical"; }
  bool needs_mixture() const override { return true; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    return elliptical_slice_move(std::move(state), plan, energy, stream, 0);
  }
};

enum Part : int { random_walk = 0, independence = 1, elliptical_slice = 2 };

// x' ~ q, accepted with min(1, exp(-beta (H' - H)) q(x) / q(x')).
ChainTask<Step> independence_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) {
  Vector candidate = plan.mixture.draw(stream);
  const Energy found = co_await energy(candidate);
  const double here = -state.energy.at(plan.beta) - plan.mixture.log_density(state.position);
  const double there = -found.at(plan.beta) - plan.mixture.log_density(candidate);
  if (-draw_exponential(stream) < there - here) co_return Step{{std::move(candidate), found}, independence, true};
  co_return Step{std::move(state), independence, false};
}

class ExactMove final : public Move {
 public:
  explicit ExactMove(const MoveShares& shares) : shares_(shares) {}

  std::string name() const override { return "exact"; }
  std::vector<std::string> part_names() const override {
    return {"random walk", "mixture independence", "elliptical slice"};
  }
  bool needs_mixture() const override { return true; }
  int walk_part() const override { return shares_.walk > 0.0 ? random_walk : -1; }

  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const double u = draw_uniform(stream);
    if (u < shares_.walk) return random_walk_move(std::move(state), plan, energy, stream);
    if (u < shares_.walk + shares_.independence) {
      return independence_move(std::move(state), plan, energy, stream);
    }
    return elliptical_slice_move(std::move(state), plan, energy, stream, elliptical_slice);
  }

 private:
  MoveShares shares_;
};

}  // namespace

std::unique_ptr<Move> make_random_walk_kernel() {
  return std::make_unique<RandomWalkMove>();
}

std::unique_ptr<Move> make_elliptical_kernel() {
  return std::make_unique<EllipticalMove>();
}

std::unique_ptr<Move> make_exact_kernel(const MoveShares& shares) {
  return std::make_unique<ExactMove>(shares);
}

}  // namespace ta2s2
