// The posterior's modes: where they are and how much of the mass each holds.
#pragma once

#include <vector>

#include "ta2s2/emulator/map_estimate.hpp"
#include "ta2s2/emulator/posterior_sample.hpp"

namespace ta2s2 {

struct Mode {
  Vector position;      // the mode's own maximum, refined
  double energy = 0.0;  // H there
  double weight = 0.0;  // share of the posterior sample
  Vector mean;          // of its draws
  Vector sd;
};

// The sample is divided by a t mixture; two components belong to one mode if the density on the straight line
// between their refined maxima nowhere falls below the lower of the two by more than a factor of e. By falling
// weight.
std::vector<Mode> find_modes(const TargetDensity& target, const Box& box, const PosteriorSample& sample);

}  // namespace ta2s2
