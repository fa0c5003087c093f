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

namespace {

// By column; all of them if CRPS tells none from another.
Vector may_answer(const Vector& mean_crps) {
  double best = kInfinity;
  for (const double crps : mean_crps) best = std::min(best, std::isnan(crps) ? kInfinity : crps);
  const Vector answers = (mean_crps.array() <= kStackingGuard * best).cast<double>();
  return answers.sum() > 0.0 ? answers : Vector::Ones(mean_crps.size());
}

// Relative to the best of the models that answer for the run.
Matrix relative_densities(const Matrix& log_densities, const Vector& answers) {
  constexpr double kLeast = -1e300;
  const Matrix finite = log_densities.cwiseMax(kLeast);
  Matrix densities(finite.rows(), finite.cols());
  for (Index i = 0; i < finite.rows(); ++i) {
    double best = kLeast;
    for (Index k = 0; k < finite.cols(); ++k) {
      if (answers[k] > 0.0) best = std::max(best, finite(i, k));
    }
    for (Index k = 0; k < finite.cols(); ++k) {
      densities(i, k) = answers[k] > 0.0 ? std::exp(finite(i, k) - best) : 0.0;
    }
  }
  return densities;
}

}  // namespace

// EM for the weights of a mixture whose components are known, as of a posterior under a Dirichlet prior: with r_ik the
// share of run i that model k answers for, w_k = (sum_i r_ik + a / K) / (n + a). With g_k = (sum_i r_ik + a / K) / (w_k
// (n + a)) that is w_k g_k, and by concavity no weights do better by more than max_k g_k - 1: that is when to stop.
std::vector<double> stacking_weights(const Matrix& log_densities, const Vector& mean_crps) {
  constexpr int kMostSteps = 100'000;
  const Index num_models = log_densities.cols();
  const double share = kStackingPseudoRuns / static_cast<double>(num_models);
  const double all = static_cast<double>(log_densities.rows()) + kStackingPseudoRuns;
  const Matrix densities = relative_densities(log_densities, may_answer(mean_crps));
  Vector weights = Vector::Constant(num_models, 1.0 / static_cast<double>(num_models));
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector mixed = densities * weights;
    const Vector gain = (densities.transpose() * mixed.cwiseInverse() + share * weights.cwiseInverse()) / all;
    if (gain.maxCoeff() - 1.0 < kStackingGap) break;
    weights = weights.cwiseProduct(gain);
    weights /= weights.sum();
  }
  return to_vector(weights);
}

}  // namespace ta2s2
