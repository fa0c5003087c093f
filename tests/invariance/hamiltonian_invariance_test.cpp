// The moves of the sampler `ta2s2` leave every level invariant, in the box's own coordinates and in scores, between
// walls, and on the way from a reference; seeded bugs are caught.
#include <gtest/gtest.h>

#include <mutex>

#include "flipping_drift.hpp"
#include "invariance/invariance.hpp"
#include "invariance/mutants.hpp"
#include "long_run.hpp"
#include "ta2s2/smc/hamiltonian_move.hpp"
#include "ta2s2/smc/mixture_fit.hpp"
#include "targets/numerical_gradient.hpp"
#include "targets/target_catalogue.hpp"

namespace ta2s2 {
namespace {

enum class In { box, scores, both };  // both: every other coordinate is a score

std::vector<bool> linear_coordinates(In coordinates, Index dim) {
  std::vector<bool> is_linear;
  for (Index k = 0; k < dim; ++k) {
    is_linear.push_back(coordinates == In::box || (coordinates == In::both && k % 2 == 0));
  }
  return is_linear;
}

// An exact target in other coordinates. Level beta has the same density in all of them, so draws are carried over; on
// the path from a reference the same is true at beta = 1.
class MovedTarget final : public ExactTarget {
 public:
  MovedTarget(const std::string& name, In coordinates, bool from_reference)
      : exact_(make_named_target(name)),
        differentiable_(*exact_),
        space_(differentiable_, linear_coordinates(coordinates, exact_->dim())),
        reference_(fit_reference(), 0.05, space_),
        path_(reference_),
        from_reference_(from_reference) {}

  const PathTarget& path() const { return from_reference_ ? static_cast<const PathTarget&>(path_) : space_; }
  const Reference* reference() const { return from_reference_ ? &reference_ : nullptr; }

  Index dim() const override { return space_.dim(); }
  std::vector<std::string> names() const override { return space_.names(); }
  int lanes() const override { return space_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override { return space_.make_workspace(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    path().energies(points, workspace, out);
  }
  Vector draw_start(Stream& stream) const override { return path().draw_start(stream); }
  Vector draw_exact(double beta, Stream& stream) const override {
    return space_.from_box(exact_->draw_exact(beta, stream));
  }
  Index num_modes() const override { return exact_->num_modes(); }
  Index mode_of(VectorView z) const override { return exact_->mode_of(space_.to_box(z)); }
  Truth truth() const override { return exact_->truth(); }

 private:
  // To draws that no trial uses.
  ProposalMixture fit_reference() const {
    constexpr Index kDraws = 1000;
    Stream stream({2, Purpose::mixture_fit, 0, 0, 0});
    Matrix draws(dim(), kDraws);
    for (Index i = 0; i < kDraws; ++i) draws.col(i) = draw_exact(1.0, stream);
    const Vector weights = Vector::Constant(kDraws, 1.0 / static_cast<double>(kDraws));
    return fit_proposal_mixture(draws, weights, {.max_components = 4, .freedom = 3}, stream);
  }

  std::shared_ptr<const ExactTarget> exact_;
  NumericalGradient differentiable_;
  SamplingSpace space_;
  Reference reference_;
  ReferencePath path_;
  bool from_reference_;
};

// As a kernel of the harness, which asks for no gradients and plans no trajectories: the requests of the move are
// answered here.
template <class Moves = HamiltonianMove>
class HamiltonianKernel final : public Move {
 public:
  HamiltonianKernel(const MovedTarget& target, double step)
      : path_(target.path()),
        has_components_(target.reference() != nullptr && target.reference()->mixture().components().size() > 1),
        step_(step),
        moves_(target.path(), target.reference()) {}

  std::string name() const override { return "hamiltonian"; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest&, Stream& stream) const override {
    std::call_once(made_, [&] { plan_ = with_trajectories(plan); });
    const auto workspace = path_.make_workspace();
    EnergyRequest request;
    ChainTask<Step> task = moves_.move(std::move(state), plan_, request, stream);
    task.start();
    while (request.pending()) answer(request, *workspace);
    co_return task.take_result();
  }

 private:
  void answer(EnergyRequest& request, Workspace& workspace) const {
    Energy energy;
    if (request.wants_gradient()) {
      energy = path_.energy_and_gradient(request.candidate(), workspace, request.gradient());
    } else {
      path_.energies(request.candidate(), workspace, {&energy, 1});
    }
    request.answer(energy);
  }

  // The centre of radial moves is somewhere near: that it is no mean changes nothing.
  LevelPlan with_trajectories(const LevelPlan& plan) const {
    LevelPlan with = plan;
    with.hamiltonian.step = step_;
    with.hamiltonian.centre = plan.markers->positions.rightCols(50).rowwise().mean();
    for (Index s = 0; s < 100; ++s) {
      with.hamiltonian.choices.push_back({static_cast<int>(1 + s % 3), s % 3 == 0, has_components_ && s % 2 == 0});
    }
    return with;
  }

  const PathTarget& path_;
  bool has_components_;
  double step_;
  Moves moves_;
  mutable std::once_flag made_;
  mutable LevelPlan plan_;  // one kernel object serves one plan
};

struct HamiltonianCell {
  std::string target;
  In coordinates;
  double tau = 1.0;
  bool from_reference = false;

  std::string name() const {
    const char* where = coordinates == In::box ? "_box" : coordinates == In::scores ? "_scores" : "_both";
    return target + where + (from_reference ? "_reference" : "_tau" + std::to_string(static_cast<int>(tau)));
  }
};

std::ostream& operator<<(std::ostream& out, const HamiltonianCell& cell) {
  return out << cell.name();
}

constexpr double kUsualStep = 0.6;

template <class Moves = HamiltonianMove>
InvarianceReport check(const HamiltonianCell& cell, Index num_chains, double step = kUsualStep) {
  const MovedTarget target(cell.target, cell.coordinates, cell.from_reference);
  const HamiltonianKernel<Moves> kernel(target, step);
  return check_invariance(
      target, kernel, {.beta = 1.0 / cell.tau, .num_chains = is_long() ? 10 * num_chains : num_chains, .num_steps = 5});
}

std::vector<HamiltonianCell> hamiltonian_cells() {
  std::vector<HamiltonianCell> cells;
  // Walls are leaned on by Border; a hot Skewed and a hot HeavyTails reach theirs as well.
  for (const std::string target : {"Border_d3", "Border_d6", "Skewed_d3", "HeavyTails_d2", "Banana_d2"}) {
    cells.push_back({target, In::box, 1.0});
    cells.push_back({target, In::box, 50.0});
    cells.push_back({target, In::scores, 5.0});
    cells.push_back({target, In::both, 1.0, true});
  }
  for (const std::string target : {"TwoModes_d2", "ThreeModes_d3"}) {
    cells.push_back({target, In::box, 5.0});
    cells.push_back({target, In::box, 1.0, true});
    cells.push_back({target, In::scores, 1.0, true});
  }
  return cells;
}

// Bonferroni: together they fail right moves with a probability of at most 0.1%.
double hamiltonian_alpha() {
  return 1e-3 / static_cast<double>(hamiltonian_cells().size());
}

class HamiltonianOn : public testing::TestWithParam<HamiltonianCell> {};

TEST_P(HamiltonianOn, IsInvariant) {
  const InvarianceReport report = check(GetParam(), 4000);
  EXPECT_GT(report.verdict(), hamiltonian_alpha()) << report;
}

INSTANTIATE_TEST_SUITE_P(Cells, HamiltonianOn, testing::ValuesIn(hamiltonian_cells()),
                         [](const auto& instance) { return instance.param.name(); });

// --- Seeded bugs, each in a named cell. ---

class FlipsOneMomentum final : public HamiltonianMove {
 public:
  using HamiltonianMove::HamiltonianMove;

 protected:
  bool drift(Vector& z, Vector& p, const Matrix& factor, double time) const override {
    return test::flipping_drift(z, p, factor, time, path_.walls());
  }
};

class WholeLastKick final : public HamiltonianMove {
 public:
  using HamiltonianMove::HamiltonianMove;

 protected:
  double last_kick() const override { return 1.0; }
};

class RadialWithoutJacobian final : public HamiltonianMove {
 public:
  using HamiltonianMove::HamiltonianMove;

 protected:
  double log_radial_ratio(double, Index) const override { return 0.0; }
};

class MapWithoutVolumes final : public HamiltonianMove {
 public:
  using HamiltonianMove::HamiltonianMove;

 protected:
  double log_map_ratio(const TComponent&, const TComponent&, double here, double there) const override {
    return std::log(there) - std::log(here);
  }
};

class MapWithoutResponsibilities final : public HamiltonianMove {
 public:
  using HamiltonianMove::HamiltonianMove;

 protected:
  double log_map_ratio(const TComponent& from, const TComponent& to, double, double) const override {
    return HamiltonianMove::log_map_ratio(from, to, 1.0, 1.0);
  }
};

constexpr Index kChainsOfMutants = 20'000;

template <class Moves>
void expect_seen(const HamiltonianCell& cell) {
  const InvarianceReport report = check<Moves>(cell, kChainsOfMutants);
  EXPECT_LT(report.verdict(), hamiltonian_alpha()) << "not caught: " << report;
  const InvarianceReport right = check(cell, kChainsOfMutants);  // caught for the reason that it is named for
  EXPECT_GT(right.verdict(), hamiltonian_alpha()) << right;
}

TEST(HamiltonianMutant, FlippingOneMomentumIsCaughtInBorder_d6) {
  expect_seen<FlipsOneMomentum>({"Border_d6", In::box});
}

TEST(HamiltonianMutant, AWholeLastKickIsCaughtInSkewed_d3) {
  expect_seen<WholeLastKick>({"Skewed_d3", In::box});
}

TEST(HamiltonianMutant, ARadialMoveWithoutItsJacobianIsCaughtInHeavyTails_d2) {
  expect_seen<RadialWithoutJacobian>({"HeavyTails_d2", In::box});
}

TEST(HamiltonianMutant, AMapWithoutVolumesIsCaughtInTwoModes_d2) {
  expect_seen<MapWithoutVolumes>({"TwoModes_d2", In::box, 1.0, true});
}

// Where components overlap: those of modes far from each other have responsibilities of 0 and 1.
TEST(HamiltonianMutant, AMapWithoutResponsibilitiesIsCaughtInBanana_d2) {
  expect_seen<MapWithoutResponsibilities>({"Banana_d2", In::box, 1.0, true});
}

TEST(HamiltonianMutant, AnotherTemperatureIsCaughtInSkewed_d3) {
  const MovedTarget target("Skewed_d3", In::scores, false);
  const ta2s2::WrongTemperature wrong(std::make_unique<HamiltonianKernel<>>(target, kUsualStep), 1.1);
  const InvarianceReport report =
      check_invariance(target, wrong, {.beta = 0.2, .num_chains = kChainsOfMutants, .num_steps = 5});
  EXPECT_LT(report.verdict(), hamiltonian_alpha()) << "not caught: " << report;
}

}  // namespace
}  // namespace ta2s2
