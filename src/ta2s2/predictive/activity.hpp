// Whether each input acts on the output at all, and whether it does more than draw a straight line, as the draws'
// hyper-parameters have it (docs/math.md, section 9).
#pragma once

#include "ta2s2/types.hpp"

namespace ta2s2 {

class Executor;
class Predictive;

// Posterior probabilities, one for each input.
struct Activity {
  Vector active;  // it acts
  Vector linear;  // it acts, and hardly otherwise than linearly

  Index num_inputs() const { return active.size(); }
};

// An input acts, of a draw, if the output's slope along it has a standard deviation above this share of that of the
// runs' outputs (both transformed, if outputs are) per range of the input. It acts linearly if half-way between the
// ends of the range the output departs from the straight line between them by less.
inline constexpr double kActiveShare = 0.02;

// Of each draw by itself, zeros and ones: a row per draw, a column per input. One factorisation for each draw.
struct ActivityByDraw {
  Matrix active, linear;
};
ActivityByDraw activity_by_draw(const Predictive& predictive, Executor& executor);

Activity find_activity(const Predictive& predictive, Executor& executor);

}  // namespace ta2s2
