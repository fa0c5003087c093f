#include "ta2s2/workflow/compare_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/fit_member.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem_of(const ModelChoices& grid, const FitOptions& base = test::small_options()) {
  try {
    expand(grid, base);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

ComparedFits compare(const ModelChoices& grid, int threads = 2, const FitOptions& base = test::small_options()) {
  ThreadExecutor executor(threads);
  Observer silent;
  return compare_fits(test::small_runs(), expand(grid, base), {}, {executor, silent}, nullptr);
}

TEST(ParseChoices, SplitsOutsideParentheses) {
  EXPECT_THAT(parse_choices("prior", "jointly-robust, gamma(2,1)", {}, ""),
              ElementsAre("jointly-robust", "gamma(2,1)"));
  EXPECT_THAT(parse_choices("trend", "all", {"constant", "linear"}, ""), ElementsAre("constant", "linear"));
  EXPECT_THAT(parse_choices("trend", "", {"constant", "linear"}, "none"), ElementsAre("none"));
  EXPECT_THROW(parse_choices("trend", "constant,,linear", {}, ""), Error);
  EXPECT_THROW(parse_choices("trend", "constant,constant", {}, ""), Error);
}

TEST(Expand, TakesEveryCombination) {
  const auto models =
      expand({{"matern52", "matern32"}, {"constant", "linear"}, {"jointly-robust", "gamma(2,1)"}}, FitOptions());
  ASSERT_EQ(models.size(), 8U);
  for (const ValidFitOptions& model : models) EXPECT_EQ(model->trend_prior, TrendPrior::unit_information);
  EXPECT_EQ(expand({{"matern52"}, {"linear"}, {"jointly-robust"}}, FitOptions()).front()->trend_prior,
            TrendPrior::flat);
}

TEST(Expand, RefusesWhatDoesNotCompare) {
  EXPECT_THAT(problem_of({{"matern52"}, {"none", "constant"}, {"jointly-robust"}}), HasSubstr("none has no intercept"));
  EXPECT_THAT(problem_of({{"matern52"}, {"constant", "linear"}, {"reference"}}),
              HasSubstr("is derived for flat coefficients"));
  EXPECT_THAT(problem_of({{"matern99"}, {"constant"}, {"nonsense"}}),
              testing::AllOf(HasSubstr("matern99"), HasSubstr("correlation")));
  EXPECT_THAT(problem_of({{"matern52"}, {"constant"}, {"jointly-robust"}}, test::small_options({{"sampler", "slice"}})),
              HasSubstr("gives no evidence"));
}

TEST(CompareModels, IsSortedAndWeighsByEvidence) {
  const ComparedFits found = compare({{"matern32", "squared-exponential"}, {"constant"}, {"jointly-robust"}});
  ASSERT_EQ(found.models.size(), 2U);
  const ComparedFit &best = found.models[0], &other = found.models[1];
  EXPECT_GT(best.fit.evidence->log_evidence, other.fit.evidence->log_evidence);
  EXPECT_EQ(best.log_bayes_factor, 0.0);
  EXPECT_NEAR(std::log(other.weight / best.weight), other.log_bayes_factor, 1e-9);
  EXPECT_NEAR(best.weight + other.weight, 1.0, 1e-12);
  EXPECT_NEAR(best.stacking_weight + other.stacking_weight, 1.0, 1e-12);
  EXPECT_LE(best.weight_interval.low, best.weight);
  EXPECT_GE(best.weight_interval.high, best.weight);
  EXPECT_GT(best.mean_crps(), 0.0);
}

// A row of the table is the fit that `fit` makes with the same settings.
TEST(CompareModels, ARowIsTheFitOfItsSettings) {
  const ComparedFits found = compare({{"matern32"}, {"constant"}, {"jointly-robust"}});
  const MemberRecord alone = test::small_fit({{"correlation", "matern32"}, {"prior", "jointly-robust"}});
  EXPECT_EQ(found.models.front().fit.evidence->log_evidence, alone.evidence->log_evidence);
}

TEST(CompareModels, HasTheSameBitsOnAnyNumberOfThreads) {
  const ModelChoices grid = {{"matern32", "squared-exponential"}, {"constant", "linear"}, {"jointly-robust"}};
  const ComparedFits one = compare(grid, 1), three = compare(grid, 3);
  for (std::size_t k = 0; k < one.models.size(); ++k) {
    EXPECT_EQ(one.models[k].weight, three.models[k].weight);
    EXPECT_EQ(one.models[k].stacking_weight, three.models[k].stacking_weight);
    EXPECT_EQ(one.models[k].mean_crps(), three.models[k].mean_crps());
    EXPECT_EQ(one.models[k].weight_interval.low, three.models[k].weight_interval.low);
  }
}

TEST(NormaliseEvidence, ChangesOnlyWhatLacksAConstant) {
  ThreadExecutor executor(2);
  Observer silent;
  MemberRecord proper = test::small_fit();
  const double before = proper.evidence->log_evidence;
  normalise_evidence(proper, {executor, silent});
  EXPECT_EQ(proper.evidence->log_evidence, before);

  MemberRecord reference = test::small_fit({{"prior", "reference"}});
  ASSERT_FALSE(reference.evidence->is_normalised);
  const Evidence unknown = *reference.evidence;
  normalise_evidence(reference, {executor, silent});
  EXPECT_TRUE(reference.evidence->is_normalised);
  EXPECT_GT(reference.evidence->standard_error, unknown.standard_error);
  EXPECT_NE(reference.evidence->log_evidence, unknown.log_evidence);
}

}  // namespace
}  // namespace ta2s2
