// Every instruction path that this processor has, against the plain predictor.
#include "ta2s2/gp/block_predictor.hpp"

#include <gtest/gtest.h>

#include "ta2s2/error.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

BlockPrediction predict(const GpModel& model, const Matrix& X_new, const GpParameters& parameters,
                        InstructionSet path) {
  const auto predictor = make_block_predictor(model, X_new, path);
  BlockPrediction prediction;
  predictor->predict(parameters, *predictor->make_workspace(), prediction);
  return prediction;
}

struct BlockSize {
  Index n, p, points;
};
// Runs and points below, at and above every panel height.
const std::vector<BlockSize> kBlockSizes = {{7, 1, 1},  {20, 2, 24}, {33, 3, 50},
                                            {48, 2, 7}, {61, 4, 48}, {100, 3, 100}};

// The largest difference of means (outputs have a standard deviation near one) and of c.
double difference(const BlockPrediction& a, const BlockPrediction& b) {
  return std::max((a.mean - b.mean).cwiseAbs().maxCoeff(), (a.c - b.c).cwiseAbs().maxCoeff());
}

// At nugget 1e-6 the condition is below n 1e6: rounding, and what two orders of summing make of it, stays below 1e-9.
constexpr double kBound = 1e-9;

std::vector<test::ModelChoice> prediction_choices() {
  std::vector<test::ModelChoice> choices = test::model_choices();
  for (const auto& covariance : covariance_examples()) choices.push_back({"terms(x1,x1^2)", covariance});
  return choices;
}

class PredictorOnEachPath : public testing::TestWithParam<InstructionSet> {};

TEST_P(PredictorOnEachPath, PredictsAsThePlainForm) {
  for (const BlockSize size : kBlockSizes) {
    for (const auto& choice : prediction_choices()) {
      SCOPED_TRACE(testing::Message() << size.n << " " << choice.name());
      const GpModel model = test::model_with(choice, size.n, size.p);
      const Matrix X_new = test::scattered_points(size.points, size.p, 5);
      const GpParameters parameters = test::some_parameters(model, 1e-6);
      const BlockPrediction fast = predict(model, X_new, parameters, GetParam());
      const BlockPrediction plain = predict(model, X_new, parameters, InstructionSet::plain);
      EXPECT_LT(difference(fast, plain), kBound);
      EXPECT_NEAR(fast.S2, plain.S2, 1e-9 * plain.S2);
      EXPECT_GE(fast.c.minCoeff(), 0.0);
    }
  }
}

// The mutants: length-scales, or what else there is, that are wrong by a relative 1e-7.
TEST(BlockPredictor, ItsBoundSeesWrongParameters) {
  for (const auto& choice : prediction_choices()) {
    SCOPED_TRACE(choice.name());
    const GpModel model = test::model_with(choice, 61, 4);
    const Matrix X_new = test::scattered_points(48, 4, 5);
    const GpParameters parameters = test::some_parameters(model, 1e-6);
    const BlockPrediction right = predict(model, X_new, parameters, InstructionSet::plain);
    GpParameters wrong = parameters;
    wrong.phi *= 1.0 + 1e-7;
    EXPECT_GT(difference(predict(model, X_new, wrong, InstructionSet::plain), right), kBound);
    wrong = parameters;
    wrong.log_shape += 1e-7;
    wrong.transform.array() += 1e-7;
    const bool has_more = model.covariance().shape() || parameters.transform.size() > 0;
    EXPECT_EQ(difference(predict(model, X_new, wrong, InstructionSet::plain), right) > kBound, has_more);
  }
}

TEST_P(PredictorOnEachPath, APointHasTheSameBitsInEveryBlock) {
  if (GetParam() == InstructionSet::plain) GTEST_SKIP() << "Eigen's products depend on the block";
  for (const auto& choice : test::model_choices()) {
    if (choice.trend != "linear") continue;
    const GpModel model = test::model_with(choice, 50, 3);
    const Matrix X_new = test::scattered_points(60, 3, 5);
    const GpParameters parameters = test::some_parameters(model, 1e-8);
    const BlockPrediction all = predict(model, X_new, parameters, GetParam());
    for (const Index first : {0, 1, 23, 24, 40}) {
      for (const Index count : {1, 2, 17}) {
        const BlockPrediction some = predict(model, X_new.middleRows(first, count), parameters, GetParam());
        EXPECT_EQ(some.mean, all.mean.segment(first, count)) << choice.name() << " " << first << " " << count;
        EXPECT_EQ(some.c, all.c.segment(first, count)) << choice.name() << " " << first << " " << count;
      }
    }
  }
}

TEST_P(PredictorOnEachPath, AWorkspaceKeepsNothing) {
  const GpModel model = test::model_with({"linear", "rational-quadratic", "box-cox"}, 30, 2);
  const auto predictor = make_block_predictor(model, test::scattered_points(30, 2, 5), GetParam());
  const auto workspace = predictor->make_workspace();
  BlockPrediction first, other, again;
  GpParameters elsewhere = test::some_parameters(model, 1e-2);
  elsewhere.log_shape = -1.0;
  elsewhere.transform.setConstant(1.0);
  predictor->predict(test::some_parameters(model, 1e-6), *workspace, first);
  predictor->predict(elsewhere, *workspace, other);
  predictor->predict(test::some_parameters(model, 1e-6), *workspace, again);
  EXPECT_EQ(first.mean, again.mean);
  EXPECT_EQ(first.c, again.c);
  EXPECT_NE(first.mean, other.mean);
}

TEST_P(PredictorOnEachPath, NoPointsGiveAnEmptyPrediction) {
  const GpModel model = test::small_model(10, 2);
  EXPECT_EQ(predict(model, Matrix(0, 2), test::some_parameters(2), GetParam()).mean.size(), 0);
}

TEST_P(PredictorOnEachPath, RefusesASingularMatrix) {
  Matrix X = test::scattered_points(12, 2);
  X.row(11) = X.row(10) = X.row(2);
  const GpModel model(X, test::smooth_output(X), Trend("constant", test::input_names(2)),
                      make_covariance("squared-exponential"));
  GpParameters parameters = test::some_parameters(2, 0.0);
  parameters.phi.setConstant(50.0);
  EXPECT_THROW(predict(model, X, parameters, GetParam()), Error);
}

INSTANTIATE_TEST_SUITE_P(Simd, PredictorOnEachPath, testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& param_info) { return instruction_set_name(param_info.param); });

TEST(BlockPredictor, OnlyATableBoundsABlock) {
  EXPECT_GT(most_points_in_block(test::small_model(20, 2, "constant", "matern52")), 1'000'000'000);
  EXPECT_EQ(most_points_in_block(test::small_model(20, 2, "constant", "power-exponential(1.9)")), 100'000);
}

}  // namespace
}  // namespace ta2s2
