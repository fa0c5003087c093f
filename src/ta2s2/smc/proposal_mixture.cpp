#include "ta2s2/smc/proposal_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/growth.hpp"

namespace ta2s2 {
namespace {

constexpr double kNu = kMixtureFreedom;

double log_t_constant(const TComponent& component) {
  const auto d = static_cast<double>(component.mean.size());
  return std::log(component.weight) + std::lgamma(0.5 * (kNu + d)) - std::lgamma(0.5 * kNu) -
         0.5 * d * std::log(kNu * std::numbers::pi) - component.factor.diagonal().array().log().sum();
}

}  // namespace

double TComponent::squared_distance(VectorView x) const {
  return factor.triangularView<Eigen::Lower>().solve(x - mean).squaredNorm();
}

ProposalMixture::ProposalMixture(std::vector<TComponent> components) : components_(std::move(components)) {
  for (const TComponent& component : components_) log_constants_.push_back(log_t_constant(component));
}

void ProposalMixture::log_terms(VectorView x, std::vector<double>& out) const {
  out.resize(components_.size());
  const double power = -0.5 * (kNu + static_cast<double>(x.size()));
  for (std::size_t c = 0; c < components_.size(); ++c) {
    out[c] = log_constants_[c] + power * std::log1p(components_[c].squared_distance(x) / kNu);
  }
}

double ProposalMixture::log_density(VectorView x) const {
  std::vector<double> terms;
  log_terms(x, terms);
  return log_sum_exp(terms);
}

Vector ProposalMixture::draw(Stream& stream) const {
  std::vector<double> weights;
  for (const TComponent& component : components_) weights.push_back(component.weight);
  const TComponent& chosen = components_[static_cast<std::size_t>(draw_categorical(stream, weights))];
  // t = normal / sqrt(chi2 / nu), chi2 / nu = Gamma(nu / 2) / (nu / 2).
  const double spread = std::sqrt(0.5 * kNu / draw_gamma(stream, 0.5 * kNu));
  return chosen.mean + spread * draw_correlated_normals(stream, chosen.factor);
}

namespace {

constexpr int kMaxIterations = 60;
constexpr double kTolerance = 1e-4;  // gain in mean log density below which EM ends
// BIC may pass a bump before it falls again: give up after this many components without a gain.
constexpr int kPatience = 2;

// Points of the level in coordinates where their weighted covariance is the identity: k-means++ distances and the
// ridge then mean the same in every direction.
struct WhitenedPoints {
  Vector mean;
  Matrix factor;
  Matrix points;  // (d, n)
  Vector weights;
  double num_effective;
};

WhitenedPoints whiten(const Matrix& points, const Vector& weights) {
  const WeightedMoments moments = weighted_moments(points, weights);
  WhitenedPoints whitened{moments.mean, regularised_factor(moments.covariance), points, weights,
                          1.0 / weights.squaredNorm()};
  whitened.points.colwise() -= moments.mean;
  whitened.factor.triangularView<Eigen::Lower>().solveInPlace(whitened.points);
  return whitened;
}

// Of too many points as many as are allowed, by systematic resampling; they are worth no more than the weighted ones
// were.
WhitenedPoints whiten_at_most(const Matrix& points, const Vector& weights, Stream& stream) {
  if (points.cols() <= kMostFittedPoints) return whiten(points, weights);
  const Matrix chosen = points(Eigen::all, systematic_resample(weights, kMostFittedPoints, stream));
  WhitenedPoints whitened = whiten(chosen, Vector::Constant(kMostFittedPoints, 1.0 / kMostFittedPoints));
  whitened.num_effective = std::min(whitened.num_effective, 1.0 / weights.squaredNorm());
  return whitened;
}

// k-means++ (Arthur and Vassilvitskii 2007) with the points' weights.
Matrix seed_centres(const WhitenedPoints& data, int count, Stream& stream) {
  Matrix centres(data.points.rows(), count);
  Vector nearest = Vector::Ones(data.points.cols());
  for (int c = 0; c < count; ++c) {
    const Vector chance = data.weights.cwiseProduct(nearest);
    const Index chosen = draw_categorical(stream, {chance.data(), static_cast<std::size_t>(chance.size())});
    centres.col(c) = data.points.col(chosen);
    const Vector distance = (data.points.colwise() - centres.col(c)).colwise().squaredNorm().transpose();
    nearest = c == 0 ? distance : nearest.cwiseMin(distance).eval();
  }
  return centres;
}

struct EmState {
  std::vector<TComponent> components;
  double mean_log_density = -kInfinity;
};

EmState initial_components(const WhitenedPoints& data, int count, Stream& stream) {
  const Index d = data.points.rows();
  const Matrix centres = seed_centres(data, count, stream);
  const double spread = std::pow(static_cast<double>(count), -1.0 / static_cast<double>(d));
  EmState state;
  for (int c = 0; c < count; ++c) {
    state.components.push_back({1.0 / count, centres.col(c), spread * Matrix::Identity(d, d)});
  }
  return state;
}

// E step: terms(i, c) = log(pi_c t_c(x_i)), distances(i, c) = Mahalanobis distance squared.
struct Expectation {
  Matrix responsibilities, distances;
  double mean_log_density;
};

Expectation expect(const WhitenedPoints& data, const std::vector<TComponent>& components) {
  const Index n = data.points.cols();
  const auto k = static_cast<Index>(components.size());
  const double power = -0.5 * (kNu + static_cast<double>(data.points.rows()));
  Expectation e{Matrix(n, k), Matrix(n, k), 0.0};
  for (Index c = 0; c < k; ++c) {
    const TComponent& component = components[static_cast<std::size_t>(c)];
    Matrix scaled = data.points.colwise() - component.mean;
    component.factor.triangularView<Eigen::Lower>().solveInPlace(scaled);
    e.distances.col(c) = scaled.colwise().squaredNorm().transpose();
    e.responsibilities.col(c) = log_t_constant(component) + power * (e.distances.col(c).array() / kNu).log1p();
  }
  const Vector largest = e.responsibilities.rowwise().maxCoeff();
  e.responsibilities = (e.responsibilities.colwise() - largest).array().exp();
  const Vector sums = e.responsibilities.rowwise().sum();
  e.responsibilities.array().colwise() /= sums.array();
  e.mean_log_density = data.weights.dot((largest.array() + sums.array().log()).matrix());
  return e;
}

// M step of a t mixture with fixed nu (Peel and McLachlan 2000). A component that holds fewer than d + 2 effective
// points is dropped: its covariance would be a guess.
std::vector<TComponent> maximise(const WhitenedPoints& data, const Expectation& e) {
  const Index d = data.points.rows();
  constexpr double kRidge = 1e-4;  // of the level's own variance: keeps a component from collapsing onto one marker
  std::vector<TComponent> components;
  for (Index c = 0; c < e.responsibilities.cols(); ++c) {
    const Vector held = data.weights.cwiseProduct(e.responsibilities.col(c));
    const double weight = held.sum();
    if (weight * data.num_effective < static_cast<double>(d) + 2.0) continue;
    const Vector precise = held.array() * (kNu + static_cast<double>(d)) / (kNu + e.distances.col(c).array());
    const Vector mean = data.points * precise / precise.sum();
    const Matrix centred = data.points.colwise() - mean;
    Matrix covariance = centred * (precise / weight).asDiagonal() * centred.transpose();
    covariance.diagonal().array() += kRidge;
    components.push_back({weight, mean, regularised_factor(covariance)});
  }
  double total = 0.0;
  for (const TComponent& component : components) total += component.weight;
  for (TComponent& component : components) component.weight /= total;
  return components;
}

EmState run_em(const WhitenedPoints& data, int count, Stream& stream) {
  EmState state = initial_components(data, count, stream);
  for (int i = 0; i < kMaxIterations; ++i) {
    const Expectation e = expect(data, state.components);
    const bool settled = e.mean_log_density - state.mean_log_density < kTolerance && i > 2;
    state.mean_log_density = e.mean_log_density;
    if (settled) break;
    std::vector<TComponent> components = maximise(data, e);
    if (components.empty()) break;
    state.components = std::move(components);
  }
  return state;
}

double bic(const EmState& state, Index d, double num_effective) {
  const auto k = static_cast<double>(state.components.size());
  const auto dim = static_cast<double>(d);
  const double num_parameters = k * (1.0 + dim + 0.5 * dim * (dim + 1.0)) - 1.0;
  return -2.0 * num_effective * state.mean_log_density + num_parameters * std::log(num_effective);
}

ProposalMixture unwhiten(const WhitenedPoints& data, const std::vector<TComponent>& components) {
  std::vector<TComponent> original;
  for (const TComponent& component : components) {
    const Matrix factor = data.factor.triangularView<Eigen::Lower>() * component.factor;
    original.push_back({component.weight, data.mean + data.factor * component.mean, factor});
  }
  return ProposalMixture(std::move(original));
}

}  // namespace

ProposalMixture fit_proposal_mixture(const Matrix& points, const Vector& weights, int max_components, Stream& stream) {
  const WhitenedPoints data = whiten_at_most(points, weights, stream);
  EmState best;
  double best_bic = kInfinity;
  int without_gain = 0;
  for (int count = 1; count <= max_components && without_gain < kPatience; ++count) {
    EmState state = run_em(data, count, stream);
    const double score = bic(state, points.rows(), data.num_effective);
    without_gain = score < best_bic ? 0 : without_gain + 1;
    if (score < best_bic) {
      best_bic = score;
      best = std::move(state);
    }
  }
  return unwhiten(data, best.components);
}

}  // namespace ta2s2
