// The unit-information prior of a trend's coefficients against the process that it stands for: correlation K + H1 V H1'
// with V = g (H1' Q0 H1)^-1, and an intercept alone (docs/math.md, section 13). In long double, by explicit inverses.
#include "ta2s2/gp/gp_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "finite_difference.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/block_predictor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/likelihood_engine.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

const std::vector<std::string> kInputs = {"a", "length (mm)", "c"};

Matrix points() {
  Matrix X(2, 3);
  X << 0.0, 0.5, 1.0, 0.25, 0.75, 0.5;
  return X;
}

TEST(Trend, Columns) {
  EXPECT_EQ(Trend("none", kInputs).size(), 0);
  EXPECT_EQ(Trend("none", kInputs).columns(points()).rows(), 2);
  EXPECT_EQ(Trend("constant", kInputs).columns(points()), Matrix::Ones(2, 1).eval());
  Matrix linear(2, 4);
  linear << 1, 0.0, 0.5, 1.0, 1, 0.25, 0.75, 0.5;
  EXPECT_EQ(Trend("linear", kInputs).columns(points()), linear);
  Matrix chosen(2, 3);
  chosen << 1, 0.5, 1.0, 1, 0.75, 0.25;
  const Trend terms("terms(length (mm), c^2)", kInputs);
  EXPECT_EQ(terms.columns(points()), chosen);
  EXPECT_EQ(terms.size(), 3);
  EXPECT_EQ(terms.spec(), "terms(length (mm), c^2)");
}

TEST(Trend, RefusesWithASentence) {
  const auto message = [](const std::string& spec) -> std::string {
    try {
      Trend(spec, kInputs);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("quadratic"), testing::HasSubstr("none, constant, linear, terms(a,b,a^2)"));
  EXPECT_THAT(message("terms(b)"), testing::HasSubstr("the inputs are a, length (mm), c"));
  EXPECT_THAT(message("terms(a,a)"), testing::HasSubstr("twice"));
  EXPECT_THAT(message("terms(a"), testing::HasSubstr("is not a trend"));
}

using test::LongMatrix;
using test::LongVector;

GpModel proper_model(Index n, Index p, const std::string& trend, const std::string& covariance = "matern52") {
  const Matrix X = test::scattered_points(n, p);
  return GpModel(X, test::smooth_output(X), Trend(trend, test::input_names(p)), make_covariance(covariance),
                 Exponent::model, TrendPrior::unit_information);
}

// Ordinary kriging, an intercept alone, with the correlation that the prior of the other coefficients leads to.
struct SumOfProcesses {
  LongMatrix K, V, Q;
  LongVector y;
  long double S2, log_det_K, one_K_one;

  SumOfProcesses(const GpModel& model, const GpParameters& parameters) {
    Matrix plain;
    model.covariance().fill(model.X(), parameters, plain);
    K = plain.cast<long double>();
    K.diagonal().array() += static_cast<long double>(parameters.nugget);
    y = model.y().cast<long double>();
    const Index n = K.rows(), slopes = model.num_trend_columns() - 1;
    const LongMatrix H1 = model.H().rightCols(slopes).cast<long double>();
    V = static_cast<long double>(n) * test::long_inverse(H1.transpose() * contrasts(K) * H1);
    K += H1 * V * H1.transpose();
    Q = contrasts(K);
    S2 = y.dot(Q * y);
    log_det_K = test::long_log_determinant(K);
    one_K_one = test::long_inverse(K).sum();
  }

  // K^-1 - K^-1 1 (1' K^-1 1)^-1 1' K^-1.
  static LongMatrix contrasts(const LongMatrix& K) {
    const LongMatrix inverse = test::long_inverse(K);
    const LongVector sums = inverse.rowwise().sum();
    return inverse - sums * sums.transpose() / inverse.sum();
  }

  double log_likelihood() const {
    const long double half = 0.5L * static_cast<long double>(y.size() - 1);
    return static_cast<double>(std::lgamma(half) - half * std::log(std::numbers::pi_v<long double>) - 0.5L * log_det_K -
                               0.5L * std::log(one_K_one) - half * std::log(S2));
  }
};

const std::vector<std::string> kTrends = {"linear", "terms(x1,x2^2)"};

double log_likelihood_of(const GpModel& model, const GpParameters& parameters) {
  GpFactor factor;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  return log_likelihood(model, factor);
}

TEST(UnitInformation, LikelihoodIsThatOfTheSumOfProcesses) {
  for (const std::string& trend : kTrends) {
    const GpModel model = proper_model(14, 2, trend);
    const GpParameters parameters = test::some_parameters(2);
    const double truth = SumOfProcesses(model, parameters).log_likelihood();
    EXPECT_NEAR(log_likelihood_of(model, parameters), truth, test::kDenseTolerance * std::abs(truth)) << trend;
  }
}

// What a wrong power of 1 + g would do: far beyond the tolerance.
TEST(UnitInformation, AWrongPowerIsCaught) {
  const GpModel model = proper_model(14, 2, "linear");
  const GpParameters parameters = test::some_parameters(2);
  const double mutant = log_likelihood_of(model, parameters) + 0.5 * std::log(1.0 + 14.0);
  const double truth = SumOfProcesses(model, parameters).log_likelihood();
  EXPECT_GT(std::abs(mutant - truth), 1e6 * test::kDenseTolerance * std::abs(truth));
}

TEST(UnitInformation, LeavesTheFreedomOfAnInterceptWhateverTheTrend) {
  EXPECT_EQ(proper_model(14, 2, "linear").degrees_of_freedom(), 13);
  EXPECT_EQ(proper_model(14, 2, "constant").degrees_of_freedom(), 13);
  EXPECT_EQ(proper_model(14, 2, "none").degrees_of_freedom(), 14);
  EXPECT_EQ(proper_model(14, 2, "linear").residual_rank(), 11);
}

TEST(UnitInformation, IsFlatWhereThereIsNothingButAnIntercept) {
  const GpParameters parameters = test::some_parameters(2);
  for (const char* trend : {"none", "constant"}) {
    EXPECT_EQ(log_likelihood_of(proper_model(14, 2, trend), parameters),
              log_likelihood_of(test::small_model(14, 2, trend), parameters));
  }
}

TEST(UnitInformation, EveryEngineAgrees) {
  for (const char* covariance : {"matern52", "squared-exponential", "power-exponential(1.9)"}) {
    for (const Index n : {Index{20}, Index{170}}) {  // matrices in lanes and in panels
      const GpModel model = proper_model(n, 2, "linear", covariance);
      const GpParameters parameters = test::some_parameters(2);
      const Vector log_phi = parameters.phi.array().log();
      const double plain = log_likelihood_of(model, parameters);
      for (const InstructionSet path : supported_instruction_sets()) {
        const auto engine = make_likelihood_engine(model, InformationOver::nothing, path);
        const auto workspace = engine->make_workspace();
        const auto lanes = static_cast<std::size_t>(engine->lanes());
        const std::vector<LikelihoodPoint> points(lanes, {log_phi.data(), parameters.nugget});
        std::vector<PointLikelihood> out(lanes);
        engine->evaluate(points, *workspace, out);
        for (const PointLikelihood& point : out) {
          EXPECT_NEAR(point.log_likelihood, plain, test::kDenseTolerance * std::abs(plain)) << covariance << ", " << n;
        }
      }
    }
  }
}

TEST(UnitInformation, GradientIsTheDerivative) {
  for (const std::string& trend : kTrends) {
    const GpModel model = proper_model(14, 2, trend);
    const GpParameters at = test::some_parameters(2, 0.01);
    Vector z(3);
    z << at.phi.array().log(), std::log(at.nugget);
    const auto value = [&](const Vector& moved) {
      return log_likelihood_of(model, {moved.head(2).array().exp(), std::exp(moved[2])});
    };
    const Vector expected = test::gradient(value, z, 0.02);
    GpFactor factor;
    GradientScratch scratch;
    LikelihoodGradient gradient;
    ASSERT_EQ(factorise(model, at, factor), Impossible::no);
    log_likelihood_gradient(model, at, factor, scratch, gradient);
    // Rounding of 1e-13 in f over steps of 0.02 / 4, and terms of order h^6.
    constexpr double kDerivativeTolerance = 1e-7;
    EXPECT_NEAR(gradient.by_log_phi[0], expected[0], kDerivativeTolerance) << trend;
    EXPECT_NEAR(gradient.by_log_phi[1], expected[1], kDerivativeTolerance) << trend;
    EXPECT_NEAR(gradient.by_nugget * at.nugget, expected[2], kDerivativeTolerance) << trend;
  }
}

// Kriging of the sum of processes at x: mean and c(x, x), without the nugget.
struct Kriged {
  double mean, c;
};

Kriged krige(const GpModel& model, const GpParameters& parameters, const SumOfProcesses& truth, const Matrix& x,
             const std::vector<Index>& runs) {
  Matrix cross;
  model.covariance().fill_cross(model.X(), x, parameters, cross);
  const Index slopes = model.num_trend_columns() - 1;
  const LongMatrix H1 = model.H().rightCols(slopes).cast<long double>();
  const LongVector h1 = model.trend().columns(x).rightCols(slopes).transpose().cast<long double>();
  const LongVector t = (cross.cast<long double>() + H1 * truth.V * h1)(runs, 0);
  const LongMatrix inverse = test::long_inverse(truth.K(runs, runs));
  const LongVector y = truth.y(runs);
  const long double total = inverse.sum(), intercept = (inverse * y).sum() / total;
  const long double gap = 1.0L - (inverse * t).sum();
  const LongVector centred = y.array() - intercept;
  return {static_cast<double>(intercept + t.dot(inverse * centred)),
          static_cast<double>(1.0L + h1.dot(truth.V * h1) - t.dot(inverse * t) + gap * gap / total)};
}

std::vector<Index> all_but(Index n, Index without) {
  std::vector<Index> runs;
  for (Index i = 0; i < n; ++i) {
    if (i != without) runs.push_back(i);
  }
  return runs;
}

TEST(UnitInformation, PredictionsAreThoseOfTheSumOfProcesses) {
  const Matrix X_new = test::scattered_points(30, 2, 5);
  for (const std::string& trend : kTrends) {
    const GpModel model = proper_model(14, 2, trend);
    const GpParameters parameters = test::some_parameters(2);
    const SumOfProcesses truth(model, parameters);
    const ConditionalPredictor predictor(model, parameters);
    Vector mean, c;
    predictor.predict(X_new, mean, c);
    EXPECT_NEAR(predictor.S2(), static_cast<double>(truth.S2), test::kDenseTolerance * predictor.S2());
    const Matrix covariance = predictor.covariance(X_new, X_new);
    for (Index i = 0; i < X_new.rows(); ++i) {
      const Kriged expected = krige(model, parameters, truth, X_new.row(i), all_but(14, -1));
      EXPECT_NEAR(mean[i], expected.mean, test::kDenseTolerance);
      EXPECT_NEAR(c[i], expected.c, test::kDenseTolerance);
      EXPECT_NEAR(covariance(i, i), expected.c, test::kDenseTolerance);
    }
    for (const InstructionSet path : supported_instruction_sets()) {
      const auto block = make_block_predictor(model, X_new, path);
      const auto workspace = block->make_workspace();
      BlockPrediction found;
      block->predict(parameters, *workspace, found);
      EXPECT_LT((found.mean - mean).cwiseAbs().maxCoeff(), test::kDenseTolerance);
      EXPECT_LT((found.c - c).cwiseAbs().maxCoeff(), test::kDenseTolerance);
      EXPECT_NEAR(found.S2, predictor.S2(), test::kDenseTolerance * predictor.S2());
    }
  }
}

// Standard normal numbers become coefficients with covariance V: the columns that unit vectors become, times their
// transpose. The intercept follows the slopes, since columns are made orthogonal to it; its prior is flat.
TEST(UnitInformation, DrawsCoefficientsFromTheirPrior) {
  for (const std::string& trend : kTrends) {
    const GpModel model = proper_model(14, 2, trend);
    const GpParameters parameters = test::some_parameters(2);
    const ConditionalPredictor predictor(model, parameters);
    const Index columns = model.num_trend_columns(), slopes = columns - 1;
    Matrix root(columns, columns);
    for (Index i = 0; i < columns; ++i) root.col(i) = predictor.prior_coefficients(Vector::Unit(columns, i));
    const Matrix found = (root * root.transpose()).bottomRightCorner(slopes, slopes);
    const Matrix V = SumOfProcesses(model, parameters).V.cast<double>();
    EXPECT_LT((found - V).cwiseAbs().maxCoeff(), test::kDenseTolerance * V.cwiseAbs().maxCoeff()) << trend;
    EXPECT_EQ(root.col(0), Vector::Zero(columns)) << trend;
  }
  const GpModel linear = test::small_model(14, 2, "linear");
  const ConditionalPredictor flat(linear, test::some_parameters(2));
  EXPECT_EQ(flat.prior_coefficients(Vector::Ones(3)), Vector::Zero(3));
}

// The prior stays that of all runs.
TEST(UnitInformation, LeaveOneOutIsThatOfTheSumOfProcesses) {
  for (const std::string& trend : kTrends) {
    const Index n = 14;
    const GpModel model = proper_model(n, 2, trend);
    const GpParameters parameters = test::some_parameters(2);
    const SumOfProcesses truth(model, parameters);
    const auto loo = ConditionalPredictor(model, parameters).leave_one_out();
    EXPECT_EQ(loo.degrees_of_freedom, n - 2);
    for (Index i = 0; i < n; ++i) {
      const std::vector<Index> others = all_but(n, i);
      const Kriged expected = krige(model, parameters, truth, model.X().row(i), others);
      const LongMatrix Q = SumOfProcesses::contrasts(truth.K(others, others));
      const LongVector y = truth.y(others);
      const double S2 = static_cast<double>(y.dot(Q * y));
      const double scale2 = S2 / static_cast<double>(n - 2) * (expected.c + parameters.nugget);
      EXPECT_NEAR(loo.mean[i], expected.mean, 1e2 * test::kDenseTolerance);
      EXPECT_NEAR(loo.scale2[i], scale2, 1e2 * test::kDenseTolerance * scale2);
    }
  }
}

}  // namespace
}  // namespace ta2s2
