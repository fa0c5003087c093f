// The mixture of multivariate t that a level fits to its markers, and proposes from (docs/math.md, section 4).
#pragma once

#include <vector>

#include "ta2s2/base/types.hpp"
#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {

inline constexpr double kMixtureFreedom = 6.0;  // nu

struct TComponent {
  double weight = 1.0;  // pi_c
  Vector mean;          // mu_c
  Matrix factor;        // lower Cholesky factor of S_c

  // (x - mu)' S^-1 (x - mu)
  double squared_distance(VectorView x) const;
};

class ProposalMixture {
 public:
  ProposalMixture() = default;
  explicit ProposalMixture(std::vector<TComponent> components);

  const std::vector<TComponent>& components() const { return components_; }

  double log_density(VectorView x) const;
  Vector draw(Stream& stream) const;

  // log(pi_c t_c(x)) for every component.
  void log_terms(VectorView x, std::vector<double>& out) const;

 private:
  std::vector<TComponent> components_;
  std::vector<double> log_constants_;
};

// EM on weighted points (weights sum to one), 1 to max_components components, their number by BIC with the weights'
// ESS as its sample size. Of more than kMostFittedPoints points as many are taken by systematic resampling: the fit
// only says where to go, and must not cost more than the level.
inline constexpr Index kMostFittedPoints = 4000;
ProposalMixture fit_proposal_mixture(const Matrix& points, const Vector& weights, int max_components, Stream& stream);

}  // namespace ta2s2
