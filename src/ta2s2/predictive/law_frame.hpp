// What the predictive laws of all points share: each draw's transformation of the output, units, clips, recalibration.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/gp/output_transform.hpp"
#include "ta2s2/simd/law_routines.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// Draws of one model: its transformation, with each draw's parameters.
struct LawPart {
  OutputTransform transform;
  Matrix parameters;  // (parameters, draws)
};

// The user's output is centre + unit * u, where u is the standardised output that transformations act on.
struct LawUnits {
  double centre = 0.0, unit = 1.0;
  double low = 0.0, high = 0.0;  // of u: where laws that are not plain are clipped

  // Clips lie three ranges beyond the least and the largest observed output.
  static LawUnits from(double centre, double unit, VectorView standardised);
};

class LawFrame {
 public:
  static constexpr double kClipRanges = 3.0;

  // Parts in the order of the draws. Error{internal} unless clips are finite and kappa is positive.
  LawFrame(std::vector<LawPart> parts, LawUnits units, double kappa);

  // The draws of several frames one after another, with units and kappa of the first.
  static LawFrame join(const std::vector<std::shared_ptr<const LawFrame>>& frames);
  LawFrame recalibrated(double kappa) const { return {parts_, units_, kappa}; }

  // Without transformations and with kappa = 1: a law is then a StudentMixture in the user's units.
  bool is_plain() const { return is_plain_; }
  const LawUnits& units() const { return units_; }
  double kappa() const { return kappa_; }
  Index num_draws() const { return num_draws_; }

  // u to g and back, as the draw has it. Where u is outside the domain of g the value is -+inf and the slope zero.
  OutputTransform::Image image(Index draw, double u) const;
  double inverse(Index draw, double g) const;
  // What the draw's process stands for in the user's units, clipped as laws are. Of a plain frame g is u.
  double output(Index draw, double g) const;

  // For the sums on an instruction path: each part's draws stand together, padded to whole vectors.
  std::size_t num_slots() const { return num_slots_; }
  // Numbers of draws in their slots; padding is zero. `slots` has num_slots() numbers.
  void place(std::span<const double> by_draw, double* slots) const;
  const double* parameters(int which) const { return slots_.data() + static_cast<std::size_t>(which) * num_slots_; }
  // What every draw of a part needs of u.
  std::vector<LawSegment> segments_at(double u) const;

 private:
  struct Place {
    const LawPart* part;
    Index draw;  // within the part
  };
  Place place_of(Index draw) const;
  void fill_slots();

  std::vector<LawPart> parts_;
  LawUnits units_;
  double kappa_;
  bool is_plain_ = true;
  Index num_draws_ = 0;
  std::size_t num_slots_ = 0;
  std::vector<std::size_t> first_slots_;  // of each part
  AlignedBuffer slots_;
};

}  // namespace ta2s2
