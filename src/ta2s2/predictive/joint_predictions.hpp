// What one draw of the hyper-parameters predicts at several points together.
#pragma once

#include <memory>

#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {

class JointLaw {
 public:
  // unit: points in the unit cube, a row each.
  JointLaw(const Predictive& predictive, std::shared_ptr<const LawFrame> frame, Index draw, MatrixView unit,
           Predict what);

  // Outputs in the user's units, before recalibration.
  Vector sample(Stream& stream) const;

 private:
  std::shared_ptr<const LawFrame> frame_;
  Index draw_;
  Vector mean_;
  Matrix factor_;
  double freedom_, variance_;
};

// Each point's joint draws, a row of `draws`, by the point's recalibrated law. Nothing happens with kappa = 1.
void recalibrate(const Predictive& predictive, MatrixView points, Predict what, Matrix& draws, Executor& executor);

}  // namespace ta2s2
