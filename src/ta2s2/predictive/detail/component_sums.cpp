#include "ta2s2/predictive/detail/component_sums.hpp"

#include <cmath>

#include "ta2s2/base/log_math.hpp"

namespace ta2s2::detail {

ComponentSums::ComponentSums(const StudentTable& table, const std::vector<Component>& components, InstructionSet path)
    : table_(&table), kernels_(mixture_routines(path)), components_(components) {
  const std::size_t count = (components.size() + kPaddedComponents - 1) / kPaddedComponents * kPaddedComponents;
  numbers_.resize(4 * count);
  double* const weights = numbers_.data();
  double* const means = weights + count;
  double* const scales = means + count;
  double* const inverse_scales = scales + count;
  for (std::size_t i = 0; i < components.size(); ++i) {
    weights[i] = components[i].weight;
    means[i] = components[i].mean;
    scales[i] = components[i].scale;
    inverse_scales[i] = 1.0 / components[i].scale;
  }
  problem_ = {count, weights, means, scales, inverse_scales, table.cells(), table.df(), table.log_constant()};
}

double ComponentSums::tail(double x, double side) const {
  if (kernels_ != nullptr) return kernels_->tail(problem_, x, side);
  double sum = 0.0;
  for (const Component& c : components_) sum += c.weight * table_->cdf(side * (c.mean - x) / c.scale);
  return sum;
}

TailAndDensity ComponentSums::tail_and_density(double x, double side) const {
  if (kernels_ != nullptr) return kernels_->tail_and_density(problem_, x, side);
  double density = 0.0;
  for (const Component& c : components_) {
    density += c.weight / c.scale * std::exp(table_->log_density((x - c.mean) / c.scale));
  }
  return {tail(x, side), density};
}

double ComponentSums::log_density(double x) const {
  if (components_.empty()) return -kInfinity;
  if (kernels_ != nullptr) return kernels_->log_density(problem_, x);
  std::vector<double> terms;
  terms.reserve(components_.size());
  for (const Component& c : components_) {
    terms.push_back(std::log(c.weight / c.scale) + table_->log_density((x - c.mean) / c.scale));
  }
  return log_sum_exp(terms);
}

double ComponentSums::mean_absolute_deviation(double y) const {
  if (kernels_ != nullptr) return kernels_->mean_absolute_deviation(problem_, y);
  double sum = 0.0;
  for (const Component& c : components_) {
    const double t = (y - c.mean) / c.scale;
    const bool far = !std::isfinite(t);  // the quotient overflows: as good as a point mass
    sum += c.weight * (far ? std::abs(y - c.mean) : c.scale * table_->mean_absolute_deviation(t));
  }
  return sum;
}

}  // namespace ta2s2::detail
