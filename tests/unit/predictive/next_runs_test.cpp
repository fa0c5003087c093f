#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/predictive/next_runs.hpp"
#include "unit/predictive/two_draws.hpp"

namespace ta2s2 {
namespace {

const char* const kCriteria[] = {"imse", "loo-imse", "variance", "entropy", "ei-min", "ei-max", "boundary(102)"};

class NextRunsBy : public testing::TestWithParam<const char*> {
 protected:
  test::TwoDraws problem;
  Predictive predictive = problem.predictive();
  NextRunsOptions options{.count = 4, .criterion = parse_criterion(GetParam())};

  NextRuns choose(const std::optional<Matrix>& candidates = std::nullopt, int threads = 2) {
    ThreadExecutor executor(threads);
    return choose_next_runs(predictive, options, candidates, executor);
  }
};

TEST_P(NextRunsBy, EveryCriterionAreInTheRangesAndApartFromRunsAndEachOther) {
  const NextRuns next = choose();
  const Matrix unit = problem.scaling.to_unit(next.points);
  EXPECT_GE(unit.minCoeff(), 0.0);
  EXPECT_LE(unit.maxCoeff(), 1.0);
  Matrix all(problem.model->num_runs() + 4, 2);
  all << problem.model->X(), unit;
  for (Index i = problem.model->num_runs(); i < all.rows(); ++i) {
    for (Index j = 0; j < i; ++j) EXPECT_GE((all.row(i) - all.row(j)).cwiseAbs().maxCoeff(), 0.99 * kLeastDistance);
  }
  EXPECT_TRUE((next.values.array() > 0.0).all());
}

TEST_P(NextRunsBy, EveryCriterionHaveTheSameBitsForAnyNumberOfThreads) {
  options.map_size = 5;
  const NextRuns one = choose(std::nullopt, 1), three = choose(std::nullopt, 3);
  EXPECT_EQ(one.points, three.points);
  EXPECT_EQ(one.values, three.values);
  EXPECT_EQ(one.map.values, three.map.values);
}

// No candidate of a fine grid is better than the first point that the search found: a grid's best is a bound that a
// poor search would miss. Short decimals move a point by a millionth of its range.
TEST_P(NextRunsBy, EveryCriterionAreNoWorseThanAGrid) {
  options.count = 1;
  options.map_size = 60;
  const NextRuns next = choose();
  EXPECT_GE(next.values[0], (1.0 - 1e-3) * next.map.values.maxCoeff());
}

TEST_P(NextRunsBy, EveryCriterionAreTheBestOfTheCandidates) {
  const Matrix candidates = problem.scaling.to_user(test::scattered_points(30, 2, 21));
  const NextRuns next = choose(candidates);
  ASSERT_EQ(next.rows.size(), 4u);
  ThreadExecutor executor(1);
  EXPECT_THAT(next.rows, testing::Each(testing::Lt(30)));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(next.points.row(static_cast<Index>(i)), candidates.row(next.rows[i]));
}

TEST_P(NextRunsBy, EveryCriterionOfAnAverageOfOneModelWithItselfAreThatModels) {
  const NextRuns alone = choose();
  predictive = Predictive::average({problem.predictive(), problem.predictive()}, {0.25, 0.75});
  const NextRuns both = choose();
  // Values supposed for a batch are drawn for each draw of the emulator, and these are twice as many now.
  const Index comparable = std::string(GetParam()).starts_with("ei") ? 1 : 4;
  EXPECT_LT((alone.values - both.values).head(comparable).cwiseAbs().maxCoeff(), 1e-3 * alone.values[0]);
}

INSTANTIATE_TEST_SUITE_P(Criterion, NextRunsBy, testing::ValuesIn(kCriteria), [](const auto& criterion) {
  std::string name = criterion.param;
  std::erase_if(name, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0; });
  return name;
});

TEST(NextRunsTest, PointsOfABatchSpreadOut) {
  const test::TwoDraws problem;
  ThreadExecutor executor(2);
  const NextRuns next =
      choose_next_runs(problem.predictive(), {.count = 3, .criterion = {"variance", 0.0}}, std::nullopt, executor);
  const Matrix unit = problem.scaling.to_unit(next.points);
  for (Index i = 1; i < 3; ++i) {
    for (Index j = 0; j < i; ++j) EXPECT_GT((unit.row(i) - unit.row(j)).norm(), 0.1);
  }
}

TEST(NextRunsTest, RefusesMorePointsThanCanBeChosen) {
  const test::TwoDraws problem;
  ThreadExecutor executor(1);
  Matrix candidates(3, 2);
  candidates << problem.scaling.to_user(problem.model->X().topRows(2)), 12.0, 0.0;
  try {
    choose_next_runs(problem.predictive(), {.count = 2}, candidates, executor);
    FAIL() << "two of the three are runs";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("found 1 point"));
  }
}

TEST(NextRunsTest, FewerDrawsOfAnAverageKeepTheirModels) {
  const test::TwoDraws rough("constant"), smooth("constant");
  const Predictive both = Predictive::average({rough.predictive(), smooth.predictive()}, {0.5, 0.5});
  Stream stream({1, Purpose::next_runs});
  const Predictive few = both.thinned(3, stream);
  EXPECT_EQ(few.num_draws(), 3);
  EXPECT_NEAR(few.weights().sum(), 1.0, 1e-12);
  EXPECT_EQ(both.thinned(10, stream).num_draws(), 4);
}

TEST(ShortDecimal, StaysInTheRangeAsItWasDeclared) {
  using detail::short_decimal;
  EXPECT_EQ(short_decimal(0.1 + 0.2, 0.1, 0.1 + (0.3 - 0.1), 0.3 - 0.1), 0.3);
  EXPECT_EQ(short_decimal(0.1234567891, 0.0, 1.0, 1.0), 0.123457);
  EXPECT_EQ(short_decimal(104821.337, 90000.0, 110000.0, 20000.0), 104821.34);
  const double pi = 3.14159265358979;
  EXPECT_LE(short_decimal(2 * pi, 0.0, 2 * pi, 2 * pi), 2 * pi);
  EXPECT_GE(short_decimal(-pi, -pi, pi, 2 * pi), -pi);
  EXPECT_EQ(short_decimal(1.23456789e8, 0.0, 1e9, 1e9), 123457000.0);
  EXPECT_EQ(short_decimal(-10.0 + (0.1 - -10.0), -10.0, -10.0 + (0.1 - -10.0), 0.1 - -10.0), 0.1);
}

// A high narrow hill and a low wide one.
class TwoHills final : public RunCriterion {
 public:
  TwoHills(Vector high, Vector low) : high_(std::move(high)), low_(std::move(low)) {}

  Vector values(MatrixView unit_points) const override {
    Vector values(unit_points.rows());
    for (Index i = 0; i < unit_points.rows(); ++i) {
      const Vector x = unit_points.row(i);
      values[i] = std::exp(-(x - high_).squaredNorm() / 0.02) + 0.7 * std::exp(-(x - low_).squaredNorm() / 0.5);
    }
    return values;
  }
  void add_run(const Vector&, Executor&) override {}

 private:
  Vector high_, low_;
};

const IsAllowed kEverywhere = [](const Vector&) { return true; };

class SearchOf : public testing::TestWithParam<Index> {};

TEST_P(SearchOf, TheCubeFindsTheHighHillInsideAndInACorner) {
  const Index p = GetParam();
  ThreadExecutor executor(2);
  for (const double place : {0.31, 1.0}) {
    const TwoHills hills(Vector::Constant(p, place), Vector::Constant(p, 0.6));
    const std::optional<FoundPoint> found = search_cube(hills, p, 5, kEverywhere, executor);
    ASSERT_TRUE(found);
    // The wide hill draws the top of the narrow one towards it by less than 0.03.
    EXPECT_LT((found->unit_point.array() - place).abs().maxCoeff(), 0.03) << found->unit_point.transpose();
    EXPECT_GE(found->value, 1.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, SearchOf, testing::Values(1, 2, 3));

TEST(BoxSearch, KeepsOutOfWhatIsNotAllowed) {
  ThreadExecutor executor(2);
  const TwoHills hills(Vector{{0.3, 0.3}}, Vector{{0.6, 0.6}});
  const auto away = [](const Vector& x) { return (x.array() - 0.3).abs().maxCoeff() > 0.05; };
  const std::optional<FoundPoint> found = search_cube(hills, 2, 5, away, executor);
  ASSERT_TRUE(found);
  EXPECT_TRUE(away(found->unit_point));
  EXPECT_FALSE(search_cube(
      hills, 2, 5, [](const Vector&) { return false; }, executor));
}

}  // namespace
}  // namespace ta2s2
