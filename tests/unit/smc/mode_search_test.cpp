#include "ta2s2/smc/mode_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "known_normal.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/chain_growth.hpp"

namespace ta2s2 {
namespace {

// Two normals of unequal weight and width; the target's evidence is the sum of the weights.
class TwoNormals final : public DifferentiableTarget {
 public:
  explicit TwoNormals(double second_weight = 0.6) : second_weight_(second_weight) {}
  Index dim() const override { return 2; }
  const Box* box() const override { return first_.box(); }
  std::vector<std::string> names() const override { return {"x1", "x2"}; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    Vector unused;
    for (Index i = 0; i < points.cols(); ++i) {
      out[static_cast<std::size_t>(i)] = energy_and_gradient(points.col(i), workspace, unused);
    }
  }
  Energy energy_and_gradient(VectorView x, Workspace& workspace, Vector& gradient) const override {
    Vector of_second;
    const Energy first = first_.energy_and_gradient(x, workspace, gradient);
    second_.energy_and_gradient(x, workspace, of_second);
    if (!first.possible()) return first;
    const double a = std::log(0.4) + first_.log_density(x), b = std::log(second_weight_) + second_.log_density(x);
    const double both = log_add_exp(a, b);
    gradient = std::exp(a - both) * gradient + std::exp(b - both) * of_second;
    return {first.start, -both - first.start, Impossible::no};
  }

  const test::NormalOnBox first_{Vector{{-3.0, 1.0}}, test::correlated(Vector{{0.5, 0.3}}, 0.5),
                                 test::uniform_law(2, -8.0, 8.0)};
  const test::NormalOnBox second_{Vector{{3.0, -2.0}}, test::correlated(Vector{{0.4, 0.8}}, -0.3),
                                  test::uniform_law(2, -8.0, 8.0)};
  double second_weight_;
};

Matrix scattered_starts(const SamplingSpace& space, Index count) {
  Matrix starts(space.dim(), count);
  for (Index i = 0; i < count; ++i) {
    Stream stream({6, Purpose::mode_search, 0, static_cast<std::uint64_t>(i), 0});
    starts.col(i) = space.draw_start(stream);
  }
  return starts;
}

Matrix scale_covariance(const SamplingSpace& space) {
  return space.scales().cwiseAbs2().asDiagonal();
}

class FindsModes : public testing::Test {
 protected:
  std::vector<LaplaceMode> modes_of(const SamplingSpace& space, const Matrix& starts, const Matrix& covariance) {
    ModeSearch search{space, executor};
    std::vector<LaplaceMode> modes;
    search.add_modes(modes, starts, covariance);
    gradients = search.gradients;
    return modes;
  }

  ThreadExecutor executor{2};
  std::int64_t gradients = 0;
};

// The modes do not overlap (they are 7 sds and more apart), so each is a normal of its own weight. A search ends when
// an iteration gains less than 0.01 nats: the evidence is then about that much too low, 0.05 if the metric is poor. A
// mode that is missed by 0.05 nats is missed by 0.3 sds, which is 0.2.
TEST_F(FindsModes, BothOfTwoFromScatteredStarts) {
  const TwoNormals target;
  for (const bool is_linear : {true, false}) {
    const SamplingSpace space(target, {is_linear, is_linear});
    const auto modes = modes_of(space, scattered_starts(space, 32), scale_covariance(space));
    ASSERT_EQ(modes.size(), 2u);
    const Matrix second = space.to_box(modes[0].position), first = space.to_box(modes[1].position);
    EXPECT_LT((second - Vector{{3.0, -2.0}}).norm(), 0.2);
    EXPECT_LT((first - Vector{{-3.0, 1.0}}).norm(), 0.2);
    if (!is_linear) continue;  // in scores they are not quite normal
    EXPECT_NEAR(modes[0].log_evidence, std::log(0.6), 0.05);
    EXPECT_NEAR(modes[1].log_evidence, std::log(0.4), 0.05);
    EXPECT_LT((modes[1].covariance - test::correlated(Vector{{0.5, 0.3}}, 0.5)).norm(), 1e-4);
  }
}

TEST_F(FindsModes, WithTheSameBitsOnAnyNumberOfThreads) {
  const TwoNormals target;
  const SamplingSpace space(target, {true, false});
  const Matrix starts = scattered_starts(space, 40);  // three tasks
  const auto two = modes_of(space, starts, scale_covariance(space));
  const auto paid = gradients;
  ThreadExecutor one(1);
  ModeSearch search{space, one};
  std::vector<LaplaceMode> modes;
  search.add_modes(modes, starts, scale_covariance(space));
  EXPECT_EQ(search.gradients, paid);
  ASSERT_EQ(modes.size(), two.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    EXPECT_EQ(modes[i].position, two[i].position);
    EXPECT_EQ(modes[i].covariance, two[i].covariance);
    EXPECT_EQ(modes[i].log_evidence, two[i].log_evidence);
  }
}

// A mode that is worth e^-12 of the other is found and left out; one that is worth e^-8 is kept.
TEST_F(FindsModes, AndLeavesOutThoseThatAreHopeless) {
  for (const double nats : {8.0, 12.0}) {
    const TwoNormals target(0.4 * std::exp(-nats));
    const SamplingSpace space(target, {true, true});
    const auto modes = modes_of(space, scattered_starts(space, 32), scale_covariance(space));
    EXPECT_EQ(modes.size(), nats < 10.0 ? 2u : 1u) << nats;
    EXPECT_LT((modes.front().position - Vector{{-3.0, 1.0}}).norm(), 0.2);
  }
}

// ---- of a normal the approximation is the truth ----

void expect_is_normal(const LaplaceMode& mode, const Vector& mean, const Matrix& covariance, double log_evidence) {
  const double largest = covariance.cwiseAbs().maxCoeff();
  EXPECT_LT((mode.position - mean).norm(), 1e-6);
  // Gradients differ by some 1e-3 sds of theirs over the two points of a difference, and are known to 1e-14 or so.
  EXPECT_LT((mode.covariance - covariance).cwiseAbs().maxCoeff(), 1e-9 * largest);
  EXPECT_LT((mode.precision * covariance - Matrix::Identity(mean.size(), mean.size())).norm(), 1e-8);
  EXPECT_NEAR(mode.log_evidence, log_evidence, 1e-8);
  EXPECT_NEAR(mode.squared_distance(mode.position + Vector(covariance.llt().matrixL().toDenseMatrix().col(0))), 1.0,
              1e-8);
}

// With the right metric a search's first step, if it is not longer than 2 sds, is Newton's: the minimum itself.
TEST_F(FindsModes, ANormalExactlyInTheBox) {
  const Vector mean{{0.5, -1.0, 2.0}};
  const Matrix covariance = test::correlated(Vector{{0.01, 0.3, 1.5}}, 0.9);
  const test::NormalOnBox target(mean, covariance, test::uniform_law(3, -20.0, 20.0));
  const SamplingSpace space(target, {true, true, true});
  const Vector start = mean + Vector(covariance.llt().matrixL() * Vector{{1.0, -1.0, 0.5}});
  const auto modes = modes_of(space, start, covariance);
  ASSERT_EQ(modes.size(), 1u);
  expect_is_normal(modes.front(), mean, covariance, 0.0);
  EXPECT_NEAR(modes.front().energy, -target.log_density(mean), 1e-10);
}

// H(x) that makes H + log Jacobian a normal's in scores: c z^2 / 2 on top of the start law's z^2 / 2.
class NormalInScores final : public DifferentiableTarget {
 public:
  explicit NormalInScores(double extra) : extra_(extra), inner_(Vector::Zero(2), Matrix::Identity(2, 2), law_) {}
  Index dim() const override { return 2; }
  const Box* box() const override { return &box_; }
  std::vector<std::string> names() const override { return {"x1", "x2"}; }
  StartLaw start_law() const override { return law_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    Vector unused;
    for (Index i = 0; i < points.cols(); ++i) {
      out[static_cast<std::size_t>(i)] = energy_and_gradient(points.col(i), workspace, unused);
    }
  }
  Energy energy_and_gradient(VectorView x, Workspace&, Vector& gradient) const override {
    const SamplingSpace scores(inner_, {false, false});
    const Vector z = scores.from_box(x), slopes = scores.slopes(z);
    gradient = extra_ * z.cwiseQuotient(slopes) + law_.rate;
    Vector unused;
    const double law = scores.start_energy(z, unused) + slopes.array().log().sum();
    return {0.0, law + 0.5 * extra_ * z.squaredNorm(), Impossible::no};
  }

 private:
  StartLaw law_{Vector{{0.0, -1.0}}, Vector{{5.0, 1.0}}, Vector{{2.0, 0.0}}};
  Box box_{law_.low, law_.high};
  double extra_;
  test::NormalOnBox inner_;
};

// The posterior of the scores is N(0, I / (1 + c)) and its evidence (1 + c)^(-d/2), as the start law is normalised.
TEST_F(FindsModes, ANormalExactlyInScores) {
  const NormalInScores target(8.0);
  const SamplingSpace space(target, {false, false});
  const Matrix covariance = Matrix::Identity(2, 2) / 9.0;
  const auto modes = modes_of(space, Vector{{0.3, -0.4}}, covariance);
  ASSERT_EQ(modes.size(), 1u);
  expect_is_normal(modes.front(), Vector::Zero(2), covariance, -std::log(9.0));
}

// A flat direction would have an endless normal: nothing is taken to be flatter than half the start law.
TEST_F(FindsModes, AndBelievesInNoCurvatureFlatterThanTheStartLaws) {
  const test::NormalOnBox target(Vector{{0.0, 0.5}}, Vector{{0.25, 1e6}}.asDiagonal(), test::uniform_law(2, -4.0, 4.0));
  const SamplingSpace space(target, {true, true});
  const auto modes = modes_of(space, Vector{{0.1, 0.3}}, Matrix(Vector{{0.25, 4.0}}.asDiagonal()));
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes.front().covariance(1, 1), 4.0 / 0.5, 1e-6);  // scales are a quarter of the box: 2
  EXPECT_NEAR(modes.front().covariance(0, 0), 0.25, 1e-9);
}

// Slopes take a covariance from one space to another; evidence is the same everywhere.
TEST_F(FindsModes, ThatCanBeMovedToOtherCoordinates) {
  const Vector mean{{0.5, -1.0}};
  const Matrix covariance = test::correlated(Vector{{0.02, 0.03}}, 0.8);
  const test::NormalOnBox target(mean, covariance, test::uniform_law(2, -3.0, 4.0));
  const SamplingSpace box(target, {true, true}), scores(target, {false, true});
  const auto modes = modes_of(box, mean, covariance);
  ASSERT_EQ(modes.size(), 1u);
  const Vector z = scores.from_box(mean);
  const double energy = test::energy_of(scores, z).total();
  const LaplaceMode moved = in_space(modes.front(), box, scores, energy);
  EXPECT_LT((moved.position - z).norm(), 1e-6);
  EXPECT_EQ(moved.energy, energy);
  EXPECT_EQ(moved.log_evidence, modes.front().log_evidence);
  EXPECT_LT((moved.precision * moved.covariance - Matrix::Identity(2, 2)).norm(), 1e-8);
  // dz = dx / slope.
  const double slope = scores.slopes(z)[0];
  EXPECT_NEAR(moved.covariance(0, 0), covariance(0, 0) / (slope * slope), 1e-8 * moved.covariance(0, 0));
  EXPECT_NEAR(moved.covariance(0, 1), covariance(0, 1) / slope, 1e-8 * std::abs(moved.covariance(0, 1)));
  const LaplaceMode back = in_space(moved, scores, box, modes.front().energy);
  EXPECT_LT((back.covariance - modes.front().covariance).norm(), 1e-9 * covariance.norm());
  // It is nearly normal there too: a second search comes to nearly the same.
  const auto anew = modes_of(scores, z, moved.covariance);
  ASSERT_EQ(anew.size(), 1u);
  EXPECT_NEAR(anew.front().log_evidence, moved.log_evidence, 1e-3);
  EXPECT_LT((anew.front().covariance - moved.covariance).norm(), 0.01 * moved.covariance.norm());
}

// A search that comes into the bulk of a mode that is known ends there, and adds nothing.
TEST_F(FindsModes, AndStopsInTheBulkOfThoseItKnows) {
  const TwoNormals target;
  const SamplingSpace space(target, {true, true});
  const Matrix starts = scattered_starts(space, 32);
  auto modes = modes_of(space, starts, scale_covariance(space));
  ASSERT_EQ(modes.size(), 2u);
  const auto paid_first = gradients;
  ModeSearch again{space, executor};
  again.add_modes(modes, starts, scale_covariance(space));
  EXPECT_EQ(modes.size(), 2u);
  EXPECT_LT(again.gradients, paid_first);
}

TEST_F(FindsModes, NoneFromPointsWithoutADensity) {
  const TwoNormals target;
  const SamplingSpace space(target, {true, true});
  EXPECT_TRUE(modes_of(space, Matrix::Constant(2, 3, 50.0), scale_covariance(space)).empty());
}

// More starts than a task holds, of which one is impossible: the others' searches are not moved by it.
TEST_F(FindsModes, WhateverShareOfTheStartsIsImpossible) {
  const TwoNormals target;
  const SamplingSpace space(target, {true, true});
  Matrix starts = scattered_starts(space, 32);
  starts.col(0).setConstant(100.0);
  EXPECT_EQ(modes_of(space, starts, scale_covariance(space)).size(), 2u);
}

// A round bowl whose lowest point lies outside the box in one coordinate, tilted so that the others depend on it.
class TiltedBowl final : public DifferentiableTarget {
 public:
  Index dim() const override { return 3; }
  std::vector<std::string> names() const override { return {"x1", "x2", "x3"}; }
  const Box* box() const override { return &box_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    Vector unused;
    for (Index i = 0; i < points.cols(); ++i) {
      out[static_cast<std::size_t>(i)] = energy_and_gradient(points.col(i), workspace, unused);
    }
  }
  Energy energy_and_gradient(VectorView x, Workspace&, Vector& gradient) const override {
    const bool is_inside = (x.array() >= box_.low.array()).all() && (x.array() <= box_.high.array()).all();
    if (!is_inside) return Energy::impossible(Impossible::outside_box);
    const Vector from = x - bottom_;
    gradient = precision_ * from;
    return {0.5 * from.dot(gradient), 0.0, Impossible::no};
  }

  const Box box_{Vector::Constant(3, -2.0), Vector::Constant(3, 2.0)};
  const Vector bottom_{{5.0, 0.5, -0.5}};
  const Matrix precision_{{100.0, 30.0, 0.0}, {30.0, 20.0, 1.0}, {0.0, 1.0, 0.1}};
};

// At the wall x1 = 2 the others minimise the rest: x2, x3 = bottom - P22^-1 P21 (2 - 5), unless a wall holds them too.
TEST(Minimise, FollowsTheWalls) {
  const TiltedBowl bowl;
  ThreadExecutor executor(2);
  const Matrix starts{{-2.0, 0.0, 1.9}, {2.0, 0.0, 1.0}, {-1.0, 0.0, 1.9}};
  const std::vector<MapEstimate> found = minimise(bowl, bowl.box_, starts, executor);
  ASSERT_EQ(found.size(), 3u);
  // x2 would be 4.9 or so: both walls hold, and x3 = bottom - (x2 - bottom2) * 1 / 0.1 lies beyond -2.
  for (const MapEstimate& end : found) {
    EXPECT_NEAR(end.position[0], 2.0, 1e-6);
    EXPECT_NEAR(end.position[1], 2.0, 1e-6);
    EXPECT_NEAR(end.position[2], -2.0, 1e-6);
    EXPECT_NEAR(end.energy, found.front().energy, 1e-6);
  }
}

TEST(Minimise, FindsWhatIsInside) {
  const TwoNormals target;
  ThreadExecutor executor(2);
  const std::vector<MapEstimate> found =
      minimise(target, *target.box(), Matrix{{-3.5, 3.5, 20.0}, {0.5, -3.0, 0.0}}, executor);
  // Each normal moves the other's top by next to nothing.
  EXPECT_LT((found[0].position - Vector{{-3.0, 1.0}}).norm(), 1e-3);
  EXPECT_LT((found[1].position - Vector{{3.0, -2.0}}).norm(), 1e-3);
  EXPECT_EQ(found[2].energy, kInfinity);  // a start outside the box
}

}  // namespace
}  // namespace ta2s2
