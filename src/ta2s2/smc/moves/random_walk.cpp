#include "ta2s2/smc/moves/random_walk.hpp"

#include <cmath>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

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

namespace {

class RandomWalkMove final : public Move {
 public:
  std::string name() const override { return "random-walk"; }
  int walk_part() const override { return 0; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    return random_walk_move(std::move(state), plan, energy, stream);
  }
};

}  // namespace

std::unique_ptr<Move> make_random_walk_kernel() {
  return std::make_unique<RandomWalkMove>();
}

}  // namespace ta2s2
