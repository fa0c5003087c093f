// What an integrated likelihood is made of, one number per lane: docs/math.md, section 1.
#pragma once

namespace ta2s2 {

struct IntegratedResults {
  double* log_det_K;      // log |K_delta|
  double* log_det_trend;  // log |H' K_delta^-1 H|
  double* log_S2;         // log y' Q y
  double* positive;       // 1 if every L_ii was above kLeastRoot; else 0, and the others are of no use
  // The same of the problem's first runs alone, whose factor is the leading block of the whole; `positive` is not
  // written. Null if nobody asks.
  const IntegratedResults* leading = nullptr;
};

}  // namespace ta2s2
