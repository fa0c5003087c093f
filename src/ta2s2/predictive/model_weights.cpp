#include "ta2s2/predictive/model_weights.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

constexpr int kWeightDraws = 4000;
constexpr double kTail = 0.05;

// The nearest-rank quantile of what is no longer needed in its order.
double quantile(std::vector<double>& values, double level) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(level * static_cast<double>(values.size()));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

std::vector<double> to_vector(const Vector& values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<double> evidence_weights(const std::vector<double>& log_evidences) {
  const double total = log_sum_exp(log_evidences);
  std::vector<double> weights;
  for (const double log_evidence : log_evidences) weights.push_back(std::exp(log_evidence - total));
  return weights;
}

std::vector<WeightInterval> evidence_weight_intervals(const std::vector<double>& log_evidences,
                                                      const std::vector<double>& standard_errors, std::uint64_t seed) {
  const std::size_t count = log_evidences.size();
  std::vector<std::vector<double>> draws(count, std::vector<double>(kWeightDraws));
  Stream stream({.seed = seed, .purpose = Purpose::model_weights});
  for (std::size_t draw = 0; draw < kWeightDraws; ++draw) {
    std::vector<double> moved = log_evidences;
    for (std::size_t k = 0; k < count; ++k) moved[k] += standard_errors[k] * draw_normal(stream);
    const std::vector<double> weights = evidence_weights(moved);
    for (std::size_t k = 0; k < count; ++k) draws[k][draw] = weights[k];
  }
  std::vector<WeightInterval> intervals;
  for (auto& of_model : draws) intervals.push_back({quantile(of_model, kTail), quantile(of_model, 1.0 - kTail)});
  return intervals;
}

// EM for the weights of a mixture whose components are known. With g_k the mean over runs of p_k / sum_j w_j p_j, a
// step is w_k g_k, and by concavity no weights do better by more than max_k g_k - 1: that is when to stop.
std::vector<double> stacking_weights(const Matrix& log_densities) {
  constexpr int kMostSteps = 100'000;
  const Index num_models = log_densities.cols();
  const Vector best = log_densities.rowwise().maxCoeff();
  const Matrix densities = (log_densities.colwise() - best).array().exp();
  Vector weights = Vector::Constant(num_models, 1.0 / static_cast<double>(num_models));
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector mixed = densities * weights;
    const Vector gain = densities.transpose() * mixed.cwiseInverse() / static_cast<double>(densities.rows());
    if (gain.maxCoeff() - 1.0 < kStackingGap) break;
    weights = weights.cwiseProduct(gain);
    weights /= weights.sum();
  }
  return to_vector(weights);
}

}  // namespace ta2s2
