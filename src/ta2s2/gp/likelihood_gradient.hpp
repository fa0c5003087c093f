// The derivatives of the integrated likelihood, docs/math.md, section 8.
//
// With m the degrees of freedom and alpha = Q y, d log p = -1/2 <G, dK_delta> with G = Q - (m / S2) alpha alpha'. So Q
// is formed once, in order n^3, and each direction is a sum over pairs of runs.
#pragma once

#include "ta2s2/gp/integrated_posterior.hpp"

namespace ta2s2 {

struct LikelihoodGradient {
  Vector by_log_phi;       // d log p / dlog phi_d, one per input
  double by_nugget = 0.0;  // d log p / dnugget
};

// Memory that the gradient works in; a second use allocates no matrix.
struct GradientScratch {
  Matrix inverse_factor;  // L^-1
  Matrix weights;         // G, then G times K element by element; lower triangles
  Matrix trend;           // L^-T U
  Vector alpha;
};

// `factor` as `factorise` left it for these parameters.
void log_likelihood_gradient(const GpModel& model, const GpParameters& parameters, const GpFactor& factor,
                             GradientScratch& scratch, LikelihoodGradient& out);

}  // namespace ta2s2
