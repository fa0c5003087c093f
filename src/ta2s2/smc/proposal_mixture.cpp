#include "ta2s2/smc/proposal_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

constexpr double kNu = kMixtureFreedom;
constexpr double kFarthest = 1e300;  // a squared distance that overflowed; ratios of distances must be numbers

// x^(twice / 2). nu is a whole number, so no density needs an exponential.
double half_power(double x, Index twice) {
  double result = twice % 2 == 1 ? std::sqrt(x) : 1.0;
  for (Index power = twice / 2; power > 0; power /= 2) {
    if (power % 2 == 1) result *= x;
    x *= x;
  }
  return result;
}

}  // namespace

double log_t_scale(const TComponent& component) {
  const auto d = static_cast<double>(component.mean.size());
  return std::log(component.weight) + std::lgamma(0.5 * (kNu + d)) - std::lgamma(0.5 * kNu) +
         0.5 * kNu * std::log(kNu) - 0.5 * d * std::log(std::numbers::pi) -
         component.factor.diagonal().array().log().sum();
}

Index MixturePoint::most_responsible() const {
  return std::max_element(shares().begin(), shares().end()) - shares().begin();
}

ProposalMixture::ProposalMixture(std::vector<TComponent> components)
    : components_(std::move(components)), log_scale_(-kInfinity) {
  if (components_.size() > kMostComponents) throw Error(ErrorCode::internal, "a mixture of too many components");
  for (const TComponent& component : components_) {
    weights_.push_back(component.weight);
    scales_.push_back(log_t_scale(component));
    log_scale_ = std::max(log_scale_, scales_.back());
  }
  distances_ = ComponentDistances(components_);
  for (double& scale : scales_) scale = std::exp(scale - log_scale_);
}

// Densities relative to that of the nearest component: none that matters underflows.
MixturePoint ProposalMixture::at(VectorView x) const {
  MixturePoint point;
  point.num_components = components_.size();
  double nearest = kInfinity;
  distances_.measure(x.data(), point.squared_distance_to.data());
  for (std::size_t c = 0; c < point.num_components; ++c) {
    point.squared_distance_to[c] = std::min(point.squared_distance_to[c], kFarthest);
    nearest = std::min(nearest, kNu + point.squared_distance_to[c]);
  }
  const Index twice_power = static_cast<Index>(kNu) + x.size();
  double total = 0.0;
  for (std::size_t c = 0; c < point.num_components; ++c) {
    point.share_of[c] = scales_[c] * half_power(nearest / (kNu + point.squared_distance_to[c]), twice_power);
    total += point.share_of[c];
  }
  for (std::size_t c = 0; c < point.num_components; ++c) point.share_of[c] /= total;
  point.log_density = log_scale_ + std::log(total) - 0.5 * static_cast<double>(twice_power) * std::log(nearest);
  return point;
}

Vector ProposalMixture::draw(Stream& stream) const {
  const TComponent& chosen = components_[static_cast<std::size_t>(draw_categorical(stream, weights_))];
  // t = normal / sqrt(chi2 / nu), chi2 / nu = Gamma(nu / 2) / (nu / 2).
  const double spread = std::sqrt(0.5 * kNu / draw_gamma(stream, 0.5 * kNu));
  Vector x = draw_correlated_normals(stream, chosen.factor);
  x = chosen.mean + spread * x;
  return x;
}

}  // namespace ta2s2
