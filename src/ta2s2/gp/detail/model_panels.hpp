// A model as simd/panel_routines.hpp wants it.
#pragma once

#include <vector>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/reference_information.hpp"
#include "ta2s2/simd/panel_routines.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::detail {

// Holds what the problem points to. The model must outlive it.
class ModelPanels {
 public:
  explicit ModelPanels(const GpModel& model, InformationOver over = InformationOver::nothing, Index num_leading = 0);
  ModelPanels(const ModelPanels&) = delete;
  ModelPanels& operator=(const ModelPanels&) = delete;

  const PanelProblem& problem() const { return problem_; }

 private:
  Matrix borders_;             // trend columns and the output, (n, q + 1)
  std::vector<double> table_;  // features of every pair of runs, if the correlation wants a table
  PanelProblem problem_;
};

}  // namespace ta2s2::detail
