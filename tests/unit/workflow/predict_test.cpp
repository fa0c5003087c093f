#include "ta2s2/workflow/predict.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using test::small_fit;

// Weights that differ; with an inferred nugget, so that a new run differs from the latent function.
const MemberRecord& fitted() {
  static const MemberRecord record = [] {
    MemberRecord made = small_fit();
    Vector& weights = made.sample.weights;
    weights.setLinSpaced(weights.size(), 1.0, 5.0);
    weights /= weights.sum();
    return made;
  }();
  return record;
}

// The path whose arithmetic is that of ConditionalPredictor; the others are compared with it below.
MemberRecord plainly(MemberRecord record) {
  record.options.simd = "plain";
  return record;
}

// (2.6)-(2.8) as they stand: one conditional predictor per draw, sums over the draws, in the user's units.
struct BruteForce {
  Vector mean;
  Matrix covariance;

  BruteForce(const MemberRecord& record, const Matrix& points, Predict what)
      : mean(Vector::Zero(points.rows())), covariance(Matrix::Zero(points.rows(), points.rows())) {
    const auto model = make_model(record);
    const ParameterSpace space = make_space(record);
    const Matrix unit = record.scaling.to_unit(points);
    const double sd = record.scaling.output_sd();
    Matrix second = covariance;
    for (Index i = 0; i < record.sample.size(); ++i) {
      const ConditionalPredictor predictor(*model, space.natural(record.sample.positions.col(i)));
      Vector conditional_mean, c;
      predictor.predict(unit, conditional_mean, c);
      Matrix conditional = predictor.covariance(unit, unit);
      if (what == Predict::new_run) conditional.diagonal().array() += predictor.nugget();
      const auto m = static_cast<double>(predictor.degrees_of_freedom());
      conditional *= sd * sd * predictor.S2() / (m - 2.0);
      const Vector in_users_units = sd * conditional_mean;
      const double weight = record.sample.weights[i];
      mean += weight * in_users_units;
      second += weight * (conditional + in_users_units * in_users_units.transpose());
    }
    covariance = second - mean * mean.transpose();
    mean.array() += record.scaling.output_mean();
  }
};

class EachKindOfPrediction : public testing::TestWithParam<Predict> {
 protected:
  const Matrix points = test::small_inputs(20, 8);
  const Predictive predictive = make_predictive(fitted());
  ThreadExecutor executor{2};
};

// Sums of some hundred terms of the output's size: 1e-12 of it leaves room for the cancellation in the second
// moment.
TEST_P(EachKindOfPrediction, MeanAndVarianceAreSumsOverTheDraws) {
  const BruteForce truth(fitted(), points, GetParam());
  const PredictionSummary summary = summarise(make_predictive(plainly(fitted())), points, GetParam(), {0.5}, executor);
  const double size = fitted().scaling.output_sd();
  EXPECT_LT((summary.mean - truth.mean).cwiseAbs().maxCoeff(), 1e-12 * size);
  EXPECT_LT((summary.sd.array().square().matrix() - truth.covariance.diagonal()).cwiseAbs().maxCoeff(),
            1e-11 * size * size);
}

TEST_P(EachKindOfPrediction, CovarianceIsASumOverTheDrawsWithTheVarianceOnItsDiagonal) {
  const BruteForce truth(fitted(), points, GetParam());
  const Matrix covariance = predictive.covariance(points, GetParam(), executor);
  const double size2 = std::pow(fitted().scaling.output_sd(), 2);
  EXPECT_LT((covariance - truth.covariance).cwiseAbs().maxCoeff(), 1e-11 * size2);
  EXPECT_LT((covariance - covariance.transpose()).cwiseAbs().maxCoeff(), 1e-13 * size2);
  const PredictionSummary summary = summarise(predictive, points, GetParam(), {0.5}, executor);
  EXPECT_LT((covariance.diagonal().array().sqrt() - summary.sd.array()).abs().maxCoeff(), 1e-9 * std::sqrt(size2));
}

TEST_P(EachKindOfPrediction, QuantilesAreThoseOfTheMixture) {
  const std::vector<double> levels = {0.025, 0.5, 0.975};
  const PredictionSummary summary = summarise(predictive, points, GetParam(), levels, executor);
  const MixtureBlock block = predictive.mixtures(points, GetParam(), executor);
  ASSERT_EQ(summary.quantiles.rows(), points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index q = 0; q < 3; ++q) {
      EXPECT_EQ(summary.quantiles(i, q), block.at(i).quantile(levels[static_cast<std::size_t>(q)]));
    }
    EXPECT_LT(summary.quantiles(i, 0), summary.quantiles(i, 1));
    EXPECT_LT(summary.quantiles(i, 1), summary.quantiles(i, 2));
  }
}

TEST_P(EachKindOfPrediction, ThreadsChangeNoBit) {
  ThreadExecutor one(1), seven(7);
  const PredictionSummary a = summarise(predictive, points, GetParam(), {0.1, 0.9}, one);
  const PredictionSummary b = summarise(predictive, points, GetParam(), {0.1, 0.9}, seven);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.sd, b.sd);
  EXPECT_EQ(a.quantiles, b.quantiles);
  EXPECT_EQ(predictive.covariance(points, GetParam(), one), predictive.covariance(points, GetParam(), seven));
  EXPECT_EQ(predictive.joint_draws(points, GetParam(), 50, 3, one),
            predictive.joint_draws(points, GetParam(), 50, 3, seven));
}

INSTANTIATE_TEST_SUITE_P(Predict, EachKindOfPrediction, testing::Values(Predict::new_run, Predict::latent),
                         [](const auto& param_info) {
                           return param_info.param == Predict::new_run ? "NewRun" : "Latent";
                         });

TEST(Predict, ANewRunVariesMoreThanTheLatentFunction) {
  const Predictive predictive = make_predictive(fitted());
  ThreadExecutor executor(2);
  const Matrix points = test::small_inputs(20, 8);
  const PredictionSummary run = summarise(predictive, points, Predict::new_run, {0.5}, executor);
  const PredictionSummary latent = summarise(predictive, points, Predict::latent, {0.5}, executor);
  EXPECT_EQ(run.mean, latent.mean);
  EXPECT_TRUE((run.sd.array() > latent.sd.array()).all());
}

// In a block of any size a point has the same prediction, to the bit.
TEST(Predict, ABlockChangesNoPrediction) {
  const Predictive predictive = make_predictive(fitted());
  ThreadExecutor executor(2);
  const Matrix points = test::small_inputs(20, 8);
  const PredictionSummary all = summarise(predictive, points, Predict::new_run, {0.5}, executor);
  for (Index i = 0; i < 20; ++i) {
    const PredictionSummary alone = summarise(predictive, points.row(i), Predict::new_run, {0.5}, executor);
    EXPECT_EQ(alone.mean[0], all.mean[i]);
    EXPECT_EQ(alone.sd[0], all.sd[i]);
    EXPECT_EQ(alone.quantiles(0, 0), all.quantiles(i, 0));
  }
}

TEST(Predict, NoPointsGiveAnEmptySummary) {
  ThreadExecutor executor(2);
  const PredictionSummary none = summarise(make_predictive(fitted()), Matrix(0, 2), Predict::new_run, {0.5}, executor);
  EXPECT_EQ(none.mean.size(), 0);
  EXPECT_EQ(none.quantiles.cols(), 1);
}

// A model file may come from another processor; and on a path that is here, it is used.
TEST(Predict, AModelOfAnyInstructionPathPredicts) {
  ThreadExecutor executor(2);
  const Matrix points = test::small_inputs(20, 8);
  const Vector best = summarise(make_predictive(fitted()), points, Predict::new_run, {0.5}, executor).mean;
  for (const std::string& name : instruction_set_names()) {
    MemberRecord record = fitted();
    record.options.simd = name;
    const Vector mean = summarise(make_predictive(record), points, Predict::new_run, {0.5}, executor).mean;
    EXPECT_LT((mean - best).cwiseAbs().maxCoeff(), 1e-9 * fitted().scaling.output_sd()) << name;
    if (name == "plain") {
      EXPECT_NE(mean, best);
    }
  }
}

TEST(Predict, BlocksKeepMemoryBounded) {
  const Predictive predictive = make_predictive(fitted());
  EXPECT_GE(predictive.block_size(), 64);
  EXPECT_LE(predictive.block_size() * predictive.num_draws(), 4'000'000);
}

// With a fixed nugget of 0.1 the two kinds of prediction differ visibly.
class JointDraws : public testing::Test {
 protected:
  static constexpr Index kCount = 10000;

  const MemberRecord record = small_fit({{"nugget", "fixed(0.1)"}, {"samples", "60"}});
  const Predictive predictive = make_predictive(record);
  const Matrix points = test::small_inputs(3, 8);
  ThreadExecutor executor{2};

  // The largest difference of the draws' mean and second moments about the true mean from the truth, in
  // standard errors that are themselves estimated from the draws.
  double worst_error(Predict drawn, Predict compared) {
    const Matrix draws = predictive.joint_draws(points, drawn, kCount, 5, executor);
    const Vector mean = summarise(predictive, points, compared, {0.5}, executor).mean;
    const Matrix covariance = predictive.covariance(points, compared, executor);
    const Matrix centred = draws.colwise() - mean;
    double worst = 0.0;
    const auto compare = [&](const Vector& values, double truth) {
      const double average = values.mean();
      const double sd = std::sqrt((values.array() - average).square().mean());
      worst = std::max(worst, std::abs(average - truth) / (sd / std::sqrt(static_cast<double>(kCount))));
    };
    for (Index i = 0; i < 3; ++i) {
      compare(centred.row(i).transpose(), 0.0);
      for (Index j = 0; j <= i; ++j) {
        compare(centred.row(i).cwiseProduct(centred.row(j)).transpose(), covariance(i, j));
      }
    }
    return worst;
  }
};

// Nine comparisons a kind: 4.5 standard errors are passed by chance once in 16000 seeds. The mutants are the
// draws of one kind against the moments of the other.
TEST_F(JointDraws, HaveTheMeanAndCovarianceOfTheMixture) {
  EXPECT_LT(worst_error(Predict::new_run, Predict::new_run), 4.5);
  EXPECT_LT(worst_error(Predict::latent, Predict::latent), 4.5);
  EXPECT_GT(worst_error(Predict::latent, Predict::new_run), 4.5);
  EXPECT_GT(worst_error(Predict::new_run, Predict::latent), 4.5);
}

TEST_F(JointDraws, FollowTheSeed) {
  const auto draws = [&](std::uint64_t seed, Index count) {
    return predictive.joint_draws(points, Predict::new_run, count, seed, executor);
  };
  EXPECT_EQ(draws(1, 10), draws(1, 10));
  EXPECT_NE(draws(1, 10), draws(2, 10));
  EXPECT_EQ(draws(1, 20).leftCols(10), draws(1, 10));  // more draws are the same and more
}

TEST(MapEmulator, IsTheConditionalPredictorAtTheMap) {
  const Matrix points = test::small_inputs(5, 9);
  ThreadExecutor executor(1);
  const Predictive predictive = make_plug_in(plainly(fitted()));
  EXPECT_EQ(predictive.num_draws(), 1);
  MemberRecord only_map = fitted();
  only_map.sample = {only_map.sample.names, only_map.map.position, Vector::Ones(1), Vector::Ones(1)};
  const BruteForce truth(only_map, points, Predict::new_run);
  const PredictionSummary summary = summarise(predictive, points, Predict::new_run, {0.5}, executor);
  const double size = fitted().scaling.output_sd();
  EXPECT_LT((summary.mean - truth.mean).cwiseAbs().maxCoeff(), 1e-12 * size);
  EXPECT_LT((summary.sd.array().square().matrix() - truth.covariance.diagonal()).cwiseAbs().maxCoeff(),
            1e-11 * size * size);
  // A t is symmetric: its median is its mean.
  EXPECT_LT((summary.quantiles.col(0) - summary.mean).cwiseAbs().maxCoeff(), 1e-12 * size);
}

TEST(Validate, IsTheScoreOfEachRunInTurn) {
  const OutputRuns test_runs = test::small_runs(40, 1.0, 77);
  const Predictive predictive = make_predictive(fitted());
  ThreadExecutor executor(2);
  const Scores scores = validate(predictive, test_runs, executor);
  ScoreAccumulator expected;
  const MixtureBlock block = predictive.mixtures(test_runs.inputs(), Predict::new_run, executor);
  for (Index i = 0; i < 40; ++i) expected.add(block.at(i), test_runs.output()[i]);
  EXPECT_EQ(scores.n, 40);
  EXPECT_EQ(scores.rmse, expected.result().rmse);
  EXPECT_EQ(scores.crps, expected.result().crps);
  EXPECT_EQ(scores.nlpd, expected.result().nlpd);
  EXPECT_EQ(scores.coverage, expected.result().coverage);
  // An emulator of a smooth function is far better than its mean.
  EXPECT_LT(scores.rmse, 0.3 * fitted().scaling.output_sd());
}

}  // namespace
}  // namespace ta2s2
