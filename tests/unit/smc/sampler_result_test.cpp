#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {
namespace {

constexpr double kHalfWidth = 10.0;
const double kLogVolume = std::log(2.0 * kHalfWidth);

// exp(-x^2 / 2) on [-10, 10]: the tempered level is N(0, 1 / beta), the evidence sqrt(2 pi).
Energy energy_at(double x) {
  return {kLogVolume, 0.5 * x * x - kLogVolume, Impossible::no};
}
double log_normaliser(double beta) {
  return 0.5 * std::log(2.0 * std::numbers::pi / beta) + (beta - 1.0) * kLogVolume;
}

void add_level(AnnealResult& run, double beta, const std::vector<double>& points, double log_mean_weight) {
  Population population;
  population.positions = Eigen::Map<const Eigen::RowVectorXd>(points.data(), static_cast<Index>(points.size()));
  population.chain_begin = {0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    population.energies.push_back(energy_at(points[i]));
    population.chain_begin.push_back(static_cast<Index>(i) + 1);
  }
  population.parents.assign(points.size(), 0);
  population.group_begin = {0, population.num_chains() / 2, population.num_chains()};
  run.populations.push_back(std::make_shared<const Population>(std::move(population)));
  LevelSummary report;
  report.beta = beta;
  report.log_mean_weight = log_mean_weight;
  run.levels.push_back(report);
}

// Independent exact draws at beta = 0, 1/4 and 1, and normalisers that are `error` off, as a sampler's would
// be.
AnnealResult exact_levels(double error = 0.0) {
  Stream stream({1, Purpose::move, 0, 0, 0});
  std::vector<double> uniform(3000), warm(2000), cold(1000);
  for (double& x : uniform) x = kHalfWidth * (2.0 * draw_uniform(stream) - 1.0);
  for (double& x : warm) x = 2.0 * draw_normal(stream);
  for (double& x : cold) x = draw_normal(stream);
  AnnealResult run;
  add_level(run, 0.0, uniform, 0.0);
  add_level(run, 0.25, warm, log_normaliser(0.25) + error);
  add_level(run, 1.0, cold, log_normaliser(1.0) - log_normaliser(0.25) - 2.0 * error);
  return run;
}

double second_moment(const RecycledSample& sample) {
  return sample.positions.row(0).array().square().matrix().dot(sample.weights);
}

// 6000 draws, of which at least the 1000 cold ones are fully effective: errors are below those of 1000 plain
// draws, 1 / sqrt(1000) for the log evidence's ratio and sqrt(2 / 1000) for a variance of one. Five sds.
TEST(Recycle, FindsEvidenceAndMomentsFromAllLevels) {
  const RecycledSample sample = recycle(exact_levels());
  EXPECT_NEAR(sample.log_evidence, 0.5 * std::log(2.0 * std::numbers::pi), 5.0 / std::sqrt(1000.0));
  EXPECT_NEAR(sample.positions.row(0).dot(sample.weights), 0.0, 5.0 / std::sqrt(1000.0));
  EXPECT_NEAR(second_moment(sample), 1.0, 5.0 * std::sqrt(2.0 / 1000.0));
}

TEST(Recycle, WeightsSumToOneAndUseTheHotterLevelsToo) {
  const RecycledSample sample = recycle(exact_levels());
  EXPECT_NEAR(sample.weights.sum(), 1.0, 1e-12);
  EXPECT_GT(sample.weights.minCoeff(), 0.0);
  EXPECT_GT(1.0 / sample.weights.squaredNorm(), 1300.0);  // more than the cold level's own 1000
  ASSERT_EQ(static_cast<Index>(sample.energies.size()), sample.positions.cols());
  for (Index i = 0; i < sample.positions.cols(); ++i) {
    EXPECT_EQ(sample.energies[static_cast<std::size_t>(i)].tempered, energy_at(sample.positions(0, i)).tempered);
  }
}

// Two groups of 1500 + 1000 + 500 chains of one state; a state with no weight left leaves an empty chain.
TEST(Recycle, KeepsChainsAndGroupsTogether) {
  const RecycledSample sample = recycle(exact_levels());
  const AnnealResult run = exact_levels();
  ASSERT_EQ(sample.num_groups(), 2);
  EXPECT_EQ(sample.num_chains(), 6000);
  EXPECT_EQ(sample.group_begin[1], 3000);
  EXPECT_EQ(sample.chain_begin.back(), sample.size());
  const Index second = sample.first_state_of_group(1);
  EXPECT_EQ(sample.positions(0, second - 1), run.populations[2]->positions(0, 499));  // cold, last of the first group
  EXPECT_EQ(sample.positions(0, sample.size() - 1), run.populations[2]->positions(0, 999));
}

TEST(Recycle, CorrectsNormalisersThatAreOff) {
  const RecycledSample good = recycle(exact_levels());
  const RecycledSample corrected = recycle(exact_levels(0.3));
  // Ten MBAR iterations shrink an error of 0.3 by their contraction, about one half here, ten times over.
  EXPECT_NEAR(corrected.log_evidence, good.log_evidence, 0.3 * std::pow(0.6, 10));
  EXPECT_NEAR(second_moment(corrected), second_moment(good), 0.01);
}

TEST(Recycle, LeavesOutLevelsBeyondOneAndImpossiblePoints) {
  const RecycledSample plain = recycle(exact_levels());
  AnnealResult run = exact_levels();
  add_level(run, 4.0, std::vector<double>(500, 0.0), 1.0);
  EXPECT_EQ(recycle(run).log_evidence, plain.log_evidence);

  // An impossible start point counts in N_0 and carries no weight.
  AnnealResult with_impossible = exact_levels();
  Population start = *with_impossible.populations[0];
  start.energies[0] = Energy::impossible(Impossible::not_finite);
  with_impossible.populations[0] = std::make_shared<const Population>(std::move(start));
  const RecycledSample sample = recycle(with_impossible);
  EXPECT_TRUE(sample.weights.allFinite());
  for (const Energy& energy : sample.energies) EXPECT_TRUE(energy.possible());
}

TEST(Recycle, AgreesWithTheSamplersOwnEvidence) {
  const FunctionTarget target([](VectorView x) { return -0.5 * x.squaredNorm(); }, Vector::Constant(2, -kHalfWidth),
                              Vector::Constant(2, kHalfWidth));
  ThreadExecutor executor(2);
  Observer observer;
  const AnnealResult run = anneal(target, AnnealOptions{}, {executor, observer});
  const RecycledSample sample = recycle(run);
  EXPECT_NEAR(sample.log_evidence, std::log(2.0 * std::numbers::pi), 5.0 * run.log_evidence_error);
  EXPECT_GT(1.0 / sample.weights.squaredNorm(), static_cast<double>(run.final().size()));
}

}  // namespace
}  // namespace ta2s2
