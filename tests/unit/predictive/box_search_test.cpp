#include "ta2s2/predictive/box_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2 {
namespace {

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
