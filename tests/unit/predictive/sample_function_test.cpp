#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "ta2s2/design.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/sample_function.hpp"
#include "unit/gp/small_problem.hpp"
#include "unit/predictive/transformed_runs.hpp"

namespace ta2s2 {
namespace {

constexpr Index kNumPaths = 4000;

struct Moments {
  Vector mean;
  Matrix covariance;
};

Moments moments_of_paths(const GpModel& model, const GpParameters& parameters, const Matrix& points,
                         Index num_paths = kNumPaths) {
  Matrix values(points.rows(), num_paths);
  for (Index i = 0; i < num_paths; ++i) {
    Stream stream({.seed = 3, .purpose = Purpose::sample_function, .chain = static_cast<std::uint64_t>(i)});
    values.col(i) = path_values(draw_path(model, parameters, 64, stream), points);
  }
  const Vector mean = values.rowwise().mean();
  values.colwise() -= mean;
  return {mean, values * values.transpose() / static_cast<double>(num_paths)};
}

// How far the paths' covariance is from the predictor's, in its own standard errors: with heavier tails than a
// normal's, of t with few degrees of freedom and of few waves, the variance of a product is taken as four times the
// normal's.
double farthest(const Matrix& found, const Matrix& expected) {
  double most = 0.0;
  for (Index i = 0; i < expected.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double error = 2.0 * std::sqrt((expected(i, i) * expected(j, j) + expected(i, j) * expected(i, j)) /
                                           static_cast<double>(kNumPaths));
      most = std::max(most, std::abs(found(i, j) - expected(i, j)) / error);
    }
  }
  return most;
}

class PathsOf : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Of about 20 comparisons none is farther than 4.5 errors but once in 5000.
TEST_P(PathsOf, HaveThePredictorsMeanAndCovariance) {
  const auto& [covariance, trend] = GetParam();
  const GpModel model = test::small_model(14, 2, trend, covariance);
  const GpParameters parameters = test::some_parameters(2, 0.05);
  const Matrix points = test::scattered_points(4, 2, 9);
  const Moments paths = moments_of_paths(model, parameters, points);

  const ConditionalPredictor predictor(model, parameters);
  const double sigma2 = predictor.S2() / static_cast<double>(model.degrees_of_freedom() - 2);
  Vector mean, c;
  predictor.predict(points, mean, c);
  const Matrix expected = sigma2 * predictor.covariance(points, points);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(paths.mean[i], mean[i], 4.5 * std::sqrt(expected(i, i) / static_cast<double>(kNumPaths)));
  }
  EXPECT_LT(farthest(paths.covariance, expected), 4.5);
  // Mutants: paths of the mean alone; a path that is new runs with their nugget; one that is not told of the runs.
  EXPECT_GT(farthest(Matrix::Zero(4, 4), expected), 4.5);
  EXPECT_GT(farthest(expected + sigma2 * 0.05 * Matrix::Identity(4, 4), expected), 4.5);
  EXPECT_GT(farthest(sigma2 * Matrix::Ones(4, 4), expected), 4.5);
}

INSTANTIATE_TEST_SUITE_P(List, PathsOf,
                         testing::Combine(testing::ValuesIn(covariance_examples()),
                                          testing::Values("none", "constant", "terms(x2,x1^2)")));

// Where a trend's coefficients have a prior, the prior's path has a trend. Far from the runs the trend is nearly all
// there is to be uncertain of, and with few runs its prior tells: a path without coefficients of its own varies less by
// one part in n + 1 there.
struct PathsWithATrend {
  static constexpr Index kRuns = 8, kPaths = 20'000;

  GpModel model = [] {
    const Matrix X = test::scattered_points(kRuns, 2);
    return GpModel(X, test::smooth_output(X), Trend("linear", test::input_names(2)), make_covariance("matern52"),
                   Exponent::model, TrendPrior::unit_information);
  }();
  GpParameters parameters = test::some_parameters(2, 0.05);
  Matrix points{{4.0, -3.0}, {-3.0, -4.0}, {0.4, 0.6}, {0.9, 5.0}};
  ConditionalPredictor predictor{model, parameters};
  double sigma2 = predictor.S2() / static_cast<double>(model.degrees_of_freedom() - 2);

  // What the mutant's paths lack: g less its prediction, for a prior's path that is a trend alone.
  Matrix part_of_coefficients() const {
    const Index columns = model.num_trend_columns();
    Matrix cross, part(points.rows(), columns);
    model.covariance().fill_cross(model.X(), points, parameters, cross);
    const Matrix H = model.trend().columns(points);
    for (Index i = 0; i < columns; ++i) {
      const Vector beta = predictor.prior_coefficients(Vector::Unit(columns, i));
      const ConditionalPredictor::Weights told = predictor.weights_for(model.H() * beta);
      part.col(i) = H * (beta - told.beta_hat) - cross.transpose() * told.data_weights;
    }
    return sigma2 * part * part.transpose();
  }

  // In standard errors. Values are t with m degrees of freedom, whose products vary more than a normal's: their excess
  // is k = 2 / (m - 4) (Muirhead 1982, section 1.5).
  double farthest_from(const Matrix& expected, const Matrix& found) const {
    const double k = 2.0 / static_cast<double>(model.degrees_of_freedom() - 4);
    double most = 0.0;
    for (Index i = 0; i < expected.rows(); ++i) {
      for (Index j = 0; j <= i; ++j) {
        const double square = expected(i, j) * expected(i, j), both = expected(i, i) * expected(j, j);
        const double error = std::sqrt(((1.0 + k) * both + (1.0 + 2.0 * k) * square) / static_cast<double>(kPaths));
        most = std::max(most, std::abs(found(i, j) - expected(i, j)) / error);
      }
    }
    return most;
  }
};

// Ten comparisons: none is farther than 4 errors but once in 1500.
TEST(SampleFunction, OfATrendWithAPriorHasThePredictorsMeanAndCovariance) {
  const PathsWithATrend with;
  const Moments paths = moments_of_paths(with.model, with.parameters, with.points, PathsWithATrend::kPaths);
  Vector mean, c;
  with.predictor.predict(with.points, mean, c);
  const Matrix expected = with.sigma2 * with.predictor.covariance(with.points, with.points);
  for (Index i = 0; i < mean.size(); ++i) {
    const double error = std::sqrt(expected(i, i) / static_cast<double>(PathsWithATrend::kPaths));
    EXPECT_NEAR(paths.mean[i], mean[i], 4.0 * error);
  }
  EXPECT_LT(with.farthest_from(expected, paths.covariance), 4.0);
  // Mutants: coefficients that are not drawn from their prior, or with twice its variance.
  EXPECT_GT(with.farthest_from(expected, expected - with.part_of_coefficients()), 6.0);
  EXPECT_GT(with.farthest_from(expected, expected + with.part_of_coefficients()), 6.0);
}

// With almost no nugget a path goes through the runs: what is left is the noise, some 1e-4, times sigma.
TEST(SampleFunction, GoesThroughTheRuns) {
  const GpModel model = test::small_model(14, 2);
  Stream stream({.seed = 3, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(model, test::some_parameters(2, 1e-8), 64, stream);
  EXPECT_LT((path_values(path, model.X()) - model.y()).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SampleFunction, IsAProductOverInputsButForItsTrend) {
  const GpModel model = test::small_model(14, 3, "none", "matern32");
  Stream stream({.seed = 3, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(model, test::some_parameters(3), 50, stream);
  const Matrix points = test::scattered_points(5, 3, 9);
  const Vector values = path_values(path, points);
  for (const InstructionSet simd : supported_instruction_sets()) {
    std::vector<Matrix> factors;
    for (Index d = 0; d < 3; ++d) fill_input_factors(path, d, points.col(d), simd, factors.emplace_back());
    for (Index i = 0; i < 5; ++i) {
      double sum = 0.0;
      for (Index k = 0; k < 50; ++k) {
        std::complex<double> term(path.real_amplitudes[k], path.imag_amplitudes[k]);
        for (const Matrix& factor : factors) term *= std::complex<double>(factor(k, i), factor(50 + k, i));
        sum += term.real();
      }
      for (Index r = 0; r < 14; ++r) {
        double term = path.run_weights[r];
        for (const Matrix& factor : factors) term *= factor(100 + r, i);
        sum += term;
      }
      EXPECT_NEAR(sum, values[i], 1e-11) << instruction_set_name(simd);
    }
  }
}

// The output is the process mapped back, and not beyond the clips.
TEST(SampleFunction, OfATransformedOutputIsMappedBack) {
  const test::TransformedRuns problem("box-cox", "matern52");
  Stream stream({.seed = 3, .purpose = Purpose::sample_function});
  const SampleFunction path = draw_path(*problem.model, problem.parameters, 64, stream);
  const Matrix points = 3.0 * test::scattered_points(200, 2, 9).array() - 1.0;  // beyond the runs, too
  const Vector process = path_values(path, points), output = path_outputs(path, points);
  const Vector& y = problem.model->y();
  const double beyond = 3.0 * (y.maxCoeff() - y.minCoeff());
  Index clipped = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    const double inverse = problem.model->transform().inverse(process[i], problem.parameters.transform.data());
    EXPECT_EQ(output[i], std::clamp(inverse, y.minCoeff() - beyond, y.maxCoeff() + beyond));
    clipped += output[i] != inverse;
  }
  EXPECT_LT((path_outputs(path, problem.model->X()) - y).cwiseAbs().maxCoeff(), 0.05);
  EXPECT_LT(clipped, 200);
}

}  // namespace
}  // namespace ta2s2
