#include "evidence/box_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ta2s2/base/log_math.hpp"

namespace ta2s2 {
namespace {

struct Rule {
  std::vector<double> nodes, log_weights;
};

// Five Gauss-Legendre nodes on [-1, 1]: 0 and +-sqrt(5 -+ 2 sqrt(10/7))/3.
Rule composite_rule(double low, double high, Index panels) {
  const double inner = std::sqrt(5.0 - 2.0 * std::sqrt(10.0 / 7.0)) / 3.0;
  const double outer = std::sqrt(5.0 + 2.0 * std::sqrt(10.0 / 7.0)) / 3.0;
  const double inner_weight = (322.0 + 13.0 * std::sqrt(70.0)) / 900.0;
  const double outer_weight = (322.0 - 13.0 * std::sqrt(70.0)) / 900.0;
  const std::array<double, 5> nodes = {-outer, -inner, 0.0, inner, outer};
  const std::array<double, 5> weights = {outer_weight, inner_weight, 128.0 / 225.0, inner_weight, outer_weight};
  const double half = 0.5 * (high - low) / static_cast<double>(panels);
  Rule rule;
  for (Index panel = 0; panel < panels; ++panel) {
    const double centre = low + half * static_cast<double>(2 * panel + 1);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      rule.nodes.push_back(centre + half * nodes[k]);
      rule.log_weights.push_back(std::log(half * weights[k]));
    }
  }
  return rule;
}

// The `number`-th point of the product rule: its digits, in base of the rule's size, number the nodes.
double place_point(const std::vector<Rule>& rules, Index number, Eigen::Ref<Vector> z) {
  double log_weight = 0.0;
  for (Index d = 0; d < z.size(); ++d) {
    const Rule& rule = rules[static_cast<std::size_t>(d)];
    const auto size = static_cast<Index>(rule.nodes.size());
    const auto node = static_cast<std::size_t>(number % size);
    z[d] = rule.nodes[node];
    log_weight += rule.log_weights[node];
    number /= size;
  }
  return log_weight;
}

}  // namespace

double log_integral_over_box(const GpTarget& target, Index panels, Executor& executor) {
  std::vector<Rule> rules;
  Index num_points = 1;
  for (Index d = 0; d < target.dim(); ++d) {
    rules.push_back(composite_rule(target.space().low()[d], target.space().high()[d], panels));
    num_points *= static_cast<Index>(rules.back().nodes.size());
  }
  constexpr Index kPointsPerTask = 1000;
  const Index num_tasks = (num_points + kPointsPerTask - 1) / kPointsPerTask;
  const auto task = [&](Index group, int) {
    const Index first = group * kPointsPerTask;
    const Index count = std::min(kPointsPerTask, num_points - first);
    Matrix points(target.dim(), count);
    std::vector<double> terms(static_cast<std::size_t>(count));
    std::vector<Energy> energies(terms.size());
    for (Index i = 0; i < count; ++i) terms[static_cast<std::size_t>(i)] = place_point(rules, first + i, points.col(i));
    const auto workspace = target.make_workspace();
    target.energies(points, *workspace, energies);
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] -= energies[i].total();
    return Payload{log_sum_exp(terms)};
  };
  std::vector<double> sums;
  const std::vector<double> costs(static_cast<std::size_t>(num_tasks), 1.0);
  for (const Payload& payload : executor.map(costs, task)) sums.push_back(payload.front());
  return log_sum_exp(sums);
}

}  // namespace ta2s2
