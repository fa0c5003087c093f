// What an integrated likelihood is made of, one number per lane: docs/math.md, section 1.
#pragma once

namespace ta2s2 {

struct IntegratedResults {
  double* log_det_K;      // log |K_delta|
  double* log_det_trend;  // log |H' K_delta^-1 H|
  double* log_S2;         // log y' Q y
  double* positive;       // 1 if every L_ii was above kLeastRoot; else 0, and the others are of no use
};

}  // namespace ta2s2
