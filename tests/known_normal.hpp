// A normal density on a box, with its gradient: what the sampler with gradients is held against where all is known.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>

#include "ta2s2/sample.hpp"

namespace ta2s2::test {

inline StartLaw uniform_law(Index dim, double low, double high) {
  return {Vector::Constant(dim, low), Vector::Constant(dim, high), Vector::Zero(dim)};
}

// Normalised over all space: the evidence is the mass that the box holds.
class NormalOnBox final : public DifferentiableTarget {
 public:
  NormalOnBox(Vector mean, const Matrix& covariance, StartLaw law)
      : mean_(std::move(mean)),
        precision_(covariance.inverse()),
        law_(std::move(law)),
        box_{law_.low, law_.high},
        log_volume_((law_.high - law_.low).array().log().sum()) {
    const Vector diagonal = Matrix(covariance.llt().matrixL()).diagonal();
    constant_ = diagonal.array().log().sum() + 0.5 * static_cast<double>(dim()) * std::log(2.0 * std::numbers::pi);
  }

  double log_density(VectorView x) const { return -constant_ - 0.5 * (x - mean_).dot(precision_ * (x - mean_)); }

  Index dim() const override { return mean_.size(); }
  const Box* box() const override { return &box_; }
  std::vector<std::string> names() const override { return std::vector<std::string>(static_cast<std::size_t>(dim())); }
  StartLaw start_law() const override { return law_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    Vector unused;
    for (Index i = 0; i < points.cols(); ++i) {
      out[static_cast<std::size_t>(i)] = energy_and_gradient(points.col(i), workspace, unused);
    }
  }
  Energy energy_and_gradient(VectorView x, Workspace&, Vector& gradient) const override {
    gradient = precision_ * (x - mean_);
    const bool is_inside = (x.array() >= box_.low.array()).all() && (x.array() <= box_.high.array()).all();
    if (!is_inside) return Energy::impossible(Impossible::outside_box);
    return {log_volume_, -log_density(x) - log_volume_, Impossible::no};
  }

 private:
  Vector mean_;
  Matrix precision_;
  StartLaw law_;
  Box box_;
  double log_volume_, constant_;
};

// Correlations `rho` between neighbours.
inline Matrix correlated(const Vector& sds, double rho) {
  Matrix covariance(sds.size(), sds.size());
  for (Index i = 0; i < sds.size(); ++i) {
    for (Index j = 0; j < sds.size(); ++j) {
      covariance(i, j) = sds[i] * sds[j] * std::pow(rho, std::abs(static_cast<double>(i - j)));
    }
  }
  return covariance;
}

inline Energy energy_of(const TargetDensity& target, const Vector& point) {
  const auto workspace = target.make_workspace();
  Energy energy;
  target.energies(point, *workspace, {&energy, 1});
  return energy;
}

}  // namespace ta2s2::test
