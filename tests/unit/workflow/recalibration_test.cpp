#include "ta2s2/workflow/recalibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ta2s2 {
namespace {

// As many runs at a normal score as at its mirror image.
Vector runs_at(double score, Index count) {
  Vector pit(count);
  for (Index i = 0; i < count; ++i) pit[i] = 0.5 * std::erfc((i % 2 == 0 ? score : -score) / std::numbers::sqrt2);
  return pit;
}

TEST(Recalibration, IsTheSpreadOfNormalScoresDrawnToOne) {
  for (const Index n : {10, 100}) {
    const auto count = static_cast<double>(n);
    EXPECT_NEAR(find_recalibration(runs_at(1.6, n)), std::sqrt((count * 2.56 + 30.0) / (count + 30.0)), 1e-9);
  }
}

TEST(Recalibration, OnlyWidens) {
  EXPECT_EQ(find_recalibration(runs_at(0.3, 200)), 1.0);
  EXPECT_EQ(find_recalibration(Vector(0)), 1.0);
}

// One run that nobody expected does not widen all others without a limit.
TEST(Recalibration, CountsAFarRunAsAFarOne) {
  Vector pit = runs_at(1.0, 51);
  pit[0] = 0.0;
  EXPECT_NEAR(find_recalibration(pit), std::sqrt((50.0 + 3.5 * 3.5 + 30.0) / 81.0), 1e-9);
  EXPECT_EQ(find_recalibration(Vector::Zero(1000)), 2.5);
}

TEST(Recalibration, LeavesRunsThatCannotBeLeftOutAside) {
  Vector pit = runs_at(1.6, 12);
  pit.tail(2).setConstant(std::nan(""));
  EXPECT_EQ(find_recalibration(pit), find_recalibration(runs_at(1.6, 10)));
}

TEST(Recalibration, IsASentence) {
  EXPECT_EQ(recalibration_text(1.08), "intervals widened by 1.08 to match left-out runs");
}

// What cannot be recalibrated stays, and without a factor everything does.
struct Law {
  double spread = 1.0;
  Law recalibrated(double kappa) const { return {kappa * spread}; }
};

TEST(Recalibrated, GoesByTheFactorIfThereIsOne) {
  EXPECT_EQ(recalibrated(Law{}, std::nullopt).spread, 1.0);
  EXPECT_EQ(recalibrated(Law{}, 1.5).spread, 1.5);
}

}  // namespace
}  // namespace ta2s2
