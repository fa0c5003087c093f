// The posterior predictive at one point, in the user's units (docs/math.md, sections 1 and 15).
#pragma once

#include <memory>
#include <span>
#include <variant>

#include "ta2s2/predictive/law_frame.hpp"
#include "ta2s2/predictive/student_mixture.hpp"
#include "ta2s2/predictive/transformed_law.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// A mixture over draws, F(y) = sum_i w_i T_df((g_i(u) - mean_i) / scale_i), u the standardised output and g_i the
// draw's own transformation, then recalibrated by one scale: F~ = Phi(Phi^-1(F) / kappa).
//
// Plain, that is without transformations and with kappa = 1, it is a StudentMixture, to the bit. Otherwise it is
// clipped three ranges of the observed outputs beyond the least and the largest of them, as tails that are mapped back
// by a transformation need not have moments: what lies beyond is mass at that end. Its log density is that of the law
// before clips, so that no truth scores infinitely badly for lying beyond them. Moments and CRPS come from quadrature
// of F~, to some 2e-5 standard deviations; where transformations end inside the law, so that every draw puts a mass at
// an end of its own, to some 1e-4 of the standard deviation.
//
// A view of weights, means and scales, and not for several threads at once: what one question finds out serves the
// next.
class PredictiveLaw {
 public:
  PredictiveLaw(StudentMixture plain) : law_(std::move(plain)) {}  // one is a law: no need to say so
  PredictiveLaw(std::span<const double> weights, std::span<const double> means, std::span<const double> scales,
                double df, std::shared_ptr<const LawFrame> frame, InstructionSet path = best_instruction_set());

  double mean() const;
  double variance() const;
  double cdf(double y) const;           // P(Y <= y), and so the PIT
  double log_density(double y) const;   // +inf on a point mass of a plain law
  double quantile(double u) const;      // the least y with cdf(y) >= u, 0 < u < 1
  double crps(double y) const;          // integral of (F~(x) - 1{x >= y})^2
  double recalibrated(double y) const;  // Q~(F(y)), clipped: y itself of a plain law

  const StudentMixture* plain() const { return std::get_if<StudentMixture>(&law_); }  // null if it is not

 private:
  std::variant<StudentMixture, TransformedLaw> law_;
};

}  // namespace ta2s2
