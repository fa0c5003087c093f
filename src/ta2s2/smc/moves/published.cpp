// Slice sampling with crumbs: the paper's kernel, and Neal's.
#include <algorithm>
#include <cmath>

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/moves/moves.hpp"

namespace ta2s2 {
namespace {

using Reading = PublishedOptions::Reading;
using Pull = PublishedOptions::Pull;

// |J| of (4.8): how many markers lie inside the slice.
Index num_markers_inside(const LevelPlan& plan, double level) {
  const auto& order = plan.markers_by_energy;
  const auto& energies = plan.markers->energies;
  const auto end = std::partition_point(
      order.begin(), order.end(), [&](Index j) { return energies[static_cast<std::size_t>(j)].at(plan.beta) < level; });
  return end - order.begin();
}

class PublishedMove final : public Move {
 public:
  explicit PublishedMove(const PublishedOptions& options) : options_(options) {}

  std::string name() const override { return "published"; }
  bool is_exact() const override { return false; }
  bool keeps_to_the_box() const override { return true; }
  bool needs_markers() const override { return true; }

  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const double c0 = proposal_spread(plan.dim());
    const double level = state.energy.at(plan.beta) + draw_exponential(stream);  // (4.5), divided by tau
    const Index num_inside = num_markers_inside(plan, level);
    Vector crumb_sum = Vector::Zero(plan.dim());
    for (int i = 1; i <= options_.max_crumbs; ++i) {
      crumb_sum += draw_crumb(state.position, plan, num_inside, stream);
      const Vector centre = candidate_centre(state.position, crumb_sum / i, i);
      const Vector step = draw_correlated_normals(stream, plan.covariance_factor);
      const Vector candidate = centre + (c0 / i) * step;  // (4.11); paper note 1
      const Energy found = co_await energy(candidate);
      if (found.at(plan.beta) < level) co_return Step{{candidate, found}, 0, true};
    }
    co_return Step{std::move(state), 0, false};
  }

 private:
  // A marker of J, or a renewal crumb (4.9). Paper note 2: the text renews if J is empty or with probability p_renew;
  // Algorithm 1 prints "J not empty or u < p_renew" for taking a marker.
  Vector draw_crumb(const Vector& x, const LevelPlan& plan, Index num_inside, Stream& stream) const {
    const bool lucky = draw_uniform(stream) < options_.renewal_probability;
    const bool renew = num_inside == 0 || (options_.reading == Reading::text && lucky);
    if (!renew) return marker(plan, draw_index(stream, num_inside));
    return x + proposal_spread(plan.dim()) * draw_correlated_normals(stream, plan.covariance_factor);
  }

  static Vector marker(const LevelPlan& plan, Index rank) {
    return plan.markers->positions.col(plan.markers_by_energy[static_cast<std::size_t>(rank)]);
  }

  // (4.12); Algorithm 1 centres on the current state. Paper note 3.
  Vector candidate_centre(const Vector& x, const Vector& crumb_mean, int i) const {
    if (options_.reading == Reading::algorithm1) return x;
    const double alpha = options_.pull == Pull::linear ? 1.0 - 1.0 / i : 1.0 - std::exp(-static_cast<double>(i));
    return alpha * x + (1.0 - alpha) * crumb_mean;
  }

  PublishedOptions options_;
};

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

std::unique_ptr<Move> make_published_kernel(const PublishedOptions& options) {
  return std::make_unique<PublishedMove>(options);
}

std::unique_ptr<Move> make_neal_kernel() {
  return std::make_unique<NealMove>();
}

}  // namespace ta2s2
