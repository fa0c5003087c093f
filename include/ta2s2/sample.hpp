// Any density that can be sampled: the only thing that the sampler knows of it is the energies of a block of points
// (docs/architecture.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

class Stream;  // of random numbers; the library's own

/// Why a point has no density. Counted per level; never an error.
enum class Impossible : std::uint8_t {
  no,                     ///< it has one
  outside_box,            ///< the density is not defined there
  not_positive_definite,  ///< the covariance matrix has no Cholesky factor
  not_finite,             ///< the log density is infinite or no number
};
/// How many of these there are.
inline constexpr int kNumImpossible = 4;

/// Minus log density in two parts: E0 = -log p_0 (normalised start density) and E1 = H - E0, where H = -log density.
/// Level beta has density proportional to exp(-E0 - beta E1).
struct Energy {
  double start = kInfinity;                     ///< E0
  double tempered = kInfinity;                  ///< E1
  Impossible reason = Impossible::outside_box;  ///< why it has no density; `no` if it has

  /// Whether the point has a density.
  bool possible() const { return reason == Impossible::no; }
  /// E0 + beta E1; +inf for an impossible point at any beta, so that no 0 * inf arises.
  double at(double beta) const { return possible() ? start + beta * tempered : kInfinity; }
  /// H, the energy at beta = 1.
  double total() const { return at(1.0); }

  /// Of a point without a density.
  static Energy impossible(Impossible reason) { return {kInfinity, kInfinity, reason}; }
};

/// Bounds per coordinate.
struct Box {
  Vector low,  ///< lower bounds
      high;    ///< upper bounds
};

/// A product of one-dimensional laws on a box: uniform where the rate is zero, else exponential, falling from the lower
/// bound and cut off at the upper one.
struct StartLaw {
  Vector low,  ///< lower bounds
      high,    ///< upper bounds
      rate;    ///< of the exponential laws; zero: uniform
};

/// Scratch memory of one thread; a target that needs some derives from it.
struct Workspace {
  virtual ~Workspace() = default;
};

/// A density to sample. Whoever has more to say than a function of a point derives from it.
class TargetDensity {
 public:
  virtual ~TargetDensity() = default;

  /// Number of coordinates.
  virtual Index dim() const = 0;
  /// Of the coordinates.
  virtual std::vector<std::string> names() const = 0;

  /// The box outside which every point is impossible, or null. It lives as long as the target.
  virtual const Box* box() const { return nullptr; }

  /// How many points the target likes to evaluate at once. It never changes a result.
  virtual int lanes() const { return 4; }
  /// Each thread asks for one.
  virtual std::unique_ptr<Workspace> make_workspace() const { return std::make_unique<Workspace>(); }

  /// Columns of `points` are positions. Pure: the energy of a column does not depend on the other columns. Never NaN.
  virtual void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const = 0;

  /// One draw from p_0: uniform over the box, which then must be there and E0 the logarithm of its volume, unless a
  /// target of the library says otherwise.
  virtual Vector draw_start(Stream& stream) const;

  /// Where the sampler `ta2s2` looks first: uniform over the box, which then must be there, unless a target of the
  /// library knows better.
  virtual StartLaw start_law() const;
};

/// A target that also knows the gradient of H, the energy at beta = 1.
class DifferentiableTarget : public TargetDensity {
 public:
  /// Whether energy_and_gradient may be called: part of a target may be known by its values alone.
  virtual bool has_gradient() const { return true; }

  /// The energy of one position, which is that of `energies` up to rounding, and dH / dposition. The gradient of an
  /// impossible point is of no use.
  virtual Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const = 0;

  /// The same for every column of `points`; columns of `gradients`, of the same size, are dH / dposition. A point's
  /// result does not depend on the other columns. One after another, unless a target knows better.
  virtual void energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                                      Eigen::Ref<Matrix> gradients) const;
};

/// Any log density on a box, as a target: with its gradient if that is given, which saves most of the evaluations.
class FunctionTarget final : public DifferentiableTarget {
 public:
  /// Of one point.
  using LogDensity = std::function<double(VectorView)>;
  /// Of the columns of `points`, all inside the box.
  using BlockLogDensity = std::function<void(MatrixView points, std::span<double> out)>;
  /// Of one point, with the gradient of the log density, of the point's size.
  using LogDensityAndGradient = std::function<double(VectorView, Vector& gradient)>;
  /// Of the columns of `points`, all inside the box, with the gradients as columns of the same size.
  using BlockLogDensityAndGradient =
      std::function<void(MatrixView points, std::span<double> out, Eigen::Ref<Matrix> gradients)>;

  /// `log_density` need not be normalised; it is called from several threads at once. A result that is not finite
  /// counts as impossible. The start density is uniform on the box, and the evidence is the integral over the box.
  FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names = {});

  /// A density that likes many points at once, as many as `lanes`. What it throws ends the work.
  FunctionTarget(BlockLogDensity log_density, int lanes, Vector low, Vector high, std::vector<std::string> names = {});

  /// A density whose gradient is known.
  FunctionTarget(LogDensityAndGradient log_density, Vector low, Vector high, std::vector<std::string> names = {});
  /// The same of many points at once.
  FunctionTarget(BlockLogDensityAndGradient log_density, int lanes, Vector low, Vector high,
                 std::vector<std::string> names = {});

  Index dim() const override { return box_.low.size(); }
  const Box* box() const override { return &box_; }
  std::vector<std::string> names() const override { return names_; }
  int lanes() const override { return lanes_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  bool has_gradient() const override { return with_gradient_ != nullptr; }
  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override;
  void energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                              Eigen::Ref<Matrix> gradients) const override;

 private:
  FunctionTarget(BlockLogDensity log_density, BlockLogDensityAndGradient with_gradient, int lanes, Vector low,
                 Vector high, std::vector<std::string> names);
  // Impossible points get their energies; the others are returned.
  std::vector<Index> find_inside(MatrixView points, std::span<Energy> out) const;
  Energy energy_of(double log_density) const;

  BlockLogDensity log_density_;
  BlockLogDensityAndGradient with_gradient_;  // null if the gradient is not known
  int lanes_;
  Box box_;
  std::vector<std::string> names_;
  double log_volume_;
};

struct Sample;           // ta2s2/posterior.hpp
struct SamplerSettings;  // ta2s2/settings.hpp
struct Context;          // ta2s2/execution.hpp

/// Draws from a density over a box. The target has a box, and its evidence is the integral over it. Sample::judgement
/// says whether the sampler converged. Error{usage} for samplers other than ta2s2, annealed, published, tmcmc and aims.
Sample sample(const TargetDensity& target, const SamplerSettings& settings, const Context& context);

}  // namespace ta2s2
