// Seeded bugs, each of which the harness must catch, and a near-bug that it must not.
#pragma once

#include <mutex>

#include "ta2s2/smc/move.hpp"
#include "targets/exact_target.hpp"

namespace ta2s2 {

// Moves as if the level's inverse temperature were another.
class WrongTemperature final : public Move {
 public:
  WrongTemperature(std::unique_ptr<Move> inner, double factor) : inner_(std::move(inner)), factor_(factor) {}
  std::string name() const override { return "wrong temperature"; }
  std::vector<std::string> part_names() const override { return inner_->part_names(); }
  bool needs_mixture() const override { return inner_->needs_mixture(); }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

 private:
  std::unique_ptr<Move> inner_;
  double factor_;
  mutable std::once_flag made_;
  mutable LevelPlan wrong_plan_;  // one kernel object serves one plan
};

// Moves, but keeps the energy of where it was.
class StaleEnergy final : public Move {
 public:
  explicit StaleEnergy(std::unique_ptr<Move> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return "stale energy"; }
  std::vector<std::string> part_names() const override { return inner_->part_names(); }
  bool needs_mixture() const override { return inner_->needs_mixture(); }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

 private:
  std::unique_ptr<Move> inner_;
};

// x' ~ q, accepted with or without q(x) / q(x').
class Independence final : public Move {
 public:
  enum class Ratio { right, missing };
  explicit Independence(Ratio ratio) : ratio_(ratio) {}
  std::string name() const override { return "independence"; }
  bool needs_mixture() const override { return true; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

 private:
  Ratio ratio_;
};

// Elliptical slice sampling on a component of the mixture, right or in one of several versions. The first bracket lies
// anywhere around the state. (If it ended at the first candidate, as is usual, shrinking it at the wrong end would
// leave nothing of it: one candidate, uniform on the ellipse, then staying, which is no bug either.)
class EllipticalSlice final : public Move {
 public:
  enum class Version {
    right,
    never_shrunk,  // no bug: drawing again from the whole ellipse is rejection sampling of the same slice
    shrunk_at_wrong_end,
    without_q,      // the height is p instead of p / q
    without_scale,  // v2 drawn without looking at the state
  };
  explicit EllipticalSlice(Version version) : version_(version) {}
  std::string name() const override { return "elliptical slice"; }
  bool needs_mixture() const override { return true; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

 private:
  double height(const Vector& x, const Energy& energy, const LevelPlan& plan) const;
  Vector draw_axis(const TComponent& component, const Vector& x, Stream& stream) const;

  Version version_;
};

// AIMS, right or in one of two wrong versions.
class MarkerSteps final : public Move {
 public:
  enum class Version {
    right,
    without_ratio,             // what the local step accepts is taken as it is
    without_local_acceptance,  // the arrival density is that of the local candidates
  };
  explicit MarkerSteps(Version version) : version_(version) {}
  std::string name() const override { return "marker steps"; }
  bool needs_marker_mixture() const override { return true; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

 private:
  Version version_;
};

// Neal's crumbs with the shrinking candidates of `neal`, right or with crumbs that do not become narrower.
class Crumbs final : public Move {
 public:
  enum class Variance { right, constant };
  explicit Crumbs(Variance variance) : variance_(variance) {}
  std::string name() const override { return "crumbs"; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

 private:
  Variance variance_;
};

// Franke's posterior with a sampled nugget, drawn from as it is, evaluated without the Jacobian of the nugget.
class MissingNuggetJacobian final : public ExactTarget {
 public:
  explicit MissingNuggetJacobian(std::shared_ptr<const ExactTarget> inner) : inner_(std::move(inner)) {}
  Index dim() const override { return inner_->dim(); }
  std::vector<std::string> names() const override { return inner_->names(); }
  std::unique_ptr<Workspace> make_workspace() const override { return inner_->make_workspace(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override { return inner_->draw_start(stream); }
  Vector draw_exact(double beta, Stream& stream) const override { return inner_->draw_exact(beta, stream); }
  Truth truth() const override { return inner_->truth(); }

 private:
  std::shared_ptr<const ExactTarget> inner_;
};

}  // namespace ta2s2
