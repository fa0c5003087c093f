// The runs' outputs as the process describes them, for points that each have a transformation of their own.
#pragma once

#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/simd/output_routines.hpp"

namespace ta2s2::detail {

// Of a block of points, one per lane, or of a single point.
struct TransformedBlock {
  std::vector<const double*> parameters;        // of each lane's transformation
  AlignedBuffer first, second;                  // [lane], as simd/output_routines.hpp wants them
  AlignedBuffer outputs, logarithms;            // [run][lane]
  AlignedBuffer sums, leading_sums;             // [lane], of logarithms
  AlignedBuffer by_first, by_second;            // [lane], of the gradient
  Vector log_jacobians, leading_log_jacobians;  // [lane], as GpModel::transform_outputs gives them

  std::size_t lanes() const { return parameters.size(); }
};

class TransformedRuns {
 public:
  // The model must outlive it. On an instruction path; the plain one is GpModel's.
  TransformedRuns(const GpModel& model, InstructionSet path, Index num_leading);

  // Whether the outputs are the same at every point, so that nobody needs those of a block.
  bool is_fixed() const { return transform().num_parameters() == 0; }

  TransformedBlock make_block(std::size_t lanes) const;
  // For block.parameters.
  void fill(TransformedBlock& block) const;

  // After `fill`: d log p / d parameter of every lane's transformation, given d log p / d output: [run][lane].
  void differentiate(TransformedBlock& block, const double* by_output) const;
  static void copy_gradient(const TransformedBlock& block, std::size_t lane, Vector& out);

 private:
  const OutputTransform& transform() const { return model_.transform(); }
  const OutputRoutines::Width& width_of(const TransformedBlock& block) const;
  double log_jacobian(double sum_of_logarithms, double sum_of_constants, Index count, const double* parameters) const;

  const GpModel& model_;
  const OutputRoutines* routines_;
  std::vector<double> x_;  // of each run
  OutputProblem problem_;
  double constants_ = 0.0, leading_constants_ = 0.0;  // of log slopes, whatever the parameters
};

}  // namespace ta2s2::detail
