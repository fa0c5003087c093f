#include "ta2s2/gp/integrated_posterior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "finite_difference.hpp"
#include "ta2s2/error.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

double log_likelihood_at(const GpModel& model, const GpParameters& parameters) {
  GpFactor factor;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  return log_likelihood(model, factor);
}

class LikelihoodOfEachTrend : public testing::TestWithParam<std::string> {};

TEST_P(LikelihoodOfEachTrend, AgreesWithDenseAlgebra) {
  for (const auto& covariance : covariance_examples()) {
    const GpModel model = test::small_model(12, 3, GetParam(), covariance);
    const GpParameters parameters = test::some_parameters(3);
    GpFactor factor;
    ASSERT_EQ(factorise(model, parameters, factor), Impossible::no);
    const test::DenseTruth truth(model, parameters);
    EXPECT_NEAR(factor.log_det_K, static_cast<double>(truth.log_det_K), test::kDenseTolerance);
    EXPECT_NEAR(factor.log_det_trend, static_cast<double>(truth.log_det_trend), test::kDenseTolerance);
    EXPECT_NEAR(factor.S2 / static_cast<double>(truth.S2), 1.0, test::kDenseTolerance);
    const double m = static_cast<double>(12 - model.num_trend_columns());
    const double expected =
        std::lgamma(0.5 * m) - 0.5 * m * std::log(std::numbers::pi) -
        static_cast<double>(0.5L * truth.log_det_K + 0.5L * truth.log_det_trend + 0.5L * m * std::log(truth.S2));
    EXPECT_NEAR(log_likelihood(model, factor), expected, 10 * test::kDenseTolerance) << covariance;
  }
}

// y and y + H b have the same likelihood, and a y has it lower by m log a.
TEST_P(LikelihoodOfEachTrend, ShiftsAndScales) {
  const GpModel model = test::small_model(12, 3, GetParam());
  const GpParameters parameters = test::some_parameters(3);
  const double base = log_likelihood_at(model, parameters);
  const double scale = 37.0;
  Vector y = scale * model.y();
  if (model.H().cols() > 0) y += model.H() * Vector::LinSpaced(model.H().cols(), 3.0, 5.0);
  const GpModel moved(model.X(), y, model.trend(), make_covariance("matern52"));
  EXPECT_NEAR(log_likelihood_at(moved, parameters), base - static_cast<double>(model.residual_rank()) * std::log(scale),
              1e-9);
}

// Under y -> a + b y a transformation whose constants are found anew is the same of the runs, so that all likelihoods,
// and with them the evidence, fall by m log b: what the user's unit is does not tell models apart. The logarithm alone
// keeps the user's zero, which moves with a here.
TEST(TransformedLikelihood, KnowsTheUnitOnlyByItsPower) {
  for (const auto& choice : test::model_choices()) {
    if (choice.transform == "none") continue;
    const GpModel model = test::model_with(choice, 14, 2);
    for (const GpParameters& at : test::scattered_parameters(model, 5, {-3.0, 2.0}, 1e-3)) {
      for (const double b : {1e-3, 37.0}) {
        const double a = 5.0 * b, zero = a + b * (model.y().minCoeff() - 0.1);
        const Vector y = a + b * model.y().array();
        const GpModel moved(model.X(), y, model.trend(), make_covariance(choice.covariance), Exponent::model,
                            choice.prior, OutputTransform::from(choice.transform, y, zero));
        const double m = static_cast<double>(model.degrees_of_freedom());
        // sinh-arcsinh's scale has a lower bound in units of a standardised output, which is beyond these.
        if (choice.transform == "sinh-arcsinh" && b < 1.0) continue;
        // a + b y loses a digit of y, and box-cox divides by as little as e^-7.
        EXPECT_NEAR(log_likelihood_at(moved, at), log_likelihood_at(model, at) - m * std::log(b), 1e-8)
            << choice.name() << " " << at.transform.transpose();
      }
    }
  }
}

// The mutant of the test above: all runs' slopes, n of them, in place of m.
TEST(TransformedLikelihood, AJacobianOfAllRunsIsCaught) {
  const GpModel model = test::model_with({"linear", "matern52", "box-cox"}, 14, 2);
  const GpParameters at = test::some_parameters(model);
  Vector outputs;
  const double per_run = model.transform_outputs(at.transform, outputs) / model.jacobian_share(14) / 14.0;
  EXPECT_EQ(model.jacobian_share(14), 11.0 / 14.0);
  EXPECT_EQ(model.jacobian_share(8), 5.0 / 8.0);
  EXPECT_GT(std::abs(3.0 * per_run), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(List, LikelihoodOfEachTrend, testing::Values("none", "constant", "linear", "terms(x2,x1^2)"));

// The constants, from the integral itself: N(y; beta 1, sigma^2 K) over beta and log sigma^2 by the
// trapezoidal rule, which converges geometrically for such bells; the range leaves out less than 1e-9 of the
// mass.
TEST(IntegratedLikelihood, IsTheIntegral) {
  const GpModel model = test::small_model(8, 2);
  const GpParameters parameters = test::some_parameters(2);
  const test::DenseTruth truth(model, parameters);
  const double information = static_cast<double>(truth.trend_information(0, 0));
  const double beta_hat = static_cast<double>((truth.H.transpose() * truth.K_inverse * truth.y)(0)) / information;
  const double log_S2 = std::log(static_cast<double>(truth.S2)), half_n = 4.0;
  double sum = 0.0;
  const double step_w = 0.05, step_b = 0.05;
  for (double w = -8.0; w <= 12.0; w += step_w) {  // log sigma^2 - log S2
    const double sd = std::sqrt(std::exp(w + log_S2) / information);
    for (double b = -9.0; b <= 9.0; b += step_b) {  // (beta - beta_hat) / sd
      const test::LongVector r = truth.y - truth.H * static_cast<long double>(beta_hat + b * sd);
      const double quadratic = static_cast<double>(r.dot(truth.K_inverse * r)) / std::exp(w + log_S2);
      sum += std::exp(-half_n * (std::log(2.0 * std::numbers::pi) + w + log_S2) -
                      0.5 * static_cast<double>(truth.log_det_K) - 0.5 * quadratic) *
             sd * step_w * step_b;
    }
  }
  EXPECT_NEAR(std::log(sum), log_likelihood_at(model, parameters), 1e-8);
}

TEST(IntegratedLikelihood, PapersExponent) {
  const GpModel model = test::small_model(12, 3, "none", "squared-exponential", Exponent::paper);
  const GpParameters parameters = test::some_parameters(3);
  const test::DenseTruth truth(model, parameters);
  EXPECT_EQ(model.degrees_of_freedom(), 9);
  EXPECT_NEAR(log_likelihood_at(model, parameters),
              static_cast<double>(-0.5L * truth.log_det_K - 4.5L * std::log(truth.S2)), 10 * test::kDenseTolerance);
  EXPECT_THROW(test::small_model(12, 3, "constant", "matern52", Exponent::paper), Error);
}

TEST(IntegratedLikelihood, OrderOfInputsDoesNotMatter) {
  const GpModel model = test::small_model(12, 3);
  const GpParameters parameters = test::some_parameters(3);
  const GpModel swapped(model.X().rowwise().reverse(), model.y(), model.trend(), make_covariance("matern52"));
  GpParameters reversed = parameters;
  reversed.phi.reverseInPlace();
  EXPECT_NEAR(log_likelihood_at(swapped, reversed), log_likelihood_at(model, parameters), test::kDenseTolerance);
}

TEST(IntegratedLikelihood, ASecondUseOfTheFactorChangesNothing) {
  const GpModel model = test::small_model(12, 3, "linear"), other = test::small_model(20, 2, "none");
  GpFactor reused;
  factorise(other, test::some_parameters(2), reused);
  factorise(model, test::some_parameters(3), reused);
  EXPECT_EQ(log_likelihood(model, reused), log_likelihood_at(model, test::some_parameters(3)));
}

TEST(IntegratedLikelihood, SaysWhyAPointIsImpossible) {
  Matrix X = test::scattered_points(8, 2);
  X.row(3) = X.row(5);
  const GpModel model(X, test::smooth_output(X), Trend("constant", {"a", "b"}), make_covariance("matern52"));
  GpFactor factor;
  EXPECT_EQ(factorise(model, {Vector::Constant(2, 0.5), 0.0}, factor), Impossible::not_positive_definite);
  EXPECT_EQ(factorise(model, {Vector::Constant(2, 0.5), NAN}, factor), Impossible::not_finite);
}

TEST(GpModel, RefusesTooFewRunsAndDependentTrends) {
  const auto code = [](auto make) {
    try {
      make();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code([] { test::small_model(3, 2, "constant"); }), ErrorCode::bad_data);  // m = 2
  EXPECT_NO_THROW(test::small_model(4, 2, "constant"));
  EXPECT_EQ(code([] { test::small_model(5, 3, "none", "matern52", Exponent::paper); }), ErrorCode::bad_data);
  Matrix X = test::scattered_points(9, 2);
  X.col(1) = (X.col(1).array() > 0.5).cast<double>();  // an input of zeros and ones is its own square
  const Vector y = test::smooth_output(X);
  EXPECT_EQ(code([&] {
              GpModel(X, y, Trend("terms(b,b^2)", {"a", "b"}), make_covariance("matern52"));
            }),
            ErrorCode::bad_data);
}

// At a nugget of 1e-3 a likelihood of 12 runs is right to 1e-11 (its own tests), hence a difference quotient of step
// 0.02 to some 1e-8; the truncated terms, of order 0.02^6 = 6e-11, are less.
constexpr double kStep = 0.02;
constexpr double kGradientTolerance = 1e-7;

LikelihoodGradient gradient_at(const GpModel& model, const GpParameters& parameters) {
  GpFactor factor;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  GradientScratch scratch;
  LikelihoodGradient gradient;
  log_likelihood_gradient(model, parameters, factor, scratch, gradient);
  return gradient;
}

void expect_derivatives(const GpModel& model, const GpParameters& parameters) {
  const Vector found = test::joined(model, gradient_at(model, parameters), parameters.nugget);
  const auto value = [&](const Vector& z) { return log_likelihood_at(model, test::parameters_at(model, z)); };
  const Vector expected = test::gradient(value, test::coordinates_of(model, parameters), kStep);
  for (Index d = 0; d < expected.size(); ++d) {
    EXPECT_NEAR(found[d], expected[d], kGradientTolerance * std::max(1.0, std::abs(expected[d]))) << d;
  }
}

const std::vector<std::string> kTrends = {"none", "constant", "linear", "terms(x2,x1^2)"};

TEST(LikelihoodGradient, IsTheDerivativeForEveryModel) {
  for (const auto& choice : test::model_choices()) {
    SCOPED_TRACE(choice.name());
    const GpModel model = test::model_with(choice, 12, 3);
    expect_derivatives(model, test::some_parameters(model));
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
  model.covariance().fill(model.X(), parameters, K);
  const test::LongVector alpha = truth.Q * truth.y;
  const auto m = static_cast<long double>(model.degrees_of_freedom());
  Vector gradient(model.num_inputs());
  for (Index d = 0; d < gradient.size(); ++d) {
    model.covariance().fill_derivative(model.X(), parameters, K, d, dK);
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
    EXPECT_GT((gradient_at(model, parameters).by_log_phi - wrong).cwiseAbs().maxCoeff(), 1e3 * kGradientTolerance)
        << trend;
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
