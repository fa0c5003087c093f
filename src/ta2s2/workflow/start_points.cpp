#include "ta2s2/workflow/start_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ta2s2 {
namespace {

// Of log phi in the unit cube: more inputs share the output's variation, and each then bends it less.
double typical_log_phi(Index num_inputs) {
  return 1.0 + 0.7 * std::log(static_cast<double>(num_inputs));
}

constexpr double kShort = 1.0, kLong = 8.0;  // log phi of inputs that matter by themselves, and of others
constexpr double kSmallLogNugget = -9.0, kTinyLogNugget = -12.0;
constexpr Index kFewInputs = 4;    // of these none is screened
constexpr Index kAlwaysShort = 3;  // the inputs that matter most
constexpr double kClearly = 2.5;   // in standard errors of a correlation, 1 / sqrt(n)

// Ties are ordered by their place.
Vector ranks(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  Vector found(values.size());
  for (std::size_t place = 0; place < order.size(); ++place) found[order[place]] = static_cast<double>(place);
  return found;
}

// 0 of what does not vary.
double correlation(const Vector& a, const Vector& b) {
  const Vector da = a.array() - a.mean(), db = b.array() - b.mean();
  const double scale = da.norm() * db.norm();
  return scale > 0.0 ? da.dot(db) / scale : 0.0;
}

// Inside the box, away from where a score is infinite; other coordinates stand at the middle of their prior.
Vector point_at(const ParameterSpace& space, const Vector& log_phi, double log_nugget) {
  Vector z(space.dim());
  z.head(space.num_inputs()) = log_phi;
  if (space.samples_nugget()) z[space.num_inputs()] = position_from_nugget(std::exp(log_nugget));
  for (Index k = 0; k < space.num_normal(); ++k) {
    z[space.first_normal() + k] = space.normal_coordinates()[static_cast<std::size_t>(k)].mean;
  }
  const Vector margin = (0.05 * (space.high() - space.low())).cwiseMin(0.5);
  return z.cwiseMax(space.low() + margin).cwiseMin(space.high() - margin);
}

Vector screened_log_phi(const Matrix& X, const Vector& y) {
  const Vector correlations = screening_correlations(X, y);
  std::vector<double> sorted(correlations.begin(), correlations.end());
  std::sort(sorted.rbegin(), sorted.rend());
  const double clear = kClearly / std::sqrt(static_cast<double>(y.size()));
  const double least = std::min(clear, sorted[static_cast<std::size_t>(kAlwaysShort - 1)]);
  return (correlations.array() >= least).select(Vector::Constant(X.cols(), kShort), kLong);
}

}  // namespace

Vector screening_correlations(const Matrix& X, const Vector& y) {
  const Vector of_y = ranks(y);
  Vector found(X.cols());
  for (Index d = 0; d < X.cols(); ++d) {
    const Vector centred = X.col(d).array() - 0.5;
    found[d] = std::max(std::abs(correlation(centred, of_y)), std::abs(correlation(centred.cwiseAbs2(), of_y)));
  }
  return found;
}

Matrix start_points(const GpTarget& target) {
  const GpModel& model = *target.model();
  const ParameterSpace& space = target.space();
  const Index p = model.num_inputs();
  Matrix points(space.dim(), p > kFewInputs ? 2 : 1);
  points.col(0) = point_at(space, Vector::Constant(p, typical_log_phi(p)), kSmallLogNugget);
  if (p > kFewInputs) points.col(1) = point_at(space, screened_log_phi(model.X(), model.y()), kTinyLogNugget);
  return points;
}

Vector start_from(const ParameterSpace& space, const ParameterSpace& other, VectorView position) {
  return point_at(space, position.head(other.num_inputs()), std::log(other.nugget(position)));
}

}  // namespace ta2s2
