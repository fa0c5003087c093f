// The no-U-turn sampler: a few long chains that follow the gradient of H, each from its own start and with its own
// warm-up. It is fast where the posterior has one mode. It does not jump between modes that are well apart: a chain
// stays in the one that its warm-up led to, however little mass that has. Chains that disagree are the only sign of it.
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {

// One transition of the no-U-turn sampler (Hoffman and Gelman 2014) as Betancourt (2017) has it: the next state is
// drawn from a whole trajectory, each of its states with weight exp(-total energy), and the trajectory is doubled until
// it turns back on itself. It leaves exp(-H) invariant for any step and metric that do not depend on the state.

// A position and a momentum, with what is known at the position.
struct PhasePoint {
  Vector position;
  Vector momentum;  // in the metric's coordinates, where it is standard normal
  Vector gradient;  // of H
  Energy energy;
};

// A target as a particle's potential: H plus a kinetic energy, and the leapfrog steps that follow its motion. The
// metric is the lower triangular factor C of a covariance of the target: with position = C w the motion is that of a
// particle of unit mass in w, where the target is nearly round. Momenta are those of w.
class Hamiltonian {
 public:
  // `target` must have a gradient; it and `workspace` must outlive this.
  Hamiltonian(const DifferentiableTarget& target, Workspace& workspace, Matrix metric_factor);
  virtual ~Hamiltonian() = default;

  void set_metric(Matrix factor) { factor_ = std::move(factor); }

  // At rest.
  PhasePoint at(Vector position);
  void draw_momentum(PhasePoint& point, Stream& stream) const;

  // One step of length `step`, which may be negative. Reversible, and leaves volumes as they are.
  virtual void leapfrog(PhasePoint& point, double step);
  // Potential and kinetic energy; +inf at an impossible point.
  virtual double total(const PhasePoint& point) const;

  std::int64_t gradient_evaluations() const { return gradient_evaluations_; }

 protected:
  // momentum -= step C' gradient.
  void kick(PhasePoint& point, double step) const;
  // position += step C momentum.
  void drift(PhasePoint& point, double step) const;
  void evaluate(PhasePoint& point);

 private:
  const DifferentiableTarget& target_;
  Workspace& workspace_;
  Matrix factor_;  // C
  std::int64_t gradient_evaluations_ = 0;
};

struct NutsTuning {
  double step = 0.1;
  int max_doublings = 10;
};

struct NutsTransition {
  double acceptance = 0.0;  // mean of min(1, exp(-energy error)) over the states that were tried
  int doublings = 0;
  // The trajectory ended where the energy error exceeded kDivergence, or in an impossible point.
  bool divergent = false;
};

// A leapfrog trajectory that follows the motion keeps its energy to a few units; Stan's bound.
inline constexpr double kDivergence = 1000.0;

// Moves `state`, whose momentum on entry is of no account.
NutsTransition nuts_transition(Hamiltonian& hamiltonian, const NutsTuning& tuning, PhasePoint& state, Stream& stream);

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
