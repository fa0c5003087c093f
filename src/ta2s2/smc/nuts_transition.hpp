// One transition of the no-U-turn sampler (Hoffman and Gelman 2014) as Betancourt (2017) has it: the next state is
// drawn from a whole trajectory, each of its states with weight exp(-total energy), and the trajectory is doubled until
// it turns back on itself. It leaves exp(-H) invariant for any step and metric that do not depend on the state.
#pragma once

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {

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

}  // namespace ta2s2
