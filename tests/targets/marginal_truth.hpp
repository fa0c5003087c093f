// What is known of one coordinate, from its marginal density by quadrature.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "targets/exact_target.hpp"

namespace ta2s2 {

struct MarginalTruth {
  double mass = 1.0;  // integral of the density as given
  double mean = 0.0, sd = 0.0;
  std::array<double, kTruthLevels.size()> quantiles{};
};

// From a smooth density that need not be normalised: Gauss-Legendre with 15 nodes on each of 400 panels, exact to
// rounding if a panel is no wider than about two of the density's scales.
MarginalTruth integrate_marginal(const std::function<double(double)>& density, double low, double high);

// From values at equidistant nodes, first and last on the border: cells are integrated with the trapezoidal rule and
// its h^2/12 correction, which leaves an error of order h^4 in a quantile.
MarginalTruth integrate_nodes(const std::vector<double>& values, double low, double high);

// Puts the marginals of independent or dependent coordinates into a truth with one mode.
Truth truth_from_marginals(double log_evidence, const std::vector<MarginalTruth>& marginals);

}  // namespace ta2s2
