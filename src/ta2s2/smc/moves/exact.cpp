#include "ta2s2/smc/moves/exact.hpp"

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/moves/elliptical.hpp"
#include "ta2s2/smc/moves/random_walk.hpp"

namespace ta2s2 {
namespace {

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

std::unique_ptr<Move> make_exact_kernel(const MoveShares& shares) {
  return std::make_unique<ExactMove>(shares);
}

}  // namespace ta2s2
