// How a block of (phi, nugget) becomes integrated likelihoods, and the information of a reference prior where one asks
// for it. Two engines: the plain one, which is the definition, and the fast one on an instruction path.
#pragma once

#include <memory>
#include <span>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/gp/reference_information.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// Where to evaluate: the sampling coordinates, but the nugget itself.
struct LikelihoodPoint {
  const double* log_phi = nullptr;  // one per input
  double nugget = 0.0;
  double log_shape = 0.0;             // of a correlation that has a shape
  const double* transform = nullptr;  // parameters of the outputs' transformation, if it has any
};

struct PointLikelihood {
  double log_likelihood = 0.0;
  double log_information_root = 0.0;  // if the engine was made for it
  Impossible reason = Impossible::no;
  // Of the first runs alone, if the engine was made for them.
  double leading_log_likelihood = 0.0;
  double leading_log_information_root = 0.0;
};

class LikelihoodEngine {
 public:
  virtual ~LikelihoodEngine() = default;

  // How many points it likes to evaluate at once. It never changes a result.
  virtual int lanes() const = 0;
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  // Pure: a point's result does not depend on the other points. At most lanes() of them.
  virtual void evaluate(std::span<const LikelihoodPoint> points, Workspace& workspace,
                        std::span<PointLikelihood> out) const = 0;

  // The same log_likelihood to the bit, and its gradient, which is of no use at an impossible point: also without a
  // word about other points. Not of an engine that was made for information or first runs.
  virtual void evaluate_with_gradients(std::span<const LikelihoodPoint> points, Workspace& workspace,
                                       std::span<PointLikelihood> out, std::span<LikelihoodGradient> gradients) const;
};

// The model must outlive the engine. With `num_leading` runs every point is also told what these alone say: their
// factor is the leading block of the whole, so that one factorisation serves both.
std::unique_ptr<const LikelihoodEngine> make_likelihood_engine(const GpModel& model, InformationOver over,
                                                               InstructionSet path, Index num_leading = 0);

// The engine of the plain path.
std::unique_ptr<const LikelihoodEngine> make_plain_engine(const GpModel& model, InformationOver over);

// The engine of any other path (simd_engine.cpp); num_leading: 0 if information is wanted.
std::unique_ptr<const LikelihoodEngine> make_simd_engine(const GpModel& model, InformationOver over,
                                                         InstructionSet path, Index num_leading = 0);

}  // namespace ta2s2
