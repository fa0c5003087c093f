// The runs' outputs as the process describes them, for points that each have a transformation of their own.
#pragma once

#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/simd/output_routines.hpp"

namespace ta2s2::detail {

// Of a block of points, one per lane; a number of run i and lane l stands at [i * lanes + l].
struct TransformedBlock {
  std::vector<const double*> parameters;  // of each lane's transformation
  AlignedBuffer outputs, log_v;           // [run][lane]; log v is box-cox's
  AlignedBuffer shifts, powers;           // [lane], of box-cox
  Vector log_jacobians, leading_log_jacobians;  // [lane], as GpModel::transform_outputs gives them

  std::size_t lanes() const { return parameters.size(); }
};

class TransformedRuns {
 public:
  // The model must outlive it. The plain path has no routines: it computes one number after another.
  TransformedRuns(const GpModel& model, InstructionSet path, Index num_leading);

  // Whether the outputs are the same at every point, so that nobody needs those of a block.
  bool is_fixed() const { return transform().num_parameters() == 0; }

  TransformedBlock make_block(std::size_t lanes) const;
  // For block.parameters.
  void fill(TransformedBlock& block) const;

  // d log p / d parameter of a lane's transformation, given d log p / d output: [run][lane].
  void differentiate(const TransformedBlock& block, std::size_t lane, const double* by_output, Vector& out) const;

 private:
  const OutputTransform& transform() const { return model_.transform(); }
  bool uses_routines() const { return routines_ != nullptr && transform().kind() == TransformKind::box_cox; }
  void fill_box_cox(TransformedBlock& block) const;
  void fill_plainly(TransformedBlock& block) const;

  const GpModel& model_;
  const OutputRoutines* routines_;
  Index num_leading_;
  std::vector<double> reduced_;  // u of each run
};

}  // namespace ta2s2::detail
