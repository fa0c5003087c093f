// The likelihood with beta and sigma^2 integrated out, through one Cholesky: (2.10), (2.11), docs/math.md, section 1.
#pragma once

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {

// All that a model's Cholesky factor gives at one (phi, nugget). A second use allocates nothing.
struct GpFactor {
  Vector output;               // g(y), or y itself
  double log_jacobian = 0.0;   // of the outputs' transformation: GpModel::transform_outputs
  Matrix K;                    // correlation of the runs, without nugget, (n, n)
  Matrix L;                    // lower triangle: L L' = K_delta = K + nugget I
  Matrix U;                    // orthonormal basis of L^-1 H = U R, (n, q)
  Matrix R;                    // upper triangular, (q, q)
  Vector residual;             // (I - U U') L^-1 output
  Vector trend_coordinates;    // U' L^-1 output
  double log_det_K = 0.0;      // log |K_delta|
  double log_det_trend = 0.0;  // log |H' K_delta^-1 H| of the flat columns
  double S2 = 0.0;             // y' Q y, as a sum of squares: nothing is subtracted
};

// Impossible::no and a filled factor, or the reason why there is none.
Impossible factorise(const GpModel& model, const GpParameters& parameters, GpFactor& factor);

// What the proper coefficients' prior adds whatever the parameters: -1/2 log(1 + g) for each; 0 if all are flat.
double log_prior_volume(const GpModel& model);

// log p(y | phi, delta). Under Exponent::paper: -1/2 log |K_delta| - ((n - p)/2) log S2, without constants.
double log_likelihood(const GpModel& model, const GpFactor& factor);

// The derivatives of the integrated likelihood, docs/math.md, section 8.
//
// With m the degrees of freedom and alpha = Q y, d log p = -1/2 <G, dK_delta> with G = Q - (m / S2) alpha alpha'. So Q
// is formed once, in order n^3, and each direction is a sum over pairs of runs.
struct LikelihoodGradient {
  Vector by_log_phi;          // d log p / dlog phi_d, one per input
  double by_nugget = 0.0;     // d log p / dnugget
  double by_log_shape = 0.0;  // of a correlation that has a shape
  Vector by_transform;        // one per parameter of the outputs' transformation
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
