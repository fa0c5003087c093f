// The output as one draw of the posterior has it: y = g^-1(process), g with the draw's parameters (docs/math.md,
// section 15), in standardised units.
#pragma once

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/predictive/student_rule.hpp"

namespace ta2s2 {

// Clipped where the laws of a LawFrame are: tails of g^-1 need not have moments.
class DrawOutput {
 public:
  DrawOutput(const GpModel& model, const GpParameters& parameters);

  bool is_plain() const { return transform_.is_none(); }  // y is the process itself, and is not clipped
  double low() const { return low_; }                     // the clips
  double high() const { return high_; }

  // y of a value of the process; rising.
  double of_process(double z) const;
  // dy/dz there; zero where y is clipped.
  double slope(double z) const;
  // The z that has this y; infinite where there is none.
  double to_process(double y) const;

  // Of y where z = mean + scale T, T Student as the rule has it; not plain.
  struct Moments {
    double mean, variance;
  };
  Moments moments(double mean, double scale, const StudentRule& rule) const;
  // E max(side (y - best), 0) there: side 1 for a rise above the best, -1 for a fall below it.
  double mean_gain(double best, double side, double mean, double scale, const StudentRule& rule) const;

 private:
  OutputTransform transform_;
  Vector parameters_;
  double low_, high_;
};

}  // namespace ta2s2
