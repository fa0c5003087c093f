// Next runs where outputs are transformed.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/predictive/run_criterion.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/predictive/transformed_runs.hpp"

namespace ta2s2 {
namespace {

// The variance of a Student variable, and where half of its squares lie.
TEST(StudentRule, KnowsMomentsAndTails) {
  for (const double df : {3.0, 8.0, 120.0}) {
    const StudentRule rule(df);
    EXPECT_NEAR(rule.mean([](double) { return 1.0; }), 1.0, 1e-14);
    // What lies beyond the rule's end is 1e-9 of the density, and with three degrees of freedom 1e-3 of the variance.
    EXPECT_NEAR(rule.mean([](double t) { return t * t; }), df / (df - 2.0), df > 3.0 ? 1e-6 : 0.01);
    for (const double end : {0.0, 0.7, 3.0, 60.0}) {
      double beyond = 0.0;
      for (const StudentRule::Node& node : rule.beyond(end)) beyond += node.weight;
      const double expected = boost::math::cdf(boost::math::complement(boost::math::students_t(df), end));
      EXPECT_NEAR(beyond, expected, 1e-7 * expected) << df << " " << end;
    }
  }
}

// E f(Y) by Simpson's rule on the process, fine enough for kinks: steps of 1e-3 of the scale.
template <typename Function>
double brute_force(const DrawOutput& output, double mean, double scale, double df, const Function& f) {
  const boost::math::students_t t(df);
  constexpr int kSteps = 80'000;
  constexpr double kEnd = 40.0;
  double sum = 0.0;
  for (int k = 0; k <= kSteps; ++k) {
    const double at = kEnd * (2.0 * k / kSteps - 1.0);
    const double weight = (k == 0 || k == kSteps ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0)) * 2.0 * kEnd / kSteps / 3.0;
    sum += weight * boost::math::pdf(t, at) * f(output.of_process(mean + scale * at));
  }
  return sum;
}

class OutputOf : public testing::TestWithParam<std::string> {};

// With eleven degrees of freedom 1e-11 lies beyond 40 scales. A kink of g^-1 at a clip costs the rule some 1e-3.
TEST_P(OutputOf, HasMomentsAndGainsOfItsLaw) {
  const test::TransformedRuns problem(GetParam(), "matern52");
  const DrawOutput output(*problem.model, problem.parameters);
  constexpr double kDf = 11.0;
  const StudentRule rule(kDf);
  for (const double y : {-0.5, 0.3, 1.8}) {
    for (const double scale : {0.02, 0.4}) {
      const double mean = output.to_process(y);
      EXPECT_NEAR(output.of_process(mean), y, 1e-12);
      EXPECT_NEAR(output.slope(mean), (output.of_process(mean + 1e-5) - output.of_process(mean - 1e-5)) / 2e-5,
                  1e-6 * output.slope(mean));
      const auto expectation = [&](const auto& f) { return brute_force(output, mean, scale, kDf, f); };
      const double first = expectation([](double x) { return x; });
      const double variance = expectation([&](double x) { return (x - first) * (x - first); });
      const DrawOutput::Moments found = output.moments(mean, scale, rule);
      EXPECT_NEAR(found.mean, first, 2e-3 * std::sqrt(variance));
      EXPECT_NEAR(found.variance, variance, 4e-3 * variance);
      for (const double best : {y - 0.6, y - 0.02, y + 0.02, y + 0.6}) {
        for (const double side : {-1.0, 1.0}) {
          const double gain = expectation([&](double x) { return std::max(side * (x - best), 0.0); });
          EXPECT_NEAR(output.mean_gain(best, side, mean, scale, rule), gain, 2e-3 * gain + 1e-7)
              << y << " " << scale << " " << best << " " << side;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(List, OutputOf, testing::Values("log", "box-cox", "sinh-arcsinh"));

struct Criteria {
  ThreadExecutor executor{2};
  Matrix points = test::scattered_points(5, 2, 9), chosen = test::scattered_points(2, 2, 10);

  std::vector<std::unique_ptr<RunCriterion>> all(const Predictive& predictive) {
    std::vector<std::unique_ptr<RunCriterion>> list;
    for (const char* name : {"imse", "loo-imse", "variance", "entropy", "ei-min", "ei-max"}) {
      list.push_back(make_criterion({name}, predictive, 1, executor));
    }
    return list;
  }
};

// The power 1 makes g a straight line: nothing but units of the process changes, and these are not to be seen. The
// quadrature's own error is below 1e-6.
TEST(TransformedCriteria, OfAStraightLineAreThoseOfThePlainOutput) {
  test::TransformedRuns plain("none", "matern52"), line("box-cox", "matern52");
  line.parameters.transform = Vector{{4.0, 1.0}};
  Criteria with;
  const Predictive a = plain.predictive(), b = line.predictive();
  const auto expected = with.all(a), found = with.all(b);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    // Supposed values are drawn in g's units, by the same numbers: both scale alike.
    for (Index added = 0; added <= 2; ++added) {
      if (added > 0) {
        for (const auto& criterion : {expected[k].get(), found[k].get()}) {
          criterion->add_run(with.chosen.row(added - 1), with.executor);
        }
      }
      const Vector truth = expected[k]->values(with.points), ours = found[k]->values(with.points);
      EXPECT_LT(((ours - truth).array() / truth.array()).abs().maxCoeff(), 1e-5) << k << " " << added;
    }
    const auto before = expected[k]->average_variance();
    ASSERT_EQ(before.has_value(), found[k]->average_variance().has_value());
    EXPECT_NEAR(found[k]->average_variance().value_or(0.0), before.value_or(0.0), 1e-5 * before.value_or(0.0));
  }
}

// Values of the output at some points, from joint draws of the process.
Matrix joint_outputs(const test::TransformedRuns& problem, const Matrix& points, Index count) {
  const ConditionalPredictor predictor(*problem.model, problem.parameters);
  const DrawOutput output(*problem.model, problem.parameters);
  const double df = static_cast<double>(predictor.degrees_of_freedom());
  const Matrix factor = Eigen::LLT<Matrix>(predictor.covariance(points, points)).matrixL();
  Stream stream({.seed = 4, .purpose = Purpose::predictive_draw});
  Matrix values(points.rows(), count);
  const Vector mean = predictor.at(points).mean;
  for (Index i = 0; i < count; ++i) {
    const double spread = std::sqrt(0.5 * predictor.S2() / draw_gamma(stream, 0.5 * df));
    const Vector z = mean + spread * (factor * draw_normals(stream, points.rows()));
    for (Index k = 0; k < z.size(); ++k) values(k, i) = 100.0 + 8.0 * output.of_process(z[k]);
  }
  return values;
}

struct MeanAndError {
  double mean, error;
};

MeanAndError mean_and_error(const Vector& values) {
  const double n = static_cast<double>(values.size()), mean = values.mean();
  return {mean, std::sqrt((values.array() - mean).square().sum() / (n - 1.0) / n)};
}

// The variance, and what a third point adds to two, against joint draws of the output: 4.5 standard errors. Mutants:
// the variance and the improvement of the delta method, g^-1 a straight line at the process's mean.
TEST(TransformedCriteria, AreInTheUsersUnits) {
  const test::TransformedRuns problem("box-cox", "rational-quadratic", 8);
  Criteria with;
  const Predictive predictive = problem.predictive();
  const Vector place{{0.9, 0.15}};
  Matrix all(3, 2);
  all << 0.85, 0.2, 0.95, 0.1, place.transpose();
  const Matrix draws = joint_outputs(problem, all, 200'000);
  const MeanAndError squares =
      mean_and_error((draws.row(2).array() - draws.row(2).mean()).square().matrix().transpose());
  const auto variance = make_criterion({"variance"}, predictive, 1, with.executor);
  EXPECT_NEAR(variance->values(place.transpose())[0], squares.mean, 4.5 * squares.error);

  const ConditionalPredictor predictor(*problem.model, problem.parameters);
  const DrawOutput output(*problem.model, problem.parameters);
  Vector mean, c;
  predictor.predict(place.transpose(), mean, c);
  const double df = static_cast<double>(predictor.degrees_of_freedom());
  const double by_delta = 64.0 * std::pow(output.slope(mean[0]), 2) * predictor.S2() / (df - 2.0) * c[0];
  EXPECT_GT(std::abs(by_delta - squares.mean), 4.5 * squares.error);

  for (const double sign : {-1.0, 1.0}) {
    Vector at_runs(8);
    const Matrix& X = problem.model->X();
    const StudentRule rule(df);
    const ConditionalPredictor::Points runs = predictor.at(X);
    const Vector c_runs = predictor.variance(runs);
    for (Index i = 0; i < 8; ++i) {
      at_runs[i] = 100.0 + 8.0 * output.moments(runs.mean[i], std::sqrt(predictor.S2() / df * c_runs[i]), rule).mean;
    }
    const double best = (sign * at_runs).maxCoeff();
    Vector added(draws.cols());
    for (Index i = 0; i < draws.cols(); ++i) {
      const double before = std::max(best, (sign * draws.col(i).head(2)).maxCoeff());
      added[i] = std::max(sign * draws(2, i) - before, 0.0);
    }
    Vector promised(400);
    for (Index seed = 0; seed < promised.size(); ++seed) {
      const auto criterion =
          detail::make_improvement_criterion(predictive, sign, static_cast<std::uint64_t>(seed), with.executor);
      criterion->add_run(all.row(0), with.executor);
      criterion->add_run(all.row(1), with.executor);
      promised[seed] = criterion->values(place.transpose())[0];
    }
    const MeanAndError drawn = mean_and_error(added), ours = mean_and_error(promised);
    EXPECT_LT(std::abs(drawn.mean - ours.mean), 4.5 * std::hypot(drawn.error, ours.error)) << sign;
  }
}

// By how much the variance falls, in the user's units: where the law is so narrow that g^-1 is nearly a straight line,
// the ratio at the reference points is the square of its slope there. Mutant: variances in units of g.
TEST(TransformedCriteria, ImseIsAFallOfTheOutputsVariance) {
  const test::TransformedRuns problem("box-cox", "matern52", 40);
  Criteria with;
  const Predictive predictive = problem.predictive();
  const Matrix reference = test::scattered_points(30, 2, 11);
  const auto criterion =
      detail::make_imse_criterion(predictive, reference, Vector::Constant(30, 1.0 / 30.0), with.executor);
  const ConditionalPredictor predictor(*problem.model, problem.parameters);
  const DrawOutput output(*problem.model, problem.parameters);
  const Vector means = predictor.at(reference).mean;
  const Matrix c = predictor.covariance(reference, with.points);
  const Vector own = predictor.variance(predictor.at(with.points));
  const double v = predictor.S2() / static_cast<double>(predictor.degrees_of_freedom() - 2);
  const Vector values = criterion->values(with.points);
  for (Index i = 0; i < with.points.rows(); ++i) {
    double fall = 0.0, of_process = 0.0;
    for (Index r = 0; r < 30; ++r) {
      const double part = v * c(r, i) * c(r, i) / (own[i] + problem.parameters.nugget) / 30.0;
      fall += 64.0 * std::pow(output.slope(means[r]), 2) * part;
      of_process += part;
    }
    EXPECT_NEAR(values[i], fall, 0.05 * fall);
    EXPECT_GT(std::abs(of_process - values[i]), 0.2 * values[i]);
  }
}

}  // namespace
}  // namespace ta2s2
