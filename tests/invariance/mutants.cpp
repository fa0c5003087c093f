#include "invariance/mutants.hpp"

#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

ChainTask<Step> WrongTemperature::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                       Stream& stream) const {
  std::call_once(made_, [&] {
    wrong_plan_ = plan;
    wrong_plan_.beta = factor_ * plan.beta;
  });
  return inner_->move(std::move(state), wrong_plan_, energy, stream);
}

ChainTask<Step> StaleEnergy::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                  Stream& stream) const {
  const Energy before = state.energy;
  Step step = co_await inner_->move(std::move(state), plan, energy, stream);
  step.state.energy = before;
  co_return step;
}

ChainTask<Step> Independence::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                   Stream& stream) const {
  const Vector candidate = plan.mixture.draw(stream);
  const Energy found = co_await energy(candidate);
  double log_ratio = state.energy.at(plan.beta) - found.at(plan.beta);
  if (ratio_ == Ratio::right) {
    log_ratio += plan.mixture.log_density(state.position) - plan.mixture.log_density(candidate);
  }
  if (-draw_exponential(stream) < log_ratio) co_return Step{{candidate, found}, 0, true};
  co_return Step{std::move(state), 0, false};
}

namespace {

// Component c with probability pi_c t_c(x) / q(x).
const TComponent& draw_component(const ProposalMixture& mixture, const Vector& x, Stream& stream) {
  const MixturePoint here = mixture.at(x);
  return mixture.components()[static_cast<std::size_t>(draw_categorical(stream, here.shares()))];
}

double squared_distance(const TComponent& component, const Vector& x) {
  return component.factor.triangularView<Eigen::Lower>().solve(x - component.mean).squaredNorm();
}

}  // namespace

double EllipticalSlice::height(const Vector& x, const Energy& energy, const LevelPlan& plan) const {
  const double log_p = -energy.at(plan.beta);
  return version_ == Version::without_q ? log_p : log_p - plan.mixture.log_density(x);
}

Vector EllipticalSlice::draw_axis(const TComponent& component, const Vector& x, Stream& stream) const {
  const double distance = version_ == Version::without_scale ? 0.0 : squared_distance(component, x);
  const double shape = 0.5 * (kMixtureFreedom + static_cast<double>(x.size()));
  const double variance = 0.5 * (kMixtureFreedom + distance) / draw_gamma(stream, shape);
  return std::sqrt(variance) * draw_correlated_normals(stream, component.factor);
}

ChainTask<Step> EllipticalSlice::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                      Stream& stream) const {
  constexpr double kCircle = 2.0 * std::numbers::pi;
  constexpr int kMostCandidates = 1000;
  const TComponent& component = draw_component(plan.mixture, state.position, stream);
  const Vector axis = draw_axis(component, state.position, stream);
  const Vector offset = state.position - component.mean;
  const double level = height(state.position, state.energy, plan) - draw_exponential(stream);
  double low = -kCircle * draw_uniform(stream), high = low + kCircle;
  for (int i = 0; i < kMostCandidates && high - low > 1e-10; ++i) {
    const double theta = low + (high - low) * draw_uniform(stream);
    const Vector candidate = component.mean + offset * std::cos(theta) + axis * std::sin(theta);
    const Energy found = co_await energy(candidate);
    if (found.possible() && height(candidate, found, plan) > level) co_return Step{{candidate, found}, 0, true};
    const bool shrink_low = (theta < 0.0) != (version_ == Version::shrunk_at_wrong_end);
    if (version_ != Version::never_shrunk) (shrink_low ? low : high) = theta;
  }
  co_return Step{std::move(state), 0, false};
}

ChainTask<Step> Crumbs::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const {
  constexpr int kMaxCrumbs = 20;
  const double c0 = proposal_spread(plan.dim());
  const double level = state.energy.at(plan.beta) + draw_exponential(stream);
  Vector weighted_crumbs = Vector::Zero(plan.dim());
  for (int k = 1; k <= kMaxCrumbs; ++k) {
    const double precision = 2.0 * k - 1.0;
    const double crumb_sd = variance_ == Variance::right ? c0 / std::sqrt(precision) : c0;
    weighted_crumbs +=
        precision * (state.position + crumb_sd * draw_correlated_normals(stream, plan.covariance_factor));
    const Vector step = draw_correlated_normals(stream, plan.covariance_factor);
    const Vector candidate = weighted_crumbs / (static_cast<double>(k) * k) + (c0 / k) * step;
    const Energy found = co_await energy(candidate);
    if (found.at(plan.beta) < level) co_return Step{{candidate, found}, 0, true};
  }
  co_return Step{std::move(state), 0, false};
}

ChainTask<Step> MarkerSteps::move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                  Stream& stream) const {
  const MarkerMixture& markers = plan.marker_mixture;
  const Index marker = markers.draw_marker(stream);
  const Vector candidate =
      markers.position(marker) + markers.spread() * draw_correlated_normals(stream, plan.covariance_factor);
  const Energy found = co_await energy(candidate);
  const double here = state.energy.at(plan.beta), there = found.at(plan.beta);
  if (-draw_exponential(stream) >= markers.energy(marker) - there) co_return Step{std::move(state), 0, false};
  double log_ratio = 0.0;
  if (version_ != Version::without_ratio) {
    const bool is_right = version_ == Version::right;  // an energy below every marker's is never refused
    log_ratio = here - there + markers.log_density(state.position, is_right ? here : -kInfinity) -
                markers.log_density(candidate, is_right ? there : -kInfinity);
  }
  if (-draw_exponential(stream) < log_ratio) co_return Step{{candidate, found}, 0, true};
  co_return Step{std::move(state), 0, false};
}

// H lacks -log |dnugget/dz|.
void MissingNuggetJacobian::energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const {
  inner_->energies(points, workspace, out);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    if (energy.possible()) energy.tempered += log_nugget_jacobian(points(dim() - 1, i));
  }
}

}  // namespace ta2s2
