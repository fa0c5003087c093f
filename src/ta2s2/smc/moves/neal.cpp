#include "ta2s2/smc/moves/neal.hpp"

#include <cmath>

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/moves/random_walk.hpp"

namespace ta2s2 {
namespace {

constexpr int kMaxCrumbs = 20;

class NealMove final : public Move {
 public:
  std::string name() const override { return "neal"; }

  // crumb_k ~ N(x, c0^2 Sigma / (2k - 1)) has precision 2k - 1, and 1 + 3 + ... + (2k - 1) = k^2: the crumbs'
  // pseudo-posterior is N(sum_j (2j - 1) crumb_j / k^2, (c0/k)^2 Sigma), from which candidate k is drawn. Staying put
  // at the cap keeps detailed balance.
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const double c0 = proposal_spread(plan.dim());
    const double level = state.energy.at(plan.beta) + draw_exponential(stream);
    Vector weighted_crumbs = Vector::Zero(plan.dim());
    for (int k = 1; k <= kMaxCrumbs; ++k) {
      const double precision = 2.0 * k - 1.0;
      const Vector crumb_step = draw_correlated_normals(stream, plan.covariance_factor);
      weighted_crumbs += precision * (state.position + c0 / std::sqrt(precision) * crumb_step);
      const Vector candidate_step = draw_correlated_normals(stream, plan.covariance_factor);
      const Vector candidate = weighted_crumbs / (static_cast<double>(k) * k) + (c0 / k) * candidate_step;
      const Energy found = co_await energy(candidate);
      if (found.at(plan.beta) < level) co_return Step{{candidate, found}, 0, true};
    }
    co_return Step{std::move(state), 0, false};
  }
};

}  // namespace

std::unique_ptr<Move> make_neal_kernel() {
  return std::make_unique<NealMove>();
}

}  // namespace ta2s2
