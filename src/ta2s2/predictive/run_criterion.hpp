// What one more run of the simulator is worth, by where it is made, averaged over the posterior (docs/math.md, section
// "Next runs").
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/design.hpp"
#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

class RunCriterion {
 public:
  virtual ~RunCriterion() = default;

  // One value per row, a point in the unit cube: never negative, the larger the better. Called by several threads.
  virtual Vector values(MatrixView unit_points) const = 0;

  // The run is going to be made; its output is not known.
  virtual void add_run(const Vector& unit_point, Executor& executor) = 0;

  // Points of the unit cube near which a search should look, too.
  virtual Matrix places_to_look() const { return {}; }

  // What the criterion lowers, if it is an average of variances: now, given all runs added so far.
  virtual std::optional<double> average_variance() const { return std::nullopt; }
};

// Over which variances are averaged.
inline constexpr Index kReferencePoints = 256;

// The emulator must outlive it, and has few enough draws to keep the factors of all in memory.
std::unique_ptr<RunCriterion> make_criterion(const CriterionSpec& spec, const Predictive& predictive,
                                             std::uint64_t seed, Executor& executor);

}  // namespace ta2s2
