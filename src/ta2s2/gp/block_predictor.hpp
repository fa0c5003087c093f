// What many (phi, nugget) predict at one block of points. As for likelihoods there are two: the plain one, which is
// gp/conditional_predictor.hpp and the definition, and the fast one on an instruction path.
#pragma once

#include <memory>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

struct BlockPrediction {
  Vector mean, c;   // per point, as ConditionalPredictor::predict gives them
  double S2 = 0.0;  // as ConditionalPredictor::S2
};

class BlockPredictor {
 public:
  virtual ~BlockPredictor() = default;

  virtual std::unique_ptr<Workspace> make_workspace() const = 0;  // one per thread

  // Pure. On a fast path a point's prediction has the same bits in every block.
  virtual void predict(const GpParameters& parameters, Workspace& workspace, BlockPrediction& out) const = 0;
};

// Rows of X_new are points in the unit cube. The model must outlive the predictor.
std::unique_ptr<const BlockPredictor> make_block_predictor(const GpModel& model, MatrixView X_new, InstructionSet path);

// More points than this at once would cost too much memory: a correlation with costly features keeps a table of them.
Index most_points_in_block(const GpModel& model);

}  // namespace ta2s2
