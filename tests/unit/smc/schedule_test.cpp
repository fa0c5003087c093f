#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/schedule.hpp"

namespace ta2s2 {
namespace {

constexpr double kRounding = 1e-14;

Energy tempered(double e1) {
  return {0.0, e1, Impossible::no};
}
const Energy kNowhere = Energy::impossible(Impossible::not_positive_definite);

TEST(LogWeights, AgreeWithWeightsDoneByHand) {
  const LogWeights weights({std::log(1.0), std::log(2.0), std::log(5.0)});
  EXPECT_TRUE(weights.normalised().isApprox(Vector{{0.125, 0.25, 0.625}}, kRounding));
  EXPECT_NEAR(weights.effective_sample_size(), 64.0 / 30.0, kRounding * 64.0);  // (sum w)^2 / sum w^2
  EXPECT_NEAR(weights.log_mean(), std::log(8.0 / 3.0), kRounding);
}

TEST(LogWeights, EqualWeightsAreAllEffective) {
  EXPECT_NEAR(LogWeights(std::vector<double>(40, -3e4)).effective_sample_size(), 40.0, 40.0 * kRounding);
}

TEST(Reweight, HasTheSignOfMinusEnergy) {  // (4.6): the colder level prefers the lower energy
  const std::vector<Energy> energies = {tempered(1.0), tempered(3.0)};
  const LogWeights weights = reweight(energies, 0.5);
  EXPECT_EQ(weights.values(), (std::vector<double>{-0.5, -1.5}));
  EXPECT_NEAR(weights.normalised()[1] / weights.normalised()[0], std::exp(-1.0), kRounding);
}

TEST(Reweight, LooksOnlyAtTheTemperedPart) {
  const std::vector<Energy> energies = {{0.0, 2.0, Impossible::no}, {50.0, 2.0, Impossible::no}};
  EXPECT_EQ(reweight(energies, 0.7).normalised()[0], 0.5);
}

TEST(Reweight, AnImpossiblePointHasNoWeightButCountsInTheMean) {
  const std::vector<Energy> energies = {tempered(0.0), kNowhere, tempered(0.0), kNowhere};
  const LogWeights weights = reweight(energies, 0.5);
  EXPECT_EQ(weights.normalised(), (Vector{{0.5, 0.0, 0.5, 0.0}}));
  EXPECT_NEAR(weights.effective_sample_size(), 2.0, kRounding);
  EXPECT_NEAR(weights.log_mean(), std::log(0.5), kRounding);
}

TEST(Reweight, OfAStepOfZeroHasNoNan) {  // 0 * inf
  const std::vector<Energy> energies = {tempered(4.0), kNowhere};
  const LogWeights weights = reweight(energies, 0.0);
  EXPECT_EQ(weights.normalised(), (Vector{{1.0, 0.0}}));
  EXPECT_NEAR(weights.log_mean(), std::log(0.5), kRounding);
}

TEST(Reweight, WithoutAnyPossiblePointSaysSo) {
  const LogWeights weights = reweight(std::vector<Energy>(3, kNowhere), 0.5);
  EXPECT_EQ(weights.effective_sample_size(), 0.0);
  EXPECT_EQ(weights.log_mean(), -kInfinity);
  EXPECT_EQ(weights.normalised(), Vector::Zero(3));
}

TEST(Reweight, HugeEnergiesOfEitherSignDoNotOverflow) {
  for (const double offset : {1e300, -1e300, 1e4, -1e4}) {
    const std::vector<Energy> energies = {tempered(offset), tempered(offset), kNowhere};
    const LogWeights weights = reweight(energies, 1.0);
    EXPECT_EQ(weights.normalised(), (Vector{{0.5, 0.5, 0.0}})) << offset;
    EXPECT_NEAR(weights.log_mean(), -offset + std::log(2.0 / 3.0), std::abs(offset) * kRounding) << offset;
  }
}

TEST(Reweight, OneGoodPointAmongHugeEnergiesTakesAll) {
  const std::vector<Energy> energies = {tempered(1e300), tempered(2.0), tempered(1e308)};
  const LogWeights weights = reweight(energies, 1.0);
  EXPECT_EQ(weights.normalised(), (Vector{{0.0, 1.0, 0.0}}));
  EXPECT_EQ(weights.effective_sample_size(), 1.0);
}

// Skewed, as energies are: `scale` times exponential draws plus a constant. Every fifth may be impossible.
std::vector<Energy> some_energies(double scale, double constant = 0.0, bool with_impossible = false) {
  Stream stream({5, Purpose::move, 0, 0, 0});
  std::vector<Energy> energies;
  for (int i = 0; i < 500; ++i) {
    const double e1 = constant + scale * draw_exponential(stream);
    energies.push_back(with_impossible && i % 5 == 0 ? Energy::impossible(Impossible::not_finite)
                                                     : Energy{1.0, e1, Impossible::no});
  }
  return energies;
}

double ess(const std::vector<Energy>& energies, double step) {
  return reweight(energies, step).effective_sample_size();
}

struct ScheduleCase {
  double scale, beta, gamma;
};

class Schedule : public testing::TestWithParam<ScheduleCase> {};

TEST_P(Schedule, KeepsTheWantedShareOfPoints) {  // (4.14)
  const auto [scale, beta, gamma] = GetParam();
  const auto energies = some_energies(scale);
  const double next = EssSchedule(gamma).next(energies, beta);
  ASSERT_GT(next, beta);
  ASSERT_LT(next, 1.0);
  // beta' is known to 1e-10 of itself, and d ESS / d beta is at most N times the energies' range (7 scales):
  // with steps of order 1 / scale, that is 1e-8 N or better, except where a step is a small part of beta'.
  const double slope_error = 500.0 * 7.0 * scale * 1e-10 * next;
  EXPECT_NEAR(ess(energies, next - beta), gamma * 500.0, slope_error + 1e-6);
}

INSTANTIATE_TEST_SUITE_P(FromHotToCold, Schedule,
                         testing::Values(ScheduleCase{10.0, 0.0, 0.5}, ScheduleCase{1e4, 0.0, 0.5},
                                         ScheduleCase{1e9, 0.0, 0.5}, ScheduleCase{1e15, 0.0, 0.9},
                                         ScheduleCase{10.0, 0.3, 0.5}, ScheduleCase{100.0, 0.3, 0.1},
                                         ScheduleCase{1e6, 1e-6, 0.5}, ScheduleCase{1e3, 0.99, 0.5}));

TEST(ScheduleTest, ImpossiblePointsDoNotCountInTheShare) {
  const auto energies = some_energies(20.0, 0.0, true);
  const double next = EssSchedule(0.5).next(energies, 0.0);
  EXPECT_NEAR(ess(energies, next), 0.5 * 400.0, 1e-4);
}

TEST(ScheduleTest, AConstantAddedToTheEnergyChangesNothing) {
  const EssSchedule schedule(0.5);
  const double plain = schedule.next(some_energies(30.0), 0.1);
  for (const double constant : {400.0, -400.0, 1e6}) {
    // Energies near 1e6 are known to 1e-10; the step's relative error is of that order over the energies'
    // spread.
    EXPECT_NEAR(schedule.next(some_energies(30.0, constant), 0.1), plain, 1e-9 * plain) << constant;
  }
}

TEST(ScheduleTest, TakesTheLastLevelWhenThatKeepsEnough) {
  const auto energies = some_energies(0.5);
  EXPECT_GE(ess(energies, 1.0), 250.0);
  EXPECT_EQ(EssSchedule(0.5).next(energies, 0.0), 1.0);
  EXPECT_EQ(EssSchedule(0.5).next(some_energies(10.0), 0.999), 1.0);
}

TEST(ScheduleTest, NeverPassesTheLastLevel) {
  // ESS at 1 is just below the target: the bracket's doubling step must not jump over it.
  const auto energies = some_energies(4.0);
  const double gamma = ess(energies, 1.0) / 500.0 + 1e-6;
  const double next = EssSchedule(gamma).next(energies, 0.0);
  EXPECT_LT(next, 1.0);
  EXPECT_GT(next, 0.999);
}

TEST(ScheduleTest, GoesOnPastOneWhenThereIsNoLastLevel) {
  const auto energies = some_energies(0.01);
  const double next = EssSchedule(0.5).next(energies, 1.0, kInfinity);
  EXPECT_GT(next, 1.0);
  EXPECT_NEAR(ess(energies, next - 1.0), 250.0, 1e-4);
}

TEST(ScheduleTest, EqualEnergiesAreDoneAtOnceAndNeverLoopForEver) {
  const std::vector<Energy> flat(10, Energy{0.0, 3.0, Impossible::no});
  EXPECT_EQ(EssSchedule(0.5).next(flat, 0.0), 1.0);
  const double next = EssSchedule(0.5).next(flat, 1.0, kInfinity);
  EXPECT_GT(next, 1.0);
  EXPECT_TRUE(std::isfinite(next));
}

TEST(ScheduleTest, MakesProgressEvenWhenNoStepKeepsEnough) {
  std::vector<Energy> energies(10, Energy{0.0, 1e300, Impossible::no});
  energies[0].tempered = 0.0;
  const double next = EssSchedule(0.5).next(energies, 0.0);
  EXPECT_GT(next, 0.0);
  EXPECT_LE(next, 1.0);
}

}  // namespace
}  // namespace ta2s2
