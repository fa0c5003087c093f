// What an integrated likelihood is made of, one number per lane: docs/math.md, section 1.
#pragma once

#include <cstddef>

namespace ta2s2 {

// The columns that K is bordered by: the trend's, those of flat coefficients first, and the output.
struct BorderColumns {
  std::size_t count = 0;     // b = q + 1
  std::size_t num_flat = 0;  // at most q
  // What is taken away of the output along a column that is not flat: 1 - sqrt(1 - share), share as in gp/gp_model.hpp.
  double removed = 1.0;
};

struct IntegratedResults {
  double* log_det_K;      // log |K_delta|
  double* log_det_trend;  // log |H' K_delta^-1 H| of the flat columns
  double* log_S2;         // log y' Q y
  double* positive;       // 1 if every L_ii was above kLeastRoot; else 0, and the others are of no use
  // The same of the problem's first runs alone, whose factor is the leading block of the whole; `positive` is not
  // written. Null if nobody asks.
  const IntegratedResults* leading = nullptr;
};

}  // namespace ta2s2
