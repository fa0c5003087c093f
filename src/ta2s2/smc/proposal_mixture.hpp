// The mixtures that a level proposes from (docs/math.md, section 4): of multivariate t, or of its markers.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

inline constexpr int kMixtureFreedom = 6;  // nu of a level's proposal
inline constexpr Index kComponentsTogether = 4;
inline constexpr std::size_t kMostComponents = 4 * kComponentsTogether;

struct TComponent {
  double weight = 1.0;  // pi_c
  Vector mean;          // mu_c
  Matrix factor;        // lower Cholesky factor of S_c
};

// s_c of pi_c t_c(x) = exp(s_c) radius^(-(nu + d)/2), radius = nu + (x - mu_c)' S_c^-1 (x - mu_c).
double log_t_scale(const TComponent& component, int freedom = kMixtureFreedom);

// Squared distances from a point to the components of a mixture, four components side by side.
class ComponentDistances {
 public:
  ComponentDistances() = default;
  explicit ComponentDistances(const std::vector<TComponent>& components);

  // (x - mu_c)' S_c^-1 (x - mu_c) to squared[c]; zeros fill up the last four.
  void measure(const double* x, double* squared) const;

 private:
  using Fours = Eigen::Array<double, kComponentsTogether, Eigen::Dynamic>;

  Index dim_ = 0;
  Fours means_;  // four components' coordinates after another four's
  // Rows of the inverse factors, four by four, column by column: four sums of four components grow side by side.
  Fours inverse_rows_;
};

// A point as the mixture sees it. It lives on the stack: chains ask at every step.
struct MixturePoint {
  double log_density = 0.0;
  std::size_t num_components = 0;
  std::array<double, kMostComponents> share_of;             // pi_c t_c(x) / q(x)
  std::array<double, kMostComponents> squared_distance_to;  // (x - mu_c)' S_c^-1 (x - mu_c)

  std::span<const double> shares() const { return std::span(share_of).first(num_components); }
  Index most_responsible() const;
};

class ProposalMixture {
 public:
  ProposalMixture() = default;
  // At most kMostComponents.
  explicit ProposalMixture(std::vector<TComponent> components, int freedom = kMixtureFreedom);

  const std::vector<TComponent>& components() const { return components_; }
  int freedom() const { return freedom_; }  // nu

  MixturePoint at(VectorView x) const;
  double log_density(VectorView x) const { return at(x).log_density; }
  Vector draw(Stream& stream) const;

 private:
  int freedom_ = kMixtureFreedom;
  std::vector<TComponent> components_;
  std::vector<double> weights_;
  double log_scale_ = 0.0;      // the largest s_c
  std::vector<double> scales_;  // exp(s_c - log_scale_)
  ComponentDistances distances_;
};

struct Marker {
  Vector position;
  double weight = 0.0;
  double energy = 0.0;  // at the level's beta
};

// Weighted markers as a proposal: AIMS (Beck and Zuev 2013). From marker i, chosen by its weight, a local step to
// x ~ N(m_i, spread^2 L L'), taken with probability min(1, p(x) / p(m_i)).
class MarkerMixture {
 public:
  MarkerMixture() = default;
  // `factor` is L. Weights need not sum to one.
  MarkerMixture(const std::vector<Marker>& markers, const Matrix& factor, double spread);

  double spread() const { return spread_; }
  Index draw_marker(Stream& stream) const;
  VectorView position(Index marker) const { return positions_.col(marker); }
  double energy(Index marker) const { return energies_[marker]; }

  // log of sum_i w_i N(x; m_i, spread^2 L L') min(1, p(x) / p(m_i)), where p(x) = exp(-energy), up to a constant: the
  // density with which a step arrives at x.
  double log_density(const Vector& x, double energy) const;

 private:
  Matrix positions_;  // (d, markers)
  Matrix whitened_;   // (markers, d): distances to all markers grow one coordinate after another
  Matrix factor_;
  double spread_ = 1.0;
  Eigen::ArrayXd energies_, log_weights_;
  std::vector<double> cumulative_;  // of the weights
};

}  // namespace ta2s2
