#include "whole_run/bias.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>

namespace ta2s2::whole_run {
namespace {

Bias summarise(const Quantity& quantity, const Vector& errors) {
  const auto n = static_cast<double>(errors.size());
  const double mean = errors.mean();
  const double variance = (errors.array() - mean).square().sum() / (n - 1.0);
  return {quantity, mean, std::sqrt(variance / n), std::sqrt(errors.squaredNorm() / n)};
}

}  // namespace

std::vector<Bias> biases(const Study& study, const Matrix& errors) {
  std::vector<Bias> all;
  for (std::size_t q = 0; q < study.quantities.size(); ++q) {
    all.push_back(summarise(study.quantities[q], errors.row(static_cast<Index>(q)).transpose()));
  }
  return all;
}

Bias bias_of(const Study& study, const Matrix& errors, Kind kind) {
  for (const Bias& bias : biases(study, errors)) {
    if (bias.quantity.kind == kind) return bias;
  }
  throw std::out_of_range("the study has no such quantity");
}

double critical_value(Index num_seeds, Index num_comparisons, double level) {
  const boost::math::students_t t(static_cast<double>(num_seeds - 1));
  return quantile(complement(t, 0.5 * level / static_cast<double>(num_comparisons)));
}

}  // namespace ta2s2::whole_run
