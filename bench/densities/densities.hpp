// Densities on boxes whose evidence, moments and mode weights are known: in closed form, or by one-dimensional
// quadrature to six digits and more. None of them is known from a sampler.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/sample.hpp"

namespace ta2s2::densities {

// H = -log density of a point inside the box, not normalised; with its gradient unless that is null.
using Formula = std::function<double(VectorView x, Vector* gradient)>;

class FormulaTarget final : public DifferentiableTarget {
 public:
  FormulaTarget(Formula formula, Box box);

  Index dim() const override { return box_.low.size(); }
  std::vector<std::string> names() const override;
  const Box* box() const override { return &box_; }
  int lanes() const override { return 16; }
  bool has_gradient() const override { return has_gradient_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override;

  void hide_gradient() { has_gradient_ = false; }
  // Points that were evaluated so far, and those of them whose gradient was asked for as well.
  std::int64_t evaluations() const { return values_ + gradients_; }
  std::int64_t gradients() const { return gradients_; }

 private:
  Energy energy_at(VectorView point, Vector* gradient) const;

  Formula formula_;
  Box box_;
  double log_volume_;
  bool has_gradient_ = true;
  mutable std::atomic<std::int64_t> values_ = 0, gradients_ = 0;
};

// One of the places that hold the mass, and how much of it.
struct ModeTruth {
  double weight = 0.0;
  std::function<bool(VectorView x)> contains;
};

struct Truth {
  double log_evidence = 0.0;     // of the integral over the box
  Vector centre, spread;         // means and standard deviations, or medians and interquartile ranges
  bool has_heavy_tails = false;  // centre and spread are medians and interquartile ranges
  std::optional<ModeTruth> mode = std::nullopt;
};

struct Density {
  std::shared_ptr<FormulaTarget> target;
  Truth truth;
};

// Settings of the sampler were chosen on `chosen` and never looked at `confirm`; `apart` are modes that may be too
// narrow to be seen by any single run.
enum class Group { chosen, confirm, apart };
std::string to_word(Group group);

struct Case {
  std::string name;  // "shells_d20"
  Index dim;
  Group group;
  std::function<Density()> make;
};

std::vector<Case> all_cases();

}  // namespace ta2s2::densities
