// What the no-U-turn sampler learns during its warm-up, after Stan's scheme: a step by dual averaging (Hoffman and
// Gelman 2014, section 3.2) and a metric from windows of states that double in length.
#pragma once

#include <vector>

#include "ta2s2/smc/nuts_transition.hpp"

namespace ta2s2 {

enum class Metric { dense, diagonal };

// Moves the logarithm of the step until the mean acceptance is the one that is wanted; what is kept is a mean over
// steps that gives later ones more weight.
class DualAveraging {
 public:
  DualAveraging(double first_step, double wanted_acceptance);

  void learn(double acceptance);
  double step() const;           // to go on with
  double averaged_step() const;  // to keep

 private:
  double wanted_, shrink_towards_;
  double log_step_, log_averaged_ = 0.0;
  double mean_shortfall_ = 0.0;
  double count_ = 0.0;
};

// Where windows of the metric end, as numbers of transitions, ascending: states between `first` and the first end make
// the first metric, and so on. Before `first` and after the last end only the step is learnt.
struct WarmupWindows {
  Index first = 0;
  std::vector<Index> ends;
};
WarmupWindows warmup_windows(Index num_warmup);

// The metric's factor from the columns of `states`: their covariance, or its diagonal, shrunk a little towards a small
// multiple of the identity, as few states tell little.
Matrix metric_factor(MatrixView states, Metric metric);

// A step at which one leapfrog step from `state` has an acceptance near 0.8, by doubling or halving `step`.
double reasonable_step(Hamiltonian& hamiltonian, const PhasePoint& state, double step, Stream& stream);

}  // namespace ta2s2
