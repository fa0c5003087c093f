// What chance allows: how many of n runs it puts into a set that each is in with the same probability, for runs that
// are independent and for runs as the emulator itself would make them, at all points together.
#pragma once

#include <vector>

#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

struct CountBand {
  Index low = 0, high = 0;
};

class CountLaw {
 public:
  // Of independent runs.
  static CountLaw binomial(Index n, double probability);
  // Of runs that depend on one another: counts that were simulated, each of `num_simulated` runs, stand for shares of
  // n.
  static CountLaw simulated(Index n, std::vector<Index> counts, Index num_simulated);

  // P(at most, at least so many). A simulated one is never zero: what is seen is itself one of the counts.
  double at_most(Index count) const;
  double at_least(Index count) const;
  // The counts that are left when less than (1 - level)/2 is cut off at each end.
  CountBand band(double level) const;

 private:
  CountLaw(Index n, double probability, std::vector<Index> counts, Index num_simulated);

  Index n_;
  double probability_;
  std::vector<Index> counts_;  // rising; none if binomial
  Index num_simulated_;
};

// A range of the PIT, which is uniform: where a run falls in its prediction.
struct PitRange {
  double from = 0.0, to = 1.0;

  double probability() const { return to - from; }
};
inline PitRange central_range(double level) {
  return {0.5 - 0.5 * level, 0.5 + 0.5 * level};
}

// What chance allows some runs.
class ChanceLaw {
 public:
  // Runs as if independent.
  ChanceLaw() = default;
  // Replicates of PITs, one in each column.
  explicit ChanceLaw(Matrix pits) : pits_(std::move(pits)) {}

  bool is_simulated() const { return pits_.size() > 0; }
  CountLaw of(Index n, const PitRange& range) const;

 private:
  Matrix pits_;
};

// The squared distance of outputs from their predicted means, in the metric of the predicted covariance, beside the
// central 95% of what it is for replicates (Bastos and O'Hagan 2009, for a mixture).
struct Mahalanobis {
  double squared = 0.0;
  double low = 0.0, high = 0.0;
};

struct JointReplicates {
  ChanceLaw chance;
  Mahalanobis distance;
  Index num_points = 0;  // that were simulated: at most kMostJointPoints
};
inline constexpr Index kMostJointPoints = 200;

// Evenly chosen points if there are more than kMostJointPoints.
JointReplicates replicate_jointly(const Predictive& predictive, MatrixView inputs, const Vector& outputs,
                                  std::uint64_t seed, Executor& executor);

// By as many draws of a fit as take a few seconds, thinned by a stream of their own.
JointReplicates replicate_jointly(const OutputRecord& output, const OutputRuns& runs, Executor& executor);

}  // namespace ta2s2
