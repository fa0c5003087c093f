#include "ta2s2/smc/moves/moves.hpp"

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

class AimsMove final : public Move {
 public:
  std::string name() const override { return "aims"; }
  bool needs_marker_mixture() const override { return true; }

  // Independence Metropolis-Hastings whose proposal is itself a Metropolis step, from a marker. If that step is refused
  // the chain stays; what arrives at x' does so with density q(x') = sum_i w_i N(x'; m_i, .) min(1, p(x')/p(m_i)),
  // wherever the chain is, so that min(1, p(x') q(x) / (p(x) q(x'))) keeps detailed balance.
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const MarkerMixture& markers = plan.marker_mixture;
    const Index marker = markers.draw_marker(stream);
    const Vector step = draw_correlated_normals(stream, plan.covariance_factor);
    Vector candidate = markers.position(marker) + markers.spread() * step;
    const Energy found = co_await energy(candidate);
    const double here = state.energy.at(plan.beta), there = found.at(plan.beta);
    if (!(-draw_exponential(stream) < markers.energy(marker) - there)) co_return Step{std::move(state), 0, false};
    const double log_ratio =
        here - there + markers.log_density(state.position, here) - markers.log_density(candidate, there);
    if (-draw_exponential(stream) < log_ratio) co_return Step{{std::move(candidate), found}, 0, true};
    co_return Step{std::move(state), 0, false};
  }
};

}  // namespace

std::unique_ptr<Move> make_aims_kernel() {
  return std::make_unique<AimsMove>();
}

}  // namespace ta2s2
