// The posterior predictive at one point: a mixture of Student t over the posterior sample (docs/math.md, section 1).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/simd/mixture_routines.hpp"

namespace ta2s2 {
namespace detail {

struct Component {
  double weight, mean, scale;
};

// Sums over the components of a mixture that have a scale: plain, or on an instruction path. Weights and scales are
// positive and normal numbers; weights need not sum to 1. The table must outlive it.
class SpreadComponents {
 public:
  SpreadComponents(const StudentTable& table, const std::vector<Component>& components, InstructionSet path);

  double tail(double x, double side) const;  // of X > x for side = 1, of X < x for side = -1
  TailAndDensity tail_and_density(double x, double side) const;
  double log_density(double x) const;  // -inf without components
  double mean_absolute_deviation(double y) const;

 private:
  const StudentTable* table_;
  const MixtureRoutines* kernels_;  // null: plain
  std::vector<Component> components_;
  AlignedBuffer numbers_;
  MixtureProblem problem_;
};

}  // namespace detail

// Error{usage} unless weights sum to one, weights and scales are non-negative and all three finite and of equal length.
void check_components(std::span<const double> weights, std::span<const double> means, std::span<const double> scales);

// sum_i w_i t_df(mean_i, scale_i). A view: the spans must outlive it. Weights sum to 1; a scale of zero is a
// point mass. Infinite df gives the mixture of normals. Instruction paths differ by rounding.
class StudentMixture {
 public:
  StudentMixture(std::span<const double> weights, std::span<const double> means, std::span<const double> scales,
                 double df, InstructionSet path = best_instruction_set());

  std::span<const double> weights() const { return weights_; }
  std::span<const double> means() const { return means_; }
  std::span<const double> scales() const { return scales_; }
  double df() const { return table_->df(); }
  InstructionSet path() const { return path_; }

  double mean() const;                 // (2.6)
  double variance() const;             // (2.8)
  double cdf(double x) const;          // P(X <= x)
  double log_density(double x) const;  // +inf on a point mass

  // The least x with cdf(x) >= u, 0 < u < 1, to 1e-13 of the smallest scale or the last bits of x.
  double quantile(double u) const;

  // Continuous ranked probability score, integral of (F(x) - 1{x >= y})^2, in the units of y. Its error is below 1e-7
  // of E|X - X'|, and near 1e-12 of it where the components' scales differ by factors of ten rather than of a thousand.
  double crps(double y) const;

 private:
  struct PointMass {
    double weight, mean;
  };

  double upper_tail(double x) const;  // P(X > x)
  double log_excess(double x, double u) const;
  double quantile_between(double u, double low, double high) const;
  double smooth_quantile(double u, double standard, double low, double high) const;
  std::optional<double> first_point_mass(double after, double up_to) const;

  std::span<const double> weights_, means_, scales_;
  InstructionSet path_;
  std::shared_ptr<const StudentTable> table_;
  std::vector<PointMass> masses_;
  std::shared_ptr<const detail::SpreadComponents> spread_;  // all others
  double smallest_scale_ = kInfinity;                       // of those
};

}  // namespace ta2s2
