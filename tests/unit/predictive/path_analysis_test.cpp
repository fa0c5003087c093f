#include "ta2s2/predictive/path_analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ta2s2/design.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/gp/small_problem.hpp"
#include "unit/predictive/transformed_runs.hpp"

namespace ta2s2 {
namespace {

struct Whole {
  double mean, variance;
  Vector main;
};

// Of two inputs, straight from the values at all pairs of nodes.
Whole over_all_pairs(const SampleFunction& path, const Quadrature& a, const Quadrature& b,
                     Vector (*values_of)(const SampleFunction&, MatrixView) = &path_outputs) {
  Matrix values(a.nodes.size(), b.nodes.size());
  for (Index j = 0; j < b.nodes.size(); ++j) {
    Matrix points(a.nodes.size(), 2);
    points << a.nodes, Vector::Constant(a.nodes.size(), b.nodes[j]);
    values.col(j) = values_of(path, points);
  }
  const Vector given_a = values * b.weights, given_b = values.transpose() * a.weights;
  const double mean = a.weights.dot(given_a);
  const auto variance = [&](const Vector& effect, const Vector& weights) {
    return weights.dot((effect.array() - mean).square().matrix());
  };
  return {mean, a.weights.dot((values.array() - mean).square().matrix() * b.weights),
          Vector{{variance(given_a, a.weights), variance(given_b, b.weights)}}};
}

Matrix points_of(const InputDistribution& a, const InputDistribution& b, Index count) {
  Matrix points = make_design({2, count, DesignKind::sobol, 1});
  for (Index i = 0; i < count; ++i) {
    points(i, 0) = a.quantile(points(i, 0));
    points(i, 1) = b.quantile(points(i, 1));
  }
  return points;
}

class PathVariancesOf : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {};

// Main effects are the same sums in another order. What is left to points is the interactions' part: 1024 shifted Sobol
// points leave less than 1% of it.
TEST_P(PathVariancesOf, AreThoseOfAllPairsOfNodes) {
  const auto& [covariance, trend, second] = GetParam();
  const GpModel model = test::small_model(14, 2, trend, covariance);
  Stream stream({.seed = 5, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(model, test::some_parameters(2), 64, stream);
  const auto a = make_input_distribution("uniform(0,1)"), b = make_input_distribution(second);
  const AnalysisPlan plan{{a->quadrature(), b->quadrature()}, {Vector{{0.0, 0.5, 1.0}}, Vector{{0.1, 0.4, 0.7}}}};
  const PathVariances found = analyse_path(path, plan, {points_of(*a, *b, 1024)}, InstructionSet::plain);

  const Whole expected = over_all_pairs(path, plan.rules[0], plan.rules[1]);
  EXPECT_NEAR(found.mean, expected.mean, 1e-9);
  const double interactions = expected.variance - expected.main.sum();
  ASSERT_GT(interactions, 1e-3 * expected.variance);
  for (Index d = 0; d < 2; ++d) {
    EXPECT_NEAR(found.main[0][d], expected.main[d], 1e-9);
    EXPECT_NEAR(found.total(d, 0), expected.main[d] + interactions, 0.01 * interactions) << d;
  }
  EXPECT_NEAR(found.variance(0), expected.variance, 0.01 * interactions);

  // A main effect, at one value, is the average over the other input.
  const Matrix& rule_points = plan.rules[1].nodes;
  Matrix points(rule_points.rows(), 2);
  points << Vector::Constant(rule_points.rows(), 0.5), rule_points;
  EXPECT_NEAR(found.effects(1, 0), plan.rules[1].weights.dot(path_outputs(path, points)), 1e-9);
}

std::vector<std::string> products() {
  std::vector<std::string> names;
  for (const std::string& name : covariance_examples()) {
    if (make_covariance(name)->is_product()) names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(List, PathVariancesOf,
                         testing::Combine(testing::ValuesIn(products()), testing::Values("none", "terms(x2,x1^2)"),
                                          testing::Values("uniform(0,1)", "normal(0.5,0.2)", "values(0.1,0.4,0.9)")));

// An input that is held at one value has no effect, and the other's index is all there is.
TEST(PathVariances, OfOneInputThatVaries) {
  const GpModel model = test::small_model(14, 2);
  Stream stream({.seed = 5, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(model, test::some_parameters(2), 64, stream);
  const auto a = make_input_distribution("uniform(0,1)"), b = make_input_distribution("values(0.3)");
  const AnalysisPlan plan{{a->quadrature(), b->quadrature()}, {Vector::Zero(1), Vector::Zero(1)}};
  const PathVariances found = analyse_path(path, plan, {points_of(*a, *b, 16)}, InstructionSet::plain);
  EXPECT_NEAR(found.main[0][1], 0.0, 1e-12);
  EXPECT_NEAR(found.total(1, 0), 0.0, 1e-12);
  EXPECT_NEAR(found.interactions[0], 0.0, 1e-9);
  EXPECT_GT(found.main[0][0], 0.1);
}

TEST(PathVariances, OfOneInput) {
  const GpModel model = test::small_model(9, 1);
  Stream stream({.seed = 5, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(model, test::some_parameters(1), 64, stream);
  const Quadrature rule = make_uniform_input(0.0, 1.0)->quadrature();
  const Matrix points = make_design({1, 16, DesignKind::sobol, 1});
  const PathVariances found = analyse_path(path, {{rule}, {Vector::Zero(1)}}, {points}, InstructionSet::plain);
  const Vector values = path_values(path, rule.nodes);
  const double mean = rule.weights.dot(values);
  EXPECT_NEAR(found.main[0][0], rule.weights.dot((values.array() - mean).square().matrix()), 1e-10);
  EXPECT_NEAR(found.total(0, 0), found.main[0][0], 1e-10);
}

// ---- followed point by point ----

struct Followed {
  test::TransformedRuns problem;
  SampleFunction path;
  AnalysisPlan plan;

  Followed(const std::string& transform, const std::string& covariance, const std::string& second)
      : problem(transform, covariance) {
    Stream stream({.seed = 5, .purpose = Purpose::sample_function});
    path = draw_path(*problem.model, problem.parameters, 64, stream);
    const auto b = make_input_distribution(second);
    plan = {{a->quadrature(), b->quadrature()}, {Vector{{0.0, 0.5, 1.0}}, Vector{{0.1, 0.4, 0.7}}}};
    all_points = points_of(*a, *b, 1024);
  }
  Whole truth() const { return over_all_pairs(path, plan.rules[0], plan.rules[1]); }

  std::shared_ptr<const InputDistribution> a = make_input_distribution("uniform(0,1)");
  Matrix all_points;
};

class FollowedPaths : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>> {};

// Main effects are means over 1024 Sobol points, whose errors are some 1/1024 of the interactions' size; their variance
// errs by twice that times the main effect. A discrete input's points are as many as its share, to one in 1024.
// Polynomials between the nodes of a path with kinks (Matern 3/2) leave some 1e-3 of the interactions.
TEST_P(FollowedPaths, KnowAllPairsOfNodes) {
  const auto& [transform, covariance, second] = GetParam();
  const Followed followed(transform, covariance, second);
  const PathVariances found =
      detail::analyse_pointwise(followed.path, followed.plan, {followed.all_points}, best_instruction_set());
  const Whole expected = followed.truth();
  const double sd = std::sqrt(expected.variance), interactions = expected.variance - expected.main.sum();
  ASSERT_GT(interactions, 1e-3 * expected.variance);
  EXPECT_NEAR(found.mean, expected.mean, 2e-3 * sd);
  for (Index d = 0; d < 2; ++d) {
    EXPECT_NEAR(found.main[0][d], expected.main[d], 0.01 * std::sqrt(expected.main[d] * interactions)) << d;
    EXPECT_NEAR(found.total(d, 0), expected.main[d] + interactions, 0.01 * expected.variance) << d;
  }
  EXPECT_NEAR(found.variance(0), expected.variance, 0.01 * expected.variance);
  for (Index at = 0; at < 3; ++at) {
    Matrix points(followed.plan.rules[1].nodes.size(), 2);
    points << Vector::Constant(points.rows(), followed.plan.grids[0][at]), followed.plan.rules[1].nodes;
    EXPECT_NEAR(found.effects(at, 0), followed.plan.rules[1].weights.dot(path_outputs(followed.path, points)),
                0.01 * sd);
    Matrix turned(followed.plan.rules[0].nodes.size(), 2);
    turned << followed.plan.rules[0].nodes, Vector::Constant(turned.rows(), followed.plan.grids[1][at]);
    EXPECT_NEAR(found.effects(at, 1), followed.plan.rules[0].weights.dot(path_outputs(followed.path, turned)),
                0.01 * sd);
  }
  if (transform == "none") return;
  // The mutant that takes the process for the output.
  const Whole process = over_all_pairs(followed.path, followed.plan.rules[0], followed.plan.rules[1], &path_values);
  EXPECT_GT(std::abs(process.variance - expected.variance), 0.05 * expected.variance);
}

INSTANTIATE_TEST_SUITE_P(List, FollowedPaths,
                         testing::Combine(testing::Values("none", "log", "box-cox", "sinh-arcsinh"),
                                          testing::Values("matern52", "matern32", "rational-quadratic"),
                                          testing::Values("uniform(0,1)", "normal(0.5,0.2)", "values(0.1,0.4,0.7)")));

// Nothing is lost by following a path that is a sum of products.
TEST(FollowedPath, AgreesWithWhatIsExact) {
  const Followed followed("none", "matern52", "triangular(0,0,1)");  // half of that rule is empty
  const std::vector<Matrix> batches = {followed.all_points.topRows(512), followed.all_points.bottomRows(512)};
  const PathVariances exact = analyse_path(followed.path, followed.plan, batches, best_instruction_set());
  const PathVariances found = detail::analyse_pointwise(followed.path, followed.plan, batches, best_instruction_set());
  for (Index d = 0; d < 2; ++d) {
    EXPECT_NEAR(found.main[0][d] + found.main[1][d], 2.0 * exact.main[0][d], 0.01 * exact.variance(0));
    EXPECT_NEAR(found.total(d, 0), exact.total(d, 0), 0.01 * exact.variance(0));
  }
  EXPECT_NEAR(found.variance(0), exact.variance(0), 0.01 * exact.variance(0));
  EXPECT_LT((found.effects - exact.effects).cwiseAbs().maxCoeff(), 0.01 * std::sqrt(exact.variance(0)));
}

// The powers of every instruction set are those of the correlation as it is defined; waves and sums round otherwise.
TEST(FollowedPath, IsTheSameOnEveryInstructionSet) {
  const Followed followed("box-cox", "rational-quadratic", "uniform(0,1)");
  const std::vector<Matrix> batches = {followed.all_points.topRows(21)};
  const PathVariances plain = detail::analyse_pointwise(followed.path, followed.plan, batches, InstructionSet::plain);
  for (const InstructionSet simd : supported_instruction_sets()) {
    const PathVariances found = analyse_path(followed.path, followed.plan, batches, simd);
    EXPECT_NEAR(found.variance(0), plain.variance(0), 1e-9 * plain.variance(0)) << instruction_set_name(simd);
    EXPECT_LT((found.total - plain.total).cwiseAbs().maxCoeff(), 1e-9 * plain.variance(0));
    EXPECT_LT((found.effects - plain.effects).cwiseAbs().maxCoeff(), 1e-9);
  }
}

// The variance of a main effect that is a mean over N points is too large by 1/N of the interactions' part, on average
// over points that are drawn independently; that of two batches together is not. 2400 pairs of batches of four points.
TEST(FollowedPath, HasMainEffectsWithoutBias) {
  const Followed followed("box-cox", "rational-quadratic", "uniform(0,1)");
  constexpr Index kPairs = 2400, kPoints = 4;
  const double truth = followed.truth().main[0];
  Stream stream({.seed = 9, .purpose = Purpose::sample_function});
  Vector ours(kPairs), alone(kPairs);
  for (Index i = 0; i < kPairs; ++i) {
    std::vector<Matrix> batches(2, Matrix(kPoints, 2));
    for (Matrix& batch : batches) {
      for (double& value : batch.reshaped()) value = draw_uniform(stream);
    }
    const auto main_of = [&](const std::vector<Matrix>& some) {
      const PathVariances found = analyse_path(followed.path, followed.plan, some, best_instruction_set());
      double sum = 0.0;
      for (const Vector& main : found.main) sum += main[0] / static_cast<double>(found.main.size());
      return sum;
    };
    ours[i] = main_of(batches);
    alone[i] = main_of({batches.front()});
  }
  const auto error = [](const Vector& values) {
    return std::sqrt((values.array() - values.mean()).square().mean() / static_cast<double>(kPairs));
  };
  EXPECT_NEAR(ours.mean(), truth, 4.0 * error(ours));
  EXPECT_GT(std::abs(alone.mean() - truth), 4.0 * error(alone));  // the mutant: each batch by itself
}

}  // namespace
}  // namespace ta2s2
