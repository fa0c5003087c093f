#include "ta2s2/smc/moves/elliptical.hpp"

#include <cmath>
#include <numbers>

#include "ta2s2/rng/draws.hpp"

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

class EllipticalMove final : public Move {
 public:
  std::string name() const override { return "elliptical"; }
  bool needs_mixture() const override { return true; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    return elliptical_slice_move(std::move(state), plan, energy, stream, 0);
  }
};

}  // namespace

std::unique_ptr<Move> make_elliptical_kernel() {
  return std::make_unique<EllipticalMove>();
}

}  // namespace ta2s2
