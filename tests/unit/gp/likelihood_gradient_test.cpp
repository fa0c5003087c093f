#include "ta2s2/gp/likelihood_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "finite_difference.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

// At a nugget of 1e-3 a likelihood of 12 runs is right to 1e-11 (its own tests), hence a difference quotient of step
// 0.02 to some 1e-8; the truncated terms, of order 0.02^6 = 6e-11, are less.
constexpr double kStep = 0.02;
constexpr double kTolerance = 1e-7;

LikelihoodGradient gradient_at(const GpModel& model, const GpParameters& parameters) {
  GpFactor factor;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  GradientScratch scratch;
  LikelihoodGradient gradient;
  log_likelihood_gradient(model, parameters, factor, scratch, gradient);
  return gradient;
}

double log_likelihood_at(const GpModel& model, const GpParameters& parameters) {
  GpFactor factor;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  return log_likelihood(model, factor);
}

void expect_derivatives(const GpModel& model, const GpParameters& parameters) {
  const LikelihoodGradient found = gradient_at(model, parameters);
  const auto by_position = [&](const Vector& log_phi) {
    return log_likelihood_at(model, {log_phi.array().exp(), parameters.nugget});
  };
  const Vector expected = test::gradient(by_position, parameters.phi.array().log(), kStep);
  for (Index d = 0; d < expected.size(); ++d) {
    EXPECT_NEAR(found.by_log_phi[d], expected[d], kTolerance * std::max(1.0, std::abs(expected[d]))) << d;
  }
  // In log nugget, as steps of the nugget itself would have to be tiny.
  const auto by_log_nugget = [&](double value) { return log_likelihood_at(model, {parameters.phi, std::exp(value)}); };
  EXPECT_NEAR(found.by_nugget * parameters.nugget, test::derivative(by_log_nugget, std::log(parameters.nugget), kStep),
              kTolerance);
}

const std::vector<std::string> kTrends = {"none", "constant", "linear", "terms(x2,x1^2)"};

TEST(LikelihoodGradient, IsTheDerivativeForEveryCorrelationAndTrend) {
  for (const auto& covariance : covariance_examples()) {
    for (const auto& trend : kTrends) {
      SCOPED_TRACE(covariance + ' ' + trend);
      expect_derivatives(test::small_model(12, 3, trend, covariance), test::some_parameters(3));
    }
  }
}

// More runs than fit in one block or chunk, and a number that halves unevenly.
TEST(LikelihoodGradient, IsTheDerivativeForManyRuns) {
  expect_derivatives(test::small_model(75, 2, "linear", "matern32"), test::some_parameters(2, 1e-2));
}

TEST(LikelihoodGradient, IsTheDerivativeUnderThePapersExponent) {
  for (const auto& covariance : covariance_examples()) {
    SCOPED_TRACE(covariance);
    expect_derivatives(test::small_model(12, 3, "none", covariance, Exponent::paper), test::some_parameters(3));
  }
}

// The formula with dense matrices in long double; `A` is Q, or what someone might take for it.
Vector dense_gradient(const GpModel& model, const GpParameters& parameters, const test::DenseTruth& truth,
                      const test::LongMatrix& A) {
  Matrix K, dK;
  model.covariance().fill(model.X(), parameters.phi, K);
  const test::LongVector alpha = truth.Q * truth.y;
  const auto m = static_cast<long double>(model.degrees_of_freedom());
  Vector gradient(model.num_inputs());
  for (Index d = 0; d < gradient.size(); ++d) {
    model.covariance().fill_derivative(model.X(), parameters.phi, K, d, dK);
    const test::LongMatrix D = dK.cast<long double>();
    gradient[d] = static_cast<double>(-0.5L * (A * D).trace() + 0.5L * m * alpha.dot(D * alpha) / truth.S2);
  }
  return gradient;
}

TEST(LikelihoodGradient, AgreesWithDenseAlgebra) {
  for (const auto& trend : kTrends) {
    const GpModel model = test::small_model(12, 3, trend);
    const GpParameters parameters = test::some_parameters(3);
    const test::DenseTruth truth(model, parameters);
    const Vector expected = dense_gradient(model, parameters, truth, truth.Q);
    EXPECT_LT((gradient_at(model, parameters).by_log_phi - expected).cwiseAbs().maxCoeff(), 1e-9) << trend;
  }
}

// The mutant of all tests above: the trend's determinant left out, K^-1 in place of Q. They would see it.
TEST(LikelihoodGradient, ADroppedTrendTermIsCaught) {
  for (const auto& trend : kTrends) {
    if (trend == "none") continue;
    const GpModel model = test::small_model(12, 3, trend);
    const GpParameters parameters = test::some_parameters(3);
    const test::DenseTruth truth(model, parameters);
    const Vector wrong = dense_gradient(model, parameters, truth, truth.K_inverse);
    EXPECT_GT((gradient_at(model, parameters).by_log_phi - wrong).cwiseAbs().maxCoeff(), 1e3 * kTolerance) << trend;
  }
}

TEST(LikelihoodGradient, ASecondUseOfTheScratchChangesNothing) {
  const GpModel model = test::small_model(12, 3, "linear"), other = test::small_model(20, 2, "constant");
  GpFactor factor;
  GradientScratch scratch;
  LikelihoodGradient gradient;
  factorise(other, test::some_parameters(2), factor);
  log_likelihood_gradient(other, test::some_parameters(2), factor, scratch, gradient);
  factorise(model, test::some_parameters(3), factor);
  log_likelihood_gradient(model, test::some_parameters(3), factor, scratch, gradient);
  EXPECT_EQ(gradient.by_log_phi, gradient_at(model, test::some_parameters(3)).by_log_phi);
}

}  // namespace
}  // namespace ta2s2
