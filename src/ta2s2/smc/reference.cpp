#include "ta2s2/smc/reference.hpp"

#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

Reference::Reference(ProposalMixture mixture, double start_share, const SamplingSpace& space)
    : mixture_(std::move(mixture)), start_share_(start_share), space_(&space) {
  for (const TComponent& component : mixture_.components()) {
    const Index d = component.mean.size();
    Matrix precision = Matrix::Identity(d, d);
    component.factor.triangularView<Eigen::Lower>().solveInPlace(precision);
    component.factor.transpose().triangularView<Eigen::Upper>().solveInPlace(precision);
    precisions_.push_back(std::move(precision));
  }
}

bool Reference::is_between_walls(VectorView z) const {
  const Box& walls = space_->walls();
  return (z.array() >= walls.low.array()).all() && (z.array() <= walls.high.array()).all();
}

double Reference::energy(VectorView z) const {
  const double of_mixture = std::log1p(-start_share_) + mixture_.log_density(z);
  if (!is_between_walls(z)) return -of_mixture;
  Vector unused;
  return -log_add_exp(of_mixture, std::log(start_share_) - space_->start_energy(z, unused));
}

double Reference::energy(VectorView z, Vector& gradient) const {
  const MixturePoint point = mixture_.at(z);
  const double nu = mixture_.freedom(), power = nu + static_cast<double>(z.size());
  const double of_mixture = std::log1p(-start_share_) + point.log_density;
  double of_both = of_mixture, of_start = -kInfinity;
  if (is_between_walls(z)) {
    of_start = std::log(start_share_) - space_->start_energy(z, gradient);
    of_both = log_add_exp(of_mixture, of_start);
    gradient *= std::exp(of_start - of_both);
  } else {
    gradient = Vector::Zero(z.size());
  }
  for (std::size_t c = 0; c < precisions_.size(); ++c) {
    const double pull =
        std::exp(of_mixture - of_both) * point.share_of[c] * power / (nu + point.squared_distance_to[c]);
    gradient += pull * (precisions_[c] * (z - mixture_.components()[c].mean));
  }
  return -of_both;
}

Vector Reference::draw(Stream& stream) const {
  return draw_uniform(stream) < start_share_ ? space_->draw_start(stream) : mixture_.draw(stream);
}

Vector Reference::mean() const {
  Vector mean = Vector::Zero(space_->dim());
  for (const TComponent& component : mixture_.components()) mean += component.weight * component.mean;
  return mean;
}

Matrix Reference::within_covariance() const {
  Matrix covariance = Matrix::Zero(space_->dim(), space_->dim());
  for (const TComponent& component : mixture_.components()) {
    covariance += component.weight * (component.factor * component.factor.transpose());
  }
  return covariance;
}

Energy ReferencePath::from_reference(const Energy& of_space, VectorView z) const {
  if (!of_space.possible()) return of_space;
  const double start = reference_.energy(z);
  return {start, of_space.total() - start, Impossible::no};
}

void ReferencePath::energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const {
  space_.energies(points, workspace, out);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    energy = from_reference(energy, points.col(i));
  }
}

void ReferencePath::energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                                           Eigen::Ref<Matrix> gradients) const {
  space_.energies_and_gradients(points, workspace, out, gradients);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    energy = from_reference(energy, points.col(i));
  }
}

Energy ReferencePath::energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const {
  return from_reference(space_.energy_and_gradient(point, workspace, gradient), point);
}

}  // namespace ta2s2
