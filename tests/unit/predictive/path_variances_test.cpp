#include "ta2s2/predictive/function_variances.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/design.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

struct Whole {
  double mean, variance;
  Vector main;
};

// Of two inputs, straight from the values at all pairs of nodes.
Whole over_all_pairs(const SampleFunction& path, const Quadrature& a, const Quadrature& b) {
  Matrix values(a.nodes.size(), b.nodes.size());
  for (Index j = 0; j < b.nodes.size(); ++j) {
    Matrix points(a.nodes.size(), 2);
    points << a.nodes, Vector::Constant(a.nodes.size(), b.nodes[j]);
    values.col(j) = path_values(path, points);
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
    EXPECT_NEAR(found.main[d], expected.main[d], 1e-9);
    EXPECT_NEAR(found.total(d, 0), expected.main[d] + interactions, 0.01 * interactions) << d;
  }
  EXPECT_NEAR(found.variance(0), expected.variance, 0.01 * interactions);

  // A main effect, at one value, is the average over the other input.
  const Matrix& rule_points = plan.rules[1].nodes;
  Matrix points(rule_points.rows(), 2);
  points << Vector::Constant(rule_points.rows(), 0.5), rule_points;
  EXPECT_NEAR(found.effects(1, 0), plan.rules[1].weights.dot(path_values(path, points)), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(List, PathVariancesOf,
                         testing::Combine(testing::ValuesIn(covariance_examples()),
                                          testing::Values("none", "terms(x2,x1^2)"),
                                          testing::Values("uniform(0,1)", "normal(0.5,0.2)", "values(0.1,0.4,0.9)")));

// An input that is held at one value has no effect, and the other's index is all there is.
TEST(PathVariances, OfOneInputThatVaries) {
  const GpModel model = test::small_model(14, 2);
  Stream stream({.seed = 5, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(model, test::some_parameters(2), 64, stream);
  const auto a = make_input_distribution("uniform(0,1)"), b = make_input_distribution("values(0.3)");
  const AnalysisPlan plan{{a->quadrature(), b->quadrature()}, {Vector::Zero(1), Vector::Zero(1)}};
  const PathVariances found = analyse_path(path, plan, {points_of(*a, *b, 16)}, InstructionSet::plain);
  EXPECT_NEAR(found.main[1], 0.0, 1e-12);
  EXPECT_NEAR(found.total(1, 0), 0.0, 1e-12);
  EXPECT_NEAR(found.interactions[0], 0.0, 1e-9);
  EXPECT_GT(found.main[0], 0.1);
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
  EXPECT_NEAR(found.main[0], rule.weights.dot((values.array() - mean).square().matrix()), 1e-10);
  EXPECT_NEAR(found.total(0, 0), found.main[0], 1e-10);
}

}  // namespace
}  // namespace ta2s2
