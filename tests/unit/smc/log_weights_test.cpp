#include "ta2s2/smc/log_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace ta2s2
