#include "ta2s2/smc/passes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "known_normal.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/tempering.hpp"

namespace ta2s2 {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

SamplerResult passes_over(const TargetDensity& target, const PassOptions& options, int threads = 2,
                          const NearbyDraws* nearby = nullptr) {
  ThreadExecutor executor(threads);
  Observer silent;
  return run_passes(target, options, {executor, silent}, nearby);
}

// ---- lineages, by hand ----

// Three draws of the start density, two chains of level 1 that come from draws 2 and 0, two of level 2 that both come
// from the first chain of level 1.
WeightedPopulation small_family() {
  WeightedPopulation states;
  states.positions = Matrix{{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}};
  states.chain_begin = {0, 1, 2, 3, 5, 5, 6, 7};  // of the second chain of level 1 no state is left
  states.chain_levels = {0, 0, 0, 1, 1, 2, 2};
  states.parents = {0, 0, 0, 2, 0, 0, 0};
  states.weights = Vector{{0.1, 0.1, 0.2, 0.1, 0.1, 0.2, 0.2}};
  return states;
}

TEST(Lineages, LeadToDrawsOfTheStartDensity) {
  EXPECT_THAT(lineage_roots(small_family()), ElementsAre(0, 1, 2, 2, 2, 2, 2));
}

TEST(Lineages, AreTheUnitsOfStandardErrors) {
  // Two draws of weight 1/4 each, and one lineage of two states of 1/4: mean 0.
  const Matrix values{{-3.0, 1.0, 0.0, 2.0}};
  const LineageMoments moments = lineage_moments(values, Vector::Constant(4, 0.25), {0, 1, 2, 2});
  EXPECT_DOUBLE_EQ(moments.mean[0], 0.0);
  const double variance = (9.0 + 1.0 + 0.0 + 4.0) / 4.0;
  EXPECT_DOUBLE_EQ(moments.sd[0], std::sqrt(variance));
  EXPECT_DOUBLE_EQ(moments.mean_error[0], 0.25 * std::sqrt(9.0 + 1.0 + std::pow(0.0 + 2.0, 2)));
  // d log sd = (x^2 / variance - 1) / 2.
  const auto excess = [&](double x) { return 0.125 * (x * x / variance - 1.0); };
  EXPECT_DOUBLE_EQ(moments.log_sd_error[0], std::sqrt(std::pow(excess(-3.0), 2) + std::pow(excess(1.0), 2) +
                                                      std::pow(excess(0.0) + excess(2.0), 2)));
  EXPECT_DOUBLE_EQ(moments.effective_sample_size(), variance / std::pow(moments.mean_error[0], 2));
}

TEST(Lineages, OfIndependentDrawsAreWorthTheirNumber) {
  Stream stream({4, Purpose::start_point, 0, 0, 0});
  constexpr Index kDraws = 4000;
  Matrix values(2, kDraws);
  std::vector<Index> roots;
  for (Index i = 0; i < kDraws; ++i) {
    values.col(i) = draw_normals(stream, 2);
    roots.push_back(i);
  }
  const Vector equal = Vector::Constant(kDraws, 1.0 / kDraws);
  const LineageMoments each = lineage_moments(values, equal, roots);
  EXPECT_NEAR(each.effective_sample_size(), kDraws, 1e-6 * kDraws);
  // The error of a normal's log sd is 1 / sqrt(2 n), here to some sqrt(11 / n) = 5% (its square has kurtosis 15).
  EXPECT_NEAR(each.log_sd_error[0] * std::sqrt(2.0 * kDraws), 1.0, 0.15);
  for (Index i = 0; i < kDraws; ++i) roots[static_cast<std::size_t>(i)] = i / 2;  // pairs that share nothing but a root
  EXPECT_NEAR(lineage_moments(values, equal, roots).effective_sample_size(), kDraws, 0.15 * kDraws);
  for (Index i = 1; i < kDraws; i += 2) values.col(i) = values.col(i - 1);  // pairs that are one draw
  EXPECT_NEAR(lineage_moments(values, equal, roots).effective_sample_size(), 0.5 * kDraws, 1e-6 * kDraws);
}

// ---- what passes say of each other ----

PassReport agreeing() {
  PassReport report;
  report.passes.resize(2);
  report.agreement = {.evidence_difference = 0.9,
                      .mean_difference = 0.9,
                      .sd_difference = 0.9,
                      .drift = -3.4,
                      .effective_sample_size = 241.0,
                      .wanted_sample_size = 400.0,
                      .log_sd_error = 0.11,
                      .tail_index = 0.8,
                      .evidence_error = 0.24,
                      .wanted_evidence_error = 0.25};
  return report;
}

TEST(Passes, ThatAgreeHaveNoProblem) {
  EXPECT_THAT(problems_of(agreeing()), IsEmpty());
}

// Each number by itself, a little beyond what is allowed, or no number.
TEST(Passes, ThatDisagreeHaveTheProblemTheyHave) {
  struct Wrong {
    double PassAgreement::*number;
    double value;
    PassProblem problem;
  };
  const std::vector<Wrong> all = {
      {&PassAgreement::evidence_difference, 1.01, PassProblem::evidence_differs},
      {&PassAgreement::mean_difference, 1.01, PassProblem::means_differ},
      {&PassAgreement::sd_difference, 1.01, PassProblem::sds_differ},
      {&PassAgreement::drift, -3.6, PassProblem::energy_drifts},
      {&PassAgreement::drift, 3.6, PassProblem::energy_drifts},
      {&PassAgreement::effective_sample_size, 239.0, PassProblem::few_draws},
      {&PassAgreement::log_sd_error, 0.13, PassProblem::sd_uncertain},
      {&PassAgreement::evidence_error, 0.26, PassProblem::evidence_uncertain},
  };
  for (const Wrong& wrong : all) {
    for (const double value : {wrong.value, std::nan("")}) {
      PassReport report = agreeing();
      report.agreement.*wrong.number = value;
      EXPECT_THAT(problems_of(report), ElementsAre(wrong.problem)) << value;
    }
  }
  PassReport one = agreeing();
  one.passes.resize(1);
  EXPECT_THAT(problems_of(one), ElementsAre(PassProblem::one_pass));
}

// Where there is no standard deviation, its uncertainty is no problem but a remark.
TEST(Passes, WithHeavyTailsAreToldOfInsteadOfTheirStandardDeviation) {
  PassReport report = agreeing();
  EXPECT_FALSE(has_heavy_tails(report.agreement));
  report.agreement.log_sd_error = 0.4;
  report.agreement.tail_index = 0.88;
  EXPECT_TRUE(has_heavy_tails(report.agreement));
  EXPECT_THAT(problems_of(report), IsEmpty());
}

// ---- whole runs ----

struct KnownMoments {
  double log_evidence;
  Vector mean, sd;
};

Vector mean_of(const SamplerResult& result) {
  return result.states.positions * result.states.weights;
}

Vector sd_of(const SamplerResult& result) {
  const Matrix centred = result.states.positions.colwise() - mean_of(result);
  return (centred.array().square().matrix() * result.states.weights).cwiseSqrt();
}

// The largest error of log evidence, means and sds, in the standard errors that the run states. Means count by the
// worst coordinate's effective size, log sds by the worst coordinate's error: each is at most that uncertain.
double worst_error(const SamplerResult& result, const KnownMoments& truth) {
  const PassAgreement& stated = result.passes->agreement;
  const double of_evidence =
      std::abs(result.evidence->log_evidence - truth.log_evidence) / result.evidence->standard_error;
  const Vector of_means = (mean_of(result) - truth.mean).cwiseQuotient(truth.sd).cwiseAbs();
  const Vector of_sds = (sd_of(result).array() / truth.sd.array()).log().abs();
  return std::max({of_evidence, of_means.maxCoeff() * std::sqrt(stated.effective_sample_size),
                   of_sds.maxCoeff() / stated.log_sd_error});
}

// Of a normal number, a larger error than this has a chance of 7e-6. A run makes at most 11 such numbers.
constexpr double kCriticalOfPasses = 4.5;

// Right, of the size that was asked for, and told apart from answers that are wrong by half a nat, half an sd or half
// the sd: the errors are no excuse for everything.
void expect_right(const SamplerResult& result, const KnownMoments& truth, double wanted_draws = 400.0) {
  ASSERT_TRUE(result.passes && result.evidence);
  EXPECT_THAT(problems_of(*result.passes), IsEmpty());
  EXPECT_GE(result.passes->passes.size(), 2u);
  EXPECT_LE(result.passes->passes.size(), 4u);
  EXPECT_GE(result.passes->agreement.effective_sample_size, 0.6 * wanted_draws);
  EXPECT_NEAR(result.states.weights.sum(), 1.0, 1e-12);
  EXPECT_LT(worst_error(result, truth), kCriticalOfPasses);
  EXPECT_GT(worst_error(result, {truth.log_evidence + 0.5, truth.mean, truth.sd}), kCriticalOfPasses);
  EXPECT_GT(worst_error(result, {truth.log_evidence, truth.mean + 0.5 * truth.sd, truth.sd}), kCriticalOfPasses);
  EXPECT_GT(worst_error(result, {truth.log_evidence, truth.mean, 1.5 * truth.sd}), kCriticalOfPasses);
}

const Vector kMeans{{1.0, -2.0, 0.5, 3.0, 0.0}}, kSds{{0.02, 0.1, 0.3, 0.5, 1.0}};
const KnownMoments kNormalTruth{0.0, kMeans, kSds};

test::NormalOnBox correlated_normal() {
  return {kMeans, test::correlated(kSds, 0.8), test::uniform_law(5, -10.0, 10.0)};
}

TEST(Passes, FindACorrelatedNormal) {
  expect_right(passes_over(correlated_normal(), {}), kNormalTruth);
}

// Independent exponentials, which lean on the lower walls: all coordinates become scores.
FunctionTarget corner() {
  const FunctionTarget::LogDensityAndGradient density = [](VectorView x, Vector& gradient) {
    double sum = 0.0;
    for (Index k = 0; k < x.size(); ++k) {
      gradient[k] = -(2.0 + static_cast<double>(k));
      sum += gradient[k] * x[k];
    }
    return sum;
  };
  return FunctionTarget(density, Vector::Zero(4), Vector::Constant(4, 10.0));
}

// Cut off at 10, where exp(-20) is left.
KnownMoments truth_of_corner() {
  const Vector rates{{2.0, 3.0, 4.0, 5.0}};
  return {-rates.array().log().sum(), rates.cwiseInverse(), rates.cwiseInverse()};
}

TEST(Passes, FindACorner) {
  expect_right(passes_over(corner(), {}), truth_of_corner());
}

// Weights 0.3 and 0.7 in three dimensions, 8 sds apart. Were the second sd 1/4 instead of 1/2, 4 of 40 seeds would miss
// that mode, and no check tells: it is not in what the run saw.
FunctionTarget two_modes() {
  const FunctionTarget::LogDensityAndGradient density = [](VectorView x, Vector& gradient) {
    const double constant = 1.5 * std::log(2.0 * std::numbers::pi);
    const Vector to_first = x.array() + 3.0, to_second = 2.0 * (x.array() - 2.0);  // sds 1 and 1/2
    const double first = std::log(0.3) - constant - 0.5 * to_first.squaredNorm();
    const double second = std::log(0.7) + 3.0 * std::log(2.0) - constant - 0.5 * to_second.squaredNorm();
    const double both = log_add_exp(first, second);
    gradient = -std::exp(first - both) * to_first - 2.0 * std::exp(second - both) * to_second;
    return both;
  };
  return FunctionTarget(density, Vector::Constant(3, -10.0), Vector::Constant(3, 10.0));
}

TEST(Passes, FindTwoModesAndTheirWeights) {
  const double mean = 0.3 * -3.0 + 0.7 * 2.0;
  const double square = 0.3 * (9.0 + 1.0) + 0.7 * (4.0 + 1.0 / 4.0);
  const double sd = std::sqrt(square - mean * mean);
  expect_right(passes_over(two_modes(), {}), {0.0, Vector::Constant(3, mean), Vector::Constant(3, sd)});
}

FunctionTarget normal_without_gradient() {
  const auto normal = std::make_shared<test::NormalOnBox>(Vector{{1.0, -1.0, 0.0, 2.0}},
                                                          test::correlated(Vector{{0.5, 0.2, 1.0, 0.7}}, 0.6),
                                                          test::uniform_law(4, -8.0, 8.0));
  return FunctionTarget([normal](VectorView x) { return normal->log_density(x); }, Vector::Constant(4, -8.0),
                        Vector::Constant(4, 8.0));
}

TEST(Passes, FindANormalWithoutItsGradient) {
  const SamplerResult result = passes_over(normal_without_gradient(), {});
  expect_right(result, {0.0, Vector{{1.0, -1.0, 0.0, 2.0}}, Vector{{0.5, 0.2, 1.0, 0.7}}});
  for (const LevelSummary& level : result.levels) EXPECT_EQ(level.gradients, 0);
}

// From draws of a posterior whose sds are 1.5 times as large and whose means are off by one: no scout is needed.
TEST(Passes, StartFromDrawsThatAreNear) {
  Stream stream({8, Purpose::start_states, 0, 0, 0});
  const Matrix factor = 1.5 * Matrix(test::correlated(kSds, 0.8).llt().matrixL());
  NearbyDraws nearby{Matrix(5, 300), Vector::Constant(300, 1.0 / 300.0)};
  for (Index i = 0; i < 300; ++i) nearby.positions.col(i) = kMeans + kSds + draw_correlated_normals(stream, factor);
  const SamplerResult result = passes_over(correlated_normal(), {}, 2, &nearby);
  expect_right(result, kNormalTruth);
  for (const LevelSummary& level : result.levels) EXPECT_THAT(level.stage, testing::StartsWith("pass")) << level.stage;
}

void expect_same_bits(const SamplerResult& a, const SamplerResult& b) {
  EXPECT_EQ(a.states.positions, b.states.positions);
  EXPECT_EQ(a.states.weights, b.states.weights);
  ASSERT_EQ(a.states.energies.size(), b.states.energies.size());
  for (std::size_t i = 0; i < a.states.energies.size(); ++i) {
    EXPECT_EQ(a.states.energies[i].total(), b.states.energies[i].total());
  }
  EXPECT_EQ(a.evidence->log_evidence, b.evidence->log_evidence);
  EXPECT_EQ(a.evidence->standard_error, b.evidence->standard_error);
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t k = 0; k < a.levels.size(); ++k) {
    EXPECT_EQ(a.levels[k].evaluations, b.levels[k].evaluations);
    EXPECT_EQ(a.levels[k].gradients, b.levels[k].gradients);
    EXPECT_EQ(a.levels[k].mean_energy, b.levels[k].mean_energy);
  }
}

TEST(Passes, GiveTheSameBitsOnAnyNumberOfThreads) {
  expect_same_bits(passes_over(two_modes(), {}, 1), passes_over(two_modes(), {}, 3));
  expect_same_bits(passes_over(normal_without_gradient(), {.most_passes = 1}, 1),
                   passes_over(normal_without_gradient(), {.most_passes = 1}, 3));
  EXPECT_NE(passes_over(two_modes(), {.most_passes = 1, .seed = 2}).evidence->log_evidence,  // the comparison can fail
            passes_over(two_modes(), {.most_passes = 1}).evidence->log_evidence);
}

// A kept energy is that of its position, in the target's own coordinates.
TEST(Passes, GiveStatesInTheTargetsOwnCoordinates) {
  const FunctionTarget target = corner();
  const SamplerResult result = passes_over(target, {.most_passes = 1});
  ASSERT_GT(result.states.size(), 1000);
  for (Index i = 0; i < result.states.size(); ++i) {
    const Energy anew = test::energy_of(target, result.states.positions.col(i));
    const Energy& kept = result.states.energies[static_cast<std::size_t>(i)];
    // Scores reach 5 or so, where a position is rounded to 1e-10 of what it moves by.
    EXPECT_NEAR(kept.total(), anew.total(), 1e-9 * (1.0 + std::abs(anew.total())));
    EXPECT_NEAR(kept.start, anew.start, 1e-9 * (1.0 + std::abs(anew.start)));
  }
  EXPECT_EQ(result.states.chain_begin.back(), result.states.size());
  EXPECT_EQ(result.states.group_begin.back(), result.states.num_chains());
}

// No pass begins once the evaluations are spent, and one pass has nothing to be compared with.
TEST(Passes, EndWhenTheEvaluationsAreSpent) {
  const SamplerResult result = passes_over(correlated_normal(), {.most_evaluations = 1});
  ASSERT_TRUE(result.passes);
  EXPECT_EQ(result.passes->passes.size(), 1u);
  EXPECT_THAT(problems_of(*result.passes), Contains(PassProblem::one_pass));
  EXPECT_LT(std::abs(result.evidence->log_evidence), 1.0);  // an answer all the same
}

// More is asked for than four passes can give: it is said, not hidden.
TEST(Passes, SayWhatTheyCouldNotReach) {
  const SamplerResult result = passes_over(correlated_normal(), {.wanted_evidence_error = 1e-4, .most_passes = 2});
  EXPECT_EQ(result.passes->passes.size(), 2u);
  EXPECT_THAT(problems_of(*result.passes), ElementsAre(PassProblem::evidence_uncertain));
}

FunctionTarget student(double freedom, Index dim, double half_width) {
  const FunctionTarget::LogDensityAndGradient density = [=](VectorView x, Vector& gradient) {
    const double power = 0.5 * (freedom + static_cast<double>(dim)), radius = 1.0 + x.squaredNorm() / freedom;
    gradient = -2.0 * power / (freedom * radius) * x;
    return -power * std::log(radius);
  };
  return FunctionTarget(density, Vector::Constant(dim, -half_width), Vector::Constant(dim, half_width));
}

TEST(Passes, RemarkOnHeavyTails) {
  const SamplerResult heavy = passes_over(student(2.0, 3, 200.0), {.most_passes = 2});
  EXPECT_TRUE(has_heavy_tails(heavy.passes->agreement)) << heavy.passes->agreement.tail_index;
  const SamplerResult light = passes_over(student(20.0, 3, 200.0), {.most_passes = 2});
  EXPECT_FALSE(has_heavy_tails(light.passes->agreement)) << light.passes->agreement.tail_index;
}

// ---- whether stated errors are honest ----

double rms(const std::vector<double>& values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// 30 errors of log Z over their standard errors: were these exact, the sum of squares would be chi-square with 30
// degrees of freedom and above 59.7 in one of a thousand sets of seeds, so that the rms were above 1.41. Errors stated
// half as large, the mutant, are noticed. What a run states adds the difference of its passes, so it is no smaller.
TEST(Passes, StateErrorsThatAreNoSmallerThanTheyAre) {
  constexpr double kMostRms = 1.41;
  const Vector mean{{1.0, 0.0, -2.0}}, sds{{0.1, 1.0, 0.5}};
  const test::NormalOnBox target(mean, test::correlated(sds, 0.7), test::uniform_law(3, -10.0, 10.0));
  std::vector<double> of_pass, of_half, stated;
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const SamplerResult result = passes_over(target, {.seed = seed});
    const double error = result.evidence->log_evidence;
    of_pass.push_back(error / result.passes->passes.back().log_evidence_error);
    of_half.push_back(2.0 * of_pass.back());
    stated.push_back(error / result.evidence->standard_error);
    worst = std::max(worst, worst_error(result, {0.0, mean, sds}));
  }
  EXPECT_LT(rms(of_pass), kMostRms);
  EXPECT_GT(rms(of_half), kMostRms);
  EXPECT_LT(rms(stated), kMostRms);
  EXPECT_LT(worst, kCriticalOfPasses);  // of 210 numbers: one in 700 sets of seeds has one by chance
}

// Also of a last level whose chains were made longer, here as long as they may be: every kept state is a counted step.
TEST(Tempering, CountsTheStepsOfEveryKeptState) {
  const auto target = correlated_normal();
  const Index d = target.dim();
  const SamplingSpace space(target, std::vector<bool>(static_cast<std::size_t>(d), false));
  const Reference reference(ProposalMixture({{1.0, Vector::Zero(d), Matrix::Identity(d, d)}}, 8), 0.05, space);
  TemperingOptions options;
  options.wanted_draws = kInfinity;
  ThreadExecutor executor(2);
  Observer silent;
  const TemperingResult found = temper(ReferencePath(reference), &reference, options, {executor, silent});
  const LevelSummary& last = found.levels.back();
  EXPECT_EQ(last.num_states, options.num_chains * options.longest_chain);
  std::int64_t steps = 0;
  for (const PartTally& part : last.parts) steps += part.steps;
  EXPECT_EQ(steps, last.num_states);
}

class StopAtPass final : public Observer {
 public:
  Verdict on_level(const LevelSummary& level) override {
    return level.stage == "pass 1" ? Verdict::stop : Verdict::go_on;
  }
};

TEST(Passes, StopWhenTheyAreAskedTo) {
  ThreadExecutor executor(2);
  StopAtPass observer;
  try {
    run_passes(correlated_normal(), {}, {executor, observer});
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

TEST(Passes, RefuseADensityThatIsNowhere) {
  const FunctionTarget::LogDensityAndGradient nowhere = [](VectorView, Vector& gradient) {
    gradient.setZero();
    return -kInfinity;
  };
  try {
    passes_over(FunctionTarget(nowhere, Vector::Zero(2), Vector::Ones(2)), {});
    ADD_FAILURE() << "found something";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_data);
  }
}

}  // namespace
}  // namespace ta2s2
