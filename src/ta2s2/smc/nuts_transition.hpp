// One transition of the no-U-turn sampler (Hoffman and Gelman 2014) as Betancourt (2017) has it: the next state is
// drawn from a whole trajectory, each of its states with weight exp(-total energy), and the trajectory is doubled until
// it turns back on itself. It leaves exp(-H) invariant for any step and metric that do not depend on the state.
#pragma once

#include "ta2s2/smc/hamiltonian.hpp"

namespace ta2s2 {

struct NutsTuning {
  double step = 0.1;
  int max_doublings = 10;
};

struct NutsTransition {
  double acceptance = 0.0;  // mean of min(1, exp(-energy error)) over the states that were tried
  int doublings = 0;
  bool divergent =
      false;  // the trajectory ended where the energy error exceeded kDivergence, or in an impossible point
};

// A leapfrog trajectory that follows the motion keeps its energy to a few units; Stan's bound.
inline constexpr double kDivergence = 1000.0;

// Moves `state`, whose momentum on entry is of no account.
NutsTransition nuts_transition(Hamiltonian& hamiltonian, const NutsTuning& tuning, PhasePoint& state, Stream& stream);

}  // namespace ta2s2
