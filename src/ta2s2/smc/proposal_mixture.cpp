#include "ta2s2/smc/proposal_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

using Four = Eigen::Array<double, kComponentsTogether, 1>;

constexpr Index kRows = 4;  // of the inverse factors, at a time

// Of a lower triangle, rows `row` to `row + kRows` end with this column.
Index end_column(Index row, Index dim) {
  return std::min(row + kRows, dim);
}

Index num_fours(Index dim) {
  Index count = 0;
  for (Index row = 0; row < dim; row += kRows) count += kRows * end_column(row, dim);
  return count;
}

}  // namespace

ComponentDistances::ComponentDistances(const std::vector<TComponent>& components)
    : dim_(components.empty() ? 0 : components.front().mean.size()) {
  const auto count = static_cast<Index>(components.size());
  const Index num_groups = (count + kComponentsTogether - 1) / kComponentsTogether;
  means_ = Fours::Zero(kComponentsTogether, num_groups * dim_);
  inverse_rows_ = Fours::Zero(kComponentsTogether, num_groups * num_fours(dim_));
  for (Index c = 0; c < count; ++c) {
    const TComponent& component = components[static_cast<std::size_t>(c)];
    const Index group = c / kComponentsTogether, lane = c % kComponentsTogether;
    means_.row(lane).segment(group * dim_, dim_) = component.mean.transpose();
    const Matrix inverse = component.factor.triangularView<Eigen::Lower>().solve(Matrix::Identity(dim_, dim_));
    Index place = group * num_fours(dim_);
    for (Index row = 0; row < dim_; row += kRows) {
      for (Index j = 0; j < end_column(row, dim_); ++j, place += kRows) {
        const Index height = std::min(kRows, dim_ - row);
        inverse_rows_.row(lane).segment(place, height) = inverse.col(j).segment(row, height).transpose();
      }
    }
  }
}

void ComponentDistances::measure(const double* x, double* squared) const {
  Index place = 0;
  for (Index mean = 0; mean < means_.cols(); mean += dim_, squared += kComponentsTogether) {
    Four sum = Four::Zero();
    for (Index row = 0; row < dim_; row += kRows) {
      Four y0 = Four::Zero(), y1 = y0, y2 = y0, y3 = y0;
      for (Index j = 0; j < end_column(row, dim_); ++j, place += kRows) {
        const Four difference = x[j] - means_.col(mean + j);
        y0 += inverse_rows_.col(place) * difference;
        y1 += inverse_rows_.col(place + 1) * difference;
        y2 += inverse_rows_.col(place + 2) * difference;
        y3 += inverse_rows_.col(place + 3) * difference;
      }
      sum += (y0 * y0 + y1 * y1) + (y2 * y2 + y3 * y3);
    }
    std::copy(sum.begin(), sum.end(), squared);
  }
}

namespace {

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

double log_t_scale(const TComponent& component, int freedom) {
  const double nu = freedom;
  const auto d = static_cast<double>(component.mean.size());
  return std::log(component.weight) + std::lgamma(0.5 * (nu + d)) - std::lgamma(0.5 * nu) + 0.5 * nu * std::log(nu) -
         0.5 * d * std::log(std::numbers::pi) - component.factor.diagonal().array().log().sum();
}

Index MixturePoint::most_responsible() const {
  return std::max_element(shares().begin(), shares().end()) - shares().begin();
}

ProposalMixture::ProposalMixture(std::vector<TComponent> components, int freedom)
    : freedom_(freedom), components_(std::move(components)), log_scale_(-kInfinity) {
  if (components_.size() > kMostComponents) throw Error(ErrorCode::internal, "a mixture of too many components");
  for (const TComponent& component : components_) {
    weights_.push_back(component.weight);
    scales_.push_back(log_t_scale(component, freedom_));
    log_scale_ = std::max(log_scale_, scales_.back());
  }
  distances_ = ComponentDistances(components_);
  for (double& scale : scales_) scale = std::exp(scale - log_scale_);
}

// Densities relative to that of the nearest component: none that matters underflows.
MixturePoint ProposalMixture::at(VectorView x) const {
  const double nu = freedom_;
  MixturePoint point;
  point.num_components = components_.size();
  double nearest = kInfinity;
  distances_.measure(x.data(), point.squared_distance_to.data());
  for (std::size_t c = 0; c < point.num_components; ++c) {
    point.squared_distance_to[c] = std::min(point.squared_distance_to[c], kFarthest);
    nearest = std::min(nearest, nu + point.squared_distance_to[c]);
  }
  const Index twice_power = freedom_ + x.size();
  double total = 0.0;
  for (std::size_t c = 0; c < point.num_components; ++c) {
    point.share_of[c] = scales_[c] * half_power(nearest / (nu + point.squared_distance_to[c]), twice_power);
    total += point.share_of[c];
  }
  for (std::size_t c = 0; c < point.num_components; ++c) point.share_of[c] /= total;
  point.log_density = log_scale_ + std::log(total) - 0.5 * static_cast<double>(twice_power) * std::log(nearest);
  return point;
}

Vector ProposalMixture::draw(Stream& stream) const {
  const TComponent& chosen = components_[static_cast<std::size_t>(draw_categorical(stream, weights_))];
  // t = normal / sqrt(chi2 / nu), chi2 / nu = Gamma(nu / 2) / (nu / 2).
  const double half = 0.5 * freedom_;
  const double spread = std::sqrt(half / draw_gamma(stream, half));
  Vector x = draw_correlated_normals(stream, chosen.factor);
  x = chosen.mean + spread * x;
  return x;
}

MarkerMixture::MarkerMixture(const std::vector<Marker>& markers, const Matrix& factor, double spread)
    : factor_(factor), spread_(spread) {
  const auto count = static_cast<Index>(markers.size());
  positions_.resize(factor.rows(), count);
  energies_.resize(count);
  log_weights_.resize(count);
  double sum = 0.0;
  for (Index i = 0; i < count; ++i) {
    const Marker& marker = markers[static_cast<std::size_t>(i)];
    positions_.col(i) = marker.position;
    energies_[i] = marker.energy;
    log_weights_[i] = std::log(marker.weight);
    cumulative_.push_back(sum += marker.weight);
  }
  whitened_ = (factor_.triangularView<Eigen::Lower>().solve(positions_) / spread_).transpose();
}

Index MarkerMixture::draw_marker(Stream& stream) const {
  const double u = draw_uniform(stream) * cumulative_.back();
  return std::lower_bound(cumulative_.begin(), cumulative_.end(), u) - cumulative_.begin();
}

double MarkerMixture::log_density(const Vector& x, double energy) const {
  const Vector point = factor_.triangularView<Eigen::Lower>().solve(x) / spread_;
  Eigen::ArrayXd terms = log_weights_ - (energy - energies_).max(0.0);
  for (Index d = 0; d < point.size(); ++d) terms -= 0.5 * (whitened_.col(d).array() - point[d]).square();
  const double largest = terms.maxCoeff();
  constexpr double kNegligible = 40.0;  // beyond, a term is lost in the sum's rounding
  double sum = 0.0;
  for (const double term : terms) {
    if (term > largest - kNegligible) sum += std::exp(term - largest);
  }
  return largest + std::log(sum);
}

}  // namespace ta2s2
