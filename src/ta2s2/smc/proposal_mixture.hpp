// The mixture of multivariate t that a level proposes from (docs/math.md, section 4).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/component_distances.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

inline constexpr double kMixtureFreedom = 6.0;  // nu
inline constexpr std::size_t kMostComponents = 4 * kComponentsTogether;

struct TComponent {
  double weight = 1.0;  // pi_c
  Vector mean;          // mu_c
  Matrix factor;        // lower Cholesky factor of S_c
};

// s_c of pi_c t_c(x) = exp(s_c) radius^(-(nu + d)/2), radius = nu + (x - mu_c)' S_c^-1 (x - mu_c).
double log_t_scale(const TComponent& component);

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
  explicit ProposalMixture(std::vector<TComponent> components);

  const std::vector<TComponent>& components() const { return components_; }

  MixturePoint at(VectorView x) const;
  double log_density(VectorView x) const { return at(x).log_density; }
  Vector draw(Stream& stream) const;

 private:
  std::vector<TComponent> components_;
  std::vector<double> weights_;
  double log_scale_ = 0.0;      // the largest s_c
  std::vector<double> scales_;  // exp(s_c - log_scale_)
  ComponentDistances distances_;
};

}  // namespace ta2s2
