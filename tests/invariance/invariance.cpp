#include "invariance/invariance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/level_plan.hpp"
#include "ta2s2/smc/mixture_fit.hpp"

namespace ta2s2 {
namespace {

// Draws for one purpose are independent of those for another.
enum class DrawnFor : std::uint64_t { starts_and_markers, fresh };

Population draw_points(const ExactTarget& target, const InvarianceTrial& trial, DrawnFor purpose, Index size) {
  Population points;
  points.positions.resize(target.dim(), size);
  points.energies.resize(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i) {
    Stream stream(
        {trial.seed, Purpose::start_point, static_cast<std::uint64_t>(purpose), static_cast<std::uint64_t>(i), 0});
    points.positions.col(i) = target.draw_exact(trial.beta, stream);
  }
  const auto workspace = target.make_workspace();
  target.energies(points.positions, *workspace, points.energies);
  return points;
}

// All that a level adapts, from the markers alone: the last columns, of which no chain starts.
LevelPlan plan_from_markers(Population points, const Move& kernel, const InvarianceTrial& trial) {
  constexpr int kMaxComponents = 6;
  const Matrix markers = points.positions.rightCols(trial.num_markers);
  const Vector weights = Vector::Constant(trial.num_markers, 1.0 / static_cast<double>(trial.num_markers));
  LevelPlan plan;
  plan.beta = trial.beta;
  plan.covariance_factor = regularised_factor(weighted_moments(markers, weights).covariance);
  if (kernel.needs_mixture()) {
    Stream stream({trial.seed, Purpose::mixture_fit, 0, 0, 0});
    plan.mixture = fit_proposal_mixture(markers, weights, {.max_components = kMaxComponents}, stream);
  }
  if (kernel.needs_marker_mixture()) {
    Vector of_markers = Vector::Zero(points.size());
    of_markers.tail(trial.num_markers) = weights;
    plan.marker_mixture = mix_markers(points, of_markers, plan.covariance_factor, trial.beta);
  }
  plan.markers_by_energy.resize(static_cast<std::size_t>(trial.num_markers));
  std::iota(plan.markers_by_energy.begin(), plan.markers_by_energy.end(), trial.num_chains);
  const auto energy_of = [&](Index i) { return points.energies[static_cast<std::size_t>(i)].at(trial.beta); };
  std::stable_sort(plan.markers_by_energy.begin(), plan.markers_by_energy.end(),
                   [&](Index a, Index b) { return energy_of(a) < energy_of(b); });
  plan.chains.starts.resize(static_cast<std::size_t>(trial.num_chains));
  std::iota(plan.chains.starts.begin(), plan.chains.starts.end(), Index{0});
  plan.chains.lengths.assign(plan.chains.starts.size(), trial.num_steps);
  plan.markers = std::make_shared<const Population>(std::move(points));
  return plan;
}

// Where the chains ended, with the energies they kept.
Population final_states(const Population& grown) {
  Population last;
  last.positions.resize(grown.positions.rows(), grown.num_chains());
  for (Index c = 0; c < grown.num_chains(); ++c) {
    const Index at = grown.chain_begin[static_cast<std::size_t>(c) + 1] - 1;
    last.positions.col(c) = grown.positions.col(at);
    last.energies.push_back(grown.energies[static_cast<std::size_t>(at)]);
  }
  return last;
}

std::vector<double> values_of(const Population& points, Index count, const std::function<double(Index)>& value) {
  std::vector<double> values(static_cast<std::size_t>(std::min(count, points.size())));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(static_cast<Index>(i));
  return values;
}

// The chains are independent, and under invariance a change has mean zero however strongly start and end depend on each
// other. For a reversible kernel it even is symmetric; then the sum over the root of the sum of squares has tails no
// heavier than a normal's to leading order, whatever the tails of the target: normal p-values are safe.
InvarianceCheck check_change(std::string name, const std::vector<double>& start, const std::vector<double>& end) {
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double change = end[i] - start[i];
    sum += change;
    squares += change * change;
  }
  const double z = squares > 0.0 ? sum / std::sqrt(squares) : 0.0;
  return {"change of " + std::move(name), z, std::erfc(std::abs(z) / std::numbers::sqrt2)};
}

// Largest difference between two empirical distribution functions of n points each.
double kolmogorov_distance(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0.0;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                         static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return largest;
}

// For two samples of n >= 458 each, P(sqrt(n/2) D > x) <= 2 exp(-2 x^2) (Wei and Dudley 2012): a bound, not a limit.
InvarianceCheck check_distance(std::string name, const std::vector<double>& end, const std::vector<double>& fresh) {
  const double x = std::sqrt(0.5 * static_cast<double>(end.size())) * kolmogorov_distance(end, fresh);
  return {"distribution of " + std::move(name), x, std::min(1.0, 2.0 * std::exp(-2.0 * x * x))};
}

// A law without chance: p is 1 or 0. An energy may be evaluated in another block, but by the same arithmetic.
InvarianceCheck check_kept_energies(const std::vector<Energy>& kept, const std::vector<Energy>& anew) {
  double largest = 0.0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    largest =
        std::max({largest, std::abs(kept[i].start - anew[i].start), std::abs(kept[i].tempered - anew[i].tempered)});
  }
  return {"kept energies", largest, largest == 0.0 ? 1.0 : 0.0};
}

// A function of a state, to be compared between starts, final states and fresh draws.
struct Statistic {
  std::string name;
  std::function<double(const Population&, Index)> value;
  bool compare_distributions;
};

std::vector<Statistic> statistics_for(const ExactTarget& target, const Vector& centre) {
  std::vector<Statistic> all;
  const std::vector<std::string> names = target.names();
  for (Index j = 0; j < target.dim(); ++j) {
    const std::string& name = names[static_cast<std::size_t>(j)];
    const auto offset = [j, &centre](const Population& p, Index i) { return p.positions(j, i) - centre[j]; };
    all.push_back({name, offset, true});
    all.push_back(
        {name + " squared", [offset](const Population& p, Index i) { return std::pow(offset(p, i), 2); }, false});
    if (j + 1 < target.dim()) {
      const auto product = [offset, j, &centre](const Population& p, Index i) {
        return offset(p, i) * (p.positions(j + 1, i) - centre[j + 1]);
      };
      all.push_back({name + " times " + names[static_cast<std::size_t>(j) + 1], product, false});
    }
  }
  all.push_back(
      {"H", [](const Population& p, Index i) { return p.energies[static_cast<std::size_t>(i)].total(); }, true});
  for (Index mode = 1; mode < target.num_modes(); ++mode) {  // the first one's share is what the others leave
    const auto inside = [&target, mode](const Population& p, Index i) {
      return target.mode_of(p.positions.col(i)) == mode ? 1.0 : 0.0;
    };
    all.push_back({"mode " + std::to_string(mode + 1), inside, false});
  }
  return all;
}

}  // namespace

const InvarianceCheck& InvarianceReport::worst() const {
  return *std::min_element(checks.begin(), checks.end(),
                           [](const InvarianceCheck& a, const InvarianceCheck& b) { return a.p < b.p; });
}

double InvarianceReport::verdict() const {
  return std::min(1.0, worst().p * static_cast<double>(checks.size()));
}

std::ostream& operator<<(std::ostream& out, const InvarianceReport& report) {
  const InvarianceCheck& worst = report.worst();
  return out << "verdict " << report.verdict() << " over " << report.checks.size() << " checks; worst: " << worst.name
             << ", " << worst.statistic << ", p " << worst.p;
}

InvarianceReport check_invariance(const ExactTarget& target, const Move& kernel, const InvarianceTrial& trial) {
  const Index n = trial.num_chains;
  const LevelPlan plan =
      plan_from_markers(draw_points(target, trial, DrawnFor::starts_and_markers, n + trial.num_markers), kernel, trial);
  ThreadExecutor executor(0);
  const Population& start = *plan.markers;  // its first n columns
  Population end = final_states(grow_chains(target, kernel, plan, trial.seed, executor).population);
  const Population fresh = draw_points(target, trial, DrawnFor::fresh, n);

  InvarianceReport report;
  const std::vector<Energy> kept = end.energies;
  const auto workspace = target.make_workspace();
  target.energies(end.positions, *workspace, end.energies);
  report.checks.push_back(check_kept_energies(kept, end.energies));

  const Vector centre = fresh.positions.rowwise().mean();
  for (const Statistic& statistic : statistics_for(target, centre)) {
    const auto values = [&](const Population& points) {
      return values_of(points, n, [&](Index i) { return statistic.value(points, i); });
    };
    const std::vector<double> at_end = values(end);
    report.checks.push_back(check_change(statistic.name, values(start), at_end));
    if (statistic.compare_distributions) {
      report.checks.push_back(check_distance(statistic.name, at_end, values(fresh)));
    }
  }
  return report;
}

}  // namespace ta2s2
