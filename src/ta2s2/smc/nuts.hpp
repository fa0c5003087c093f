// The no-U-turn sampler: a few long chains that follow the gradient of H, each from its own start and with its own
// warm-up. It is fast where the posterior has one mode. It does not jump between modes that are well apart: a chain
// stays in the one that its warm-up led to, however little mass that has. Chains that disagree are the only sign of it.
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/nuts_transition.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {

enum class Metric { dense, diagonal };

struct NutsOptions {
  Index num_samples = 2000;  // states kept, of all chains together
  Index num_chains = 4;
  Index num_warmup = 1000;  // transitions of each chain that are not kept
  double wanted_acceptance = 0.8;
  int max_doublings = 10;
  Metric metric = Metric::dense;
  std::uint64_t seed = 1;
};

// What one chain did, after its warm-up except where it says otherwise.
struct NutsChain {
  double step = 0.0;
  double acceptance = 0.0;            // mean over transitions
  std::int64_t divergences = 0;       // transitions whose trajectory diverged
  std::int64_t longest = 0;           // transitions that reached max_doublings
  std::int64_t warmup_gradients = 0;  // evaluations of the gradient during the warm-up
  std::int64_t gradients = 0;
};

struct NutsResult {
  Population population;  // every chain is a group of its own; in the target's own coordinates
  std::vector<NutsChain> chains;

  std::int64_t gradient_evaluations() const;  // warm-up included
  std::int64_t divergences() const;
  double acceptance() const;
};

// Chain c starts from a draw of the start density and draws its step s from the stream (seed, hamiltonian, 0, c, s): no
// bit depends on the executor. In a box, chains move where it has no border (UnboundedTarget). Error{usage} if the
// target has no gradient, Error{bad_data} if no start point has a density.
NutsResult run_nuts(const DifferentiableTarget& target, const NutsOptions& options, Execution context);

// The same as other samplers' runs: one level at beta = 1, whose evaluations are the gradient's, warm-up included.
SamplerResult nuts_run(const DifferentiableTarget& target, const NutsOptions& options, Execution context);

// What a warm-up learns, after Stan's scheme: a step by dual averaging (Hoffman and Gelman 2014, section 3.2), and a
// metric from windows of states that double in length. Dual averaging moves the logarithm of the step until the mean
// acceptance is the one that is wanted; what is kept is a mean over steps that gives later ones more weight.
class DualAveraging {
 public:
  DualAveraging(double first_step, double wanted_acceptance);

  void learn(double acceptance);
  double step() const;           // to go on with
  double averaged_step() const;  // to keep

 private:
  double wanted_, shrink_towards_;
  double log_step_, log_averaged_ = 0.0;
  double mean_shortfall_ = 0.0, count_ = 0.0;
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
