#include "ta2s2/gp/conditional_predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/gp/long_likelihood.hpp"

namespace ta2s2 {
namespace {

class PredictorOfEachTrend : public testing::TestWithParam<std::string> {
 protected:
  const GpModel model = test::small_model(12, 2, GetParam());
  const GpParameters parameters = test::some_parameters(2);
  const ConditionalPredictor predictor{model, parameters};
  const test::DenseTruth truth{model, parameters};
  const Matrix X_a = test::scattered_points(70, 2, 5);
  const Matrix X_b = test::scattered_points(3, 2, 6);

  test::LongMatrix cross(const Matrix& X_new) const {
    Matrix T;
    model.covariance().fill_cross(model.X(), X_new, parameters, T);
    return T.cast<long double>();
  }

  // r = h - H' K^-1 t, (q, points).
  test::LongMatrix trend_gap(const Matrix& X_new) const {
    return model.trend().columns(X_new).transpose().cast<long double>() -
           truth.H.transpose() * truth.K_inverse * cross(X_new);
  }

  test::LongMatrix dense_covariance() const {
    Matrix k;
    model.covariance().fill_cross(X_a, X_b, parameters, k);
    test::LongMatrix c = k.cast<long double>() - cross(X_a).transpose() * truth.K_inverse * cross(X_b);
    if (model.num_trend_columns() > 0) {
      c += trend_gap(X_a).transpose() * test::long_inverse(truth.trend_information) * trend_gap(X_b);
    }
    return c;
  }
};

TEST_P(PredictorOfEachTrend, MeanIsThatOfTheFormula) {
  test::LongVector beta(model.num_trend_columns());
  if (beta.size() > 0)
    beta = test::long_inverse(truth.trend_information) * (truth.H.transpose() * truth.K_inverse * truth.y);
  const test::LongVector weights = truth.K_inverse * (truth.y - truth.H * beta);
  const test::LongVector expected =
      model.trend().columns(X_a).cast<long double>() * beta + cross(X_a).transpose() * weights;
  Vector mean, c;
  predictor.predict(X_a, mean, c);
  EXPECT_LT((mean - expected.cast<double>()).cwiseAbs().maxCoeff(), test::kDenseTolerance);
  EXPECT_LT((predictor.beta_hat() - beta.cast<double>()).norm(), test::kDenseTolerance);
  EXPECT_NEAR(predictor.S2(), static_cast<double>(truth.S2), test::kDenseTolerance * static_cast<double>(truth.S2));
  EXPECT_EQ(predictor.degrees_of_freedom(), 12 - model.num_trend_columns());
  EXPECT_EQ(predictor.nugget(), 1e-3);
}

TEST_P(PredictorOfEachTrend, CovarianceIsThatOfTheFormula) {
  const Matrix c_ab = predictor.covariance(X_a, X_b);
  EXPECT_LT((c_ab - dense_covariance().cast<double>()).cwiseAbs().maxCoeff(), test::kDenseTolerance);
  Vector mean, c;
  predictor.predict(X_b, mean, c);
  EXPECT_LT((predictor.covariance(X_b, X_b).diagonal() - c).cwiseAbs().maxCoeff(), test::kDenseTolerance);
  EXPECT_GT(c.minCoeff(), 0.0);
}

TEST_P(PredictorOfEachTrend, LeaveOneOutEqualsARefit) {
  const auto loo = predictor.leave_one_out();
  EXPECT_EQ(loo.degrees_of_freedom, predictor.degrees_of_freedom() - 1);
  for (Index i = 0; i < 12; ++i) {
    Matrix X(11, 2);
    Vector y(11);
    for (Index j = 0, row = 0; j < 12; ++j) {
      if (j == i) continue;
      X.row(row) = model.X().row(j);
      y[row++] = model.y()[j];
    }
    const GpModel rest(X, y, model.trend(), make_covariance("matern52"));
    const ConditionalPredictor refit(rest, parameters);
    Vector mean, c;
    refit.predict(model.X().row(i), mean, c);
    const double df = static_cast<double>(refit.degrees_of_freedom());
    EXPECT_NEAR(loo.mean[i], mean[0], test::kDenseTolerance);
    EXPECT_NEAR(loo.scale2[i] / (refit.S2() / df * (c[0] + refit.nugget())), 1.0, 1e-8);
    EXPECT_EQ(loo.degrees_of_freedom, refit.degrees_of_freedom());
  }
}

INSTANTIATE_TEST_SUITE_P(List, PredictorOfEachTrend, testing::Values("none", "constant", "linear", "terms(x2,x1^2)"));

TEST(ConditionalPredictor, InterpolatesWithoutNugget) {
  const GpModel model = test::small_model(10, 2);
  const ConditionalPredictor predictor(model, test::some_parameters(2, 0.0));
  Vector mean, c;
  predictor.predict(model.X(), mean, c);
  // Condition about 1e3, times rounding; c has c(x, x) = 1 - 1 behind it.
  EXPECT_LT((mean - model.y()).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT(c.maxCoeff(), 1e-12);
  EXPECT_GE(c.minCoeff(), 0.0);
}

// In units of g, under either kind of correlation: the others' model has the same g.
TEST(ConditionalPredictor, LeaveOneOutOfTransformedOutputsEqualsARefit) {
  for (const auto& choice : test::model_choices()) {
    if (choice.transform == "none" || choice.prior != TrendPrior::flat) continue;
    const GpModel model = test::model_with(choice, 12, 2);
    const GpParameters parameters = test::some_parameters(model);
    const ConditionalPredictor predictor(model, parameters);
    const auto loo = predictor.leave_one_out();
    for (Index i = 0; i < 12; ++i) {
      SCOPED_TRACE(testing::Message() << choice.name() << " " << i);
      Matrix X = model.X();
      Vector y = model.y();
      X.row(i).swap(X.row(11));
      std::swap(y[i], y[11]);
      const GpModel rest(X.topRows(11), y.head(11), model.trend(), make_covariance(choice.covariance), Exponent::model,
                         TrendPrior::flat, model.transform());
      const ConditionalPredictor refit(rest, parameters);
      Vector mean, c;
      refit.predict(model.X().row(i), mean, c);
      const double df = static_cast<double>(refit.degrees_of_freedom());
      EXPECT_NEAR(loo.mean[i], mean[0], 10.0 * test::kDenseTolerance);
      EXPECT_NEAR(loo.scale2[i] / (refit.S2() / df * (c[0] + refit.nugget())), 1.0, 1e-8);
      EXPECT_NEAR(predictor.output()[i],
                  static_cast<double>(test::long_image(model.transform(), model.y()[i], parameters.transform).value),
                  1e-13);
    }
  }
}

// log p(y) = log p(y_i | y without i) + log p(y without i): the t density must be the ratio of integrated
// likelihoods.
TEST(ConditionalPredictor, LeaveOneOutIsTheRatioOfLikelihoods) {
  const GpModel model = test::small_model(10, 2, "linear");
  const GpParameters parameters = test::some_parameters(2);
  const auto loo = ConditionalPredictor(model, parameters).leave_one_out();
  const GpModel rest(model.X().topRows(9), model.y().head(9), model.trend(), make_covariance("matern52"));
  GpFactor whole, without;
  ASSERT_EQ(factorise(model, parameters, whole), Impossible::no);
  ASSERT_EQ(factorise(rest, parameters, without), Impossible::no);
  const double df = static_cast<double>(loo.degrees_of_freedom), residual = model.y()[9] - loo.mean[9];
  const double log_t = std::lgamma(0.5 * (df + 1.0)) - std::lgamma(0.5 * df) -
                       0.5 * std::log(df * M_PI * loo.scale2[9]) -
                       0.5 * (df + 1.0) * std::log1p(residual * residual / (df * loo.scale2[9]));
  EXPECT_NEAR(log_t, log_likelihood(model, whole) - log_likelihood(rest, without), 1e-9);
}

TEST(ConditionalPredictor, ARunTheTrendCannotDoWithoutHasNoLeaveOneOut) {
  Matrix X = test::scattered_points(8, 2);
  X.col(1).setZero();
  X(4, 1) = 1.0;  // the only run that tells the slope along the second input
  const GpModel model(X, test::smooth_output(X), Trend("linear", {"a", "b"}), make_covariance("matern52"));
  const auto loo = ConditionalPredictor(model, test::some_parameters(2)).leave_one_out();
  for (Index i = 0; i < 8; ++i) EXPECT_EQ(std::isinf(loo.scale2[i]), i == 4) << i;
  EXPECT_TRUE(loo.mean.allFinite());
}

TEST(ConditionalPredictor, PapersExponentHasItsDegreesOfFreedom) {
  const GpModel model = test::small_model(12, 3, "none", "squared-exponential", Exponent::paper);
  EXPECT_EQ(ConditionalPredictor(model, test::some_parameters(3)).degrees_of_freedom(), 9);
}

}  // namespace
}  // namespace ta2s2
