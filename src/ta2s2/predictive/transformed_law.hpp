// The predictive at one point where draws have transformations of the output, or where it is recalibrated.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/predictive/adaptive_panels.hpp"
#include "ta2s2/predictive/law_frame.hpp"
#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/simd/law_routines.hpp"

namespace ta2s2 {
namespace detail {

// F(u) = sum_i w_i T((g_i(u) - m_i) / s_i) before clips and recalibration: plain, or on an instruction path.
class TransformedComponents {
 public:
  // Scales are at least kLeastScale.
  TransformedComponents(const LawFrame& frame, const StudentTable& table, std::span<const double> weights,
                        std::span<const double> means, std::span<const double> scales, InstructionSet path);

  // Of less than this no law can tell: it stands in for a scale of zero.
  static constexpr double kLeastScale = 1e-10;

  double tail(double u, double side) const;  // P(U > u) for side = 1, P(U <= u) for side = -1
  TailAndDensity tail_and_density(double u, double side) const;
  double log_density(double u) const;  // -inf where no draw puts any

  const LawFrame& frame() const { return *frame_; }
  double weight(Index draw) const { return weights_[static_cast<std::size_t>(draw)]; }
  double quantile(Index draw, double t) const;  // of one draw: where its Student t is t

 private:
  double standardised(Index draw, double g) const;

  const LawFrame* frame_;
  const StudentTable* table_;
  const LawRoutines* kernels_;  // null: plain
  std::span<const double> weights_, means_, scales_;
  AlignedBuffer numbers_;
  LawProblem problem_;
};

}  // namespace detail

// A view as StudentMixture is, and not for several threads at once: what the first question finds out is kept.
class TransformedLaw {
 public:
  TransformedLaw(std::span<const double> weights, std::span<const double> means, std::span<const double> scales,
                 double df, std::shared_ptr<const LawFrame> frame, InstructionSet path);

  double mean() const;
  double variance() const;
  double cdf(double y) const;
  double log_density(double y) const;
  double quantile(double probability) const;
  double crps(double y) const;

  // Q~(F(y)): what the recalibration makes of a value of the law before it, by interpolation of the nodes that the
  // moments needed. Rises with y.
  double recalibrated(double y) const;

 private:
  using Panels = std::vector<detail::Panel<3>>;

  // What a law needs to be asked about moments and quantiles, all in units of u.
  struct Profile {
    double centre = 0.0, unit = 1.0;  // u = centre + unit sinh(x)
    Panels panels;                    // in x, from left to right; of tail, |u - centre| tail, F~ (1 - F~)
    double mean = 0.0, variance = 0.0;
    double half_mean_difference = 0.0;  // integral of F~ (1 - F~)
    std::vector<double> u, score;       // nodes: normal scores of F, before recalibration
  };

  // A first idea of the law, from few draws.
  struct Pilot {
    double centre, unit;
    double inner_low, inner_high;  // about where the score is -2 and 2
    double low, high;
  };

  const Profile& profile() const;
  Pilot make_pilot() const;
  Profile make_profile() const;
  std::vector<double> breaks_for(const Pilot& pilot) const;
  detail::Integrals<3> heights(double x, const Profile& profile, double& tail) const;
  double recalibrated_tail(double tail) const;
  double tail_beyond(double u, const Profile& profile) const;
  double solve(double score, double low, double high, double start) const;

  double to_user(double u) const { return frame_->units().centre + frame_->units().unit * u; }
  double to_standard(double y) const { return (y - frame_->units().centre) / frame_->units().unit; }

  std::shared_ptr<const LawFrame> frame_;
  std::shared_ptr<const StudentTable> table_;
  std::span<const double> weights_;
  std::shared_ptr<const detail::TransformedComponents> components_;
  mutable std::shared_ptr<const Profile> profile_;
};

}  // namespace ta2s2
