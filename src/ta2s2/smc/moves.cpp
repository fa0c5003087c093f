// Every kernel, and all of them by name: a new one is a class and a line in the list at the end.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

double proposal_spread(Index dim) {
  return 2.38 / std::sqrt(static_cast<double>(dim));
}

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

// The paper's kernel, (4.5) and (4.8)-(4.12), kept to reproduce the paper. It does NOT leave its target invariant
// (docs/paper_notes.md, note 6): use `exact`.
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

// Neal's crumbs (2003, section 5.2) with the paper's c0/k shrinkage made exact.
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

// Asymptotically independent Markov sampling (Beck and Zuev 2013).
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

// v2 ~ InvGamma((nu + d)/2, (nu + (x - mu)' S^-1 (x - mu))/2), then v ~ N(0, v2 S).
Vector draw_ellipse_axis(const TComponent& component, int freedom, double squared_distance, Stream& stream) {
  const auto d = static_cast<double>(component.mean.size());
  const double rate = 0.5 * (freedom + squared_distance);
  const double variance = rate / draw_gamma(stream, 0.5 * (freedom + d));
  Vector axis = draw_correlated_normals(stream, component.factor);
  axis *= std::sqrt(variance);
  return axis;
}

// x' = x + s c0 chol(Sigma) e.
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
// The step says that it was `part` of its kernel.
ChainTask<Step> elliptical_slice_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream,
                                      int part) {
  const MixturePoint here = plan.mixture.at(state.position);
  const auto c = static_cast<std::size_t>(draw_categorical(stream, here.shares()));
  const TComponent& component = plan.mixture.components()[c];
  const Vector axis = draw_ellipse_axis(component, plan.mixture.freedom(), here.squared_distance_to[c], stream);
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

// Random-walk Metropolis with the level's covariance.
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

// The default kernel: a random scan of three moves, each of which leaves the tempered density invariant.
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

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Move>(const MoveOptions&)> make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = {
      {"exact", [](const MoveOptions& options) { return std::make_unique<ExactMove>(options.shares); }},
      {"neal", [](const MoveOptions&) { return std::make_unique<NealMove>(); }},
      {"random-walk", [](const MoveOptions&) { return std::make_unique<RandomWalkMove>(); }},
      {"elliptical", [](const MoveOptions&) { return std::make_unique<EllipticalMove>(); }},
      {"aims", [](const MoveOptions&) { return std::make_unique<AimsMove>(); }},
      {"published", [](const MoveOptions& options) { return std::make_unique<PublishedMove>(options.published); }},
  };
  return list;
}

}  // namespace

std::vector<std::string> move_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Move> make_move(const MoveOptions& options) {
  for (const Entry& entry : entries()) {
    if (entry.name == options.name) return entry.make(options);
  }
  throw Error(ErrorCode::usage, "unknown move \"" + options.name + "\"; known moves: " + join(move_names(), ", "));
}

}  // namespace ta2s2
