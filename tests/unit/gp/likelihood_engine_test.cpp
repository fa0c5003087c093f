// Every instruction path that this processor has, against long double and against the plain engine.
#include "ta2s2/gp/likelihood_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/simd/panel_routines.hpp"
#include "unit/gp/long_likelihood.hpp"

namespace ta2s2 {
namespace {

std::vector<PointLikelihood> evaluate(const LikelihoodEngine& engine, const std::vector<GpParameters>& points,
                                      std::size_t block) {
  const auto workspace = engine.make_workspace();
  std::vector<Vector> log_phi;
  for (const GpParameters& point : points) log_phi.push_back(point.phi.array().log());
  std::vector<LikelihoodPoint> asked;
  for (std::size_t i = 0; i < points.size(); ++i) {
    asked.push_back({log_phi[i].data(), points[i].nugget, points[i].log_shape, points[i].transform.data()});
  }
  std::vector<PointLikelihood> out(points.size());
  for (std::size_t i = 0; i < points.size(); i += block) {
    const std::size_t count = std::min(block, points.size() - i);
    engine.evaluate(std::span<const LikelihoodPoint>(asked).subspan(i, count), *workspace,
                    std::span(out).subspan(i, count));
  }
  return out;
}

std::vector<PointLikelihood> evaluate_by_blocks(const LikelihoodEngine& engine,
                                                const std::vector<GpParameters>& points) {
  return evaluate(engine, points, static_cast<std::size_t>(engine.lanes()));
}

PointLikelihood evaluate_one(const GpModel& model, InstructionSet path, const GpParameters& point,
                             InformationOver over = InformationOver::nothing) {
  return evaluate(*make_likelihood_engine(model, over, path), {point}, 1).front();
}

std::vector<InstructionSet> fast_paths() {
  std::vector<InstructionSet> paths = supported_instruction_sets();
  paths.erase(paths.begin());  // plain
  return paths;
}

bool has_fused_multiply_add(InstructionSet path) {
  return path == InstructionSet::avx2 || path == InstructionSet::avx512 || path == InstructionSet::neon;
}

struct Size {
  Index n, p;
};
// Below, at and above every tile and panel height; the last is beyond the lanes. Those of 8 and 17 inputs end with a
// division of the rational correlation and behind one.
const std::vector<Size> kSizes = {{7, 1}, {20, 2}, {33, 3}, {40, 8}, {41, 17}, {48, 2}, {61, 4}, {100, 3}, {163, 3}};

class EachPath : public testing::TestWithParam<InstructionSet> {};

// At nugget 1e-6 every path keeps within 2e-8 of extended precision; ItsBoundsSeeAnInaccurateExponential says what that
// bound is worth.
TEST_P(EachPath, LikelihoodIsThatOfLongDouble) {
  for (const Size size : kSizes) {
    for (const auto& choice : test::model_choices()) {
      if (size.n - size.p - 1 < 3) continue;  // of a linear trend
      const GpModel model = test::model_with(choice, size.n, size.p);
      for (const GpParameters& point : test::scattered_parameters(model, 2, {-3.0, 2.0}, 1e-6)) {
        const test::LongMatrix K = test::long_correlations(model, point);
        const auto truth = static_cast<double>(test::long_log_likelihood(model, K, point));
        const PointLikelihood found = evaluate_one(model, GetParam(), point);
        ASSERT_EQ(found.reason, Impossible::no);
        EXPECT_NEAR(found.log_likelihood, truth, 2e-8)
            << size.n << " " << choice.name() << " " << point.log_shape << " " << point.transform.transpose();
      }
    }
  }
}

// Forty ratios of which each is 1e-20 or so over a product that would overflow.
TEST_P(EachPath, ManyTinyLengthScalesLeaveWhatIsConstant) {
  for (const auto& covariance : {"squared-exponential", "matern52", "rational(0.5)", "rational(0)"}) {
    const GpModel model = test::small_model(12, 40, "none", covariance);
    const GpParameters point{Vector::Constant(40, std::exp(-48.0)), 1e-6};
    const PointLikelihood found = evaluate_one(model, GetParam(), point);
    const double share = model.covariance().constant_share();
    test::LongMatrix K = test::LongMatrix::Constant(12, 12, share > 0.0 ? std::pow(share, 40) : 0.0);
    K.diagonal().setOnes();
    EXPECT_NEAR(found.log_likelihood, static_cast<double>(test::long_log_likelihood(model, K, point)), 1e-9)
        << covariance;
  }
}

// The first runs' factor is the leading block of the whole: to the bit, in full blocks and in points of their own.
TEST_P(EachPath, LeadingRunsHaveTheLikelihoodOfTheirOwnModel) {
  for (const Size size : kSizes) {
    for (const auto& choice : test::model_choices()) {
      if (size.n <= 10 && choice.trend == "linear") continue;
      if (4 * size.n / 5 - size.p - 1 < 3) continue;
      const GpModel model = test::model_with(choice, size.n, size.p);
      const auto points = test::scattered_parameters(model, 9, {-3.0, 2.0}, 1e-6);
      for (const Index num_leading : {size.n - 1, (4 * size.n + 4) / 5}) {
        const GpModel first = model.first_runs(num_leading);
        const auto both = make_likelihood_engine(model, InformationOver::nothing, GetParam(), num_leading);
        const auto alone = make_likelihood_engine(first, InformationOver::nothing, GetParam());
        const auto whole = make_likelihood_engine(model, InformationOver::nothing, GetParam());
        const auto expected = evaluate(*alone, points, 1), all = evaluate(*whole, points, 1);
        for (const auto& found : {evaluate_by_blocks(*both, points), evaluate(*both, points, 1)}) {
          for (std::size_t i = 0; i < points.size(); ++i) {
            ASSERT_EQ(found[i].reason, Impossible::no);
            EXPECT_EQ(found[i].leading_log_likelihood, expected[i].log_likelihood) << size.n << " " << choice.name();
            EXPECT_EQ(found[i].log_likelihood, all[i].log_likelihood) << size.n << " " << choice.name();
          }
        }
      }
    }
  }
}

// At 1e-12 no algorithm can do better than the floor; ours stay within a few times of it.
TEST_P(EachPath, StaysAtTheRoundingFloorOfASmallNugget) {
  for (const Size size : {Size{20, 2}, Size{61, 4}, Size{163, 3}}) {
    for (const auto& choice : test::model_choices()) {
      if (choice.trend != "constant") continue;
      const GpModel model = test::model_with(choice, size.n, size.p);
      const GpParameters point = test::some_parameters(model, 1e-12);
      const test::LongMatrix K = test::long_correlations(model, point);
      const auto truth = test::long_log_likelihood(model, K, point);
      const double floor = static_cast<double>(test::rounding_floor(model, K, point));
      const PointLikelihood found = evaluate_one(model, GetParam(), point);
      ASSERT_EQ(found.reason, Impossible::no);
      EXPECT_NEAR(found.log_likelihood, static_cast<double>(truth), 10.0 * floor + 1e-11)
          << size.n << " " << choice.name();
    }
  }
}

// The mutant of both tests: correlations that are wrong by a relative 1e-11.
TEST(LikelihoodEngine, ItsBoundsSeeAnInaccurateExponential) {
  const GpModel model = test::small_model(61, 4, "constant", "squared-exponential");
  for (const double nugget : {1e-6, 1e-12}) {
    const GpParameters point = test::some_parameters(4, nugget);
    test::LongMatrix K = test::long_correlations(model, point);
    const auto truth = test::long_log_likelihood(model, K, point);
    const double bound = nugget < 1e-9 ? static_cast<double>(10.0L * test::rounding_floor(model, K, point)) : 2e-8;
    for (Index j = 0; j < K.cols(); ++j) {
      for (Index i = 0; i < K.rows(); ++i) {
        if (i != j) K(i, j) *= 1.0L + 1e-11L * ((i + j) % 2 == 0 ? 1.0L : -1.0L);
      }
    }
    EXPECT_GT(std::abs(static_cast<double>(test::long_log_likelihood(model, K, point) - truth)), bound) << nugget;
  }
}

// Scattered over the box, every fourth with coordinates on its borders; nuggets from 1e-15 to 1.
std::vector<GpParameters> points_of_the_box(const GpModel& model, Index count) {
  std::vector<GpParameters> points = test::scattered_parameters(model, count, {-7.0, 7.0}, 0.0);
  Stream stream({.seed = 6, .purpose = Purpose::start_point});
  for (Index i = 0; i < count; ++i) {
    GpParameters& point = points[static_cast<std::size_t>(i)];
    point.nugget = std::exp2(-50.0 * draw_uniform(stream));
    const double share = i % 4 == 0 ? draw_uniform(stream) : 0.0;
    for (double& phi : point.phi) {
      if (draw_uniform(stream) < share) phi = std::exp(draw_uniform(stream) < 0.5 ? -7.0 : 7.0);
    }
  }
  return points;
}

void expect_the_same_in_blocks(const GpModel& model, InstructionSet path, const std::vector<GpParameters>& points) {
  const auto engine = make_likelihood_engine(model, InformationOver::nothing, path);
  const auto together = evaluate_by_blocks(*engine, points);
  const auto apart = evaluate(*engine, points, 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(together[i].log_likelihood, apart[i].log_likelihood) << i;
    EXPECT_EQ(together[i].reason, apart[i].reason) << i;
  }
}

// A block in lanes and single matrices in panels give the same bits: an energy never depends on its neighbours.
TEST_P(EachPath, BlocksAndSinglePointsAgreeBitByBit) {
  std::vector<Size> sizes = kSizes;
  for (const Index n : {24, 100, 160}) {
    for (const Index p : {10, 20}) sizes.push_back({n, p});
  }
  for (const Size size : sizes) {
    for (const auto& choice : test::model_choices()) {
      if (size.n - size.p - 1 < 3) continue;
      SCOPED_TRACE(testing::Message() << size.n << " " << size.p << " " << choice.name());
      const GpModel model = test::model_with(choice, size.n, size.p);
      expect_the_same_in_blocks(model, GetParam(), points_of_the_box(model, size.n < 50 ? 100 : 30));
    }
  }
}

// A longer look at the default model, at the size of the examples.
TEST_P(EachPath, BlocksAndSinglePointsAgreeAtManyPoints) {
  for (const test::ModelChoice& choice :
       {test::ModelChoice{}, test::ModelChoice{"constant", "rational-quadratic", "box-cox"}}) {
    const GpModel model = test::model_with(choice, 100, 10);
    expect_the_same_in_blocks(model, GetParam(), points_of_the_box(model, 1500));
  }
}

// Rounding is the same wherever products are fused: a fit on one such processor is repeated on another to the bit.
TEST_P(EachPath, PathsWithFusedMultiplyAddAgreeBitByBit) {
  if (!has_fused_multiply_add(GetParam())) GTEST_SKIP() << "no fused multiply-add";
  for (const Size size : kSizes) {
    for (const auto& choice : test::model_choices()) {
      if (size.n - size.p - 1 < 3) continue;
      SCOPED_TRACE(testing::Message() << size.n << " " << choice.name());
      const GpModel model = test::model_with(choice, size.n, size.p);
      for (const GpParameters& point : test::scattered_parameters(model, 3, {-7.0, 7.0}, 1e-8)) {
        EXPECT_EQ(evaluate_one(model, GetParam(), point).log_likelihood,
                  evaluate_one(model, best_instruction_set(), point).log_likelihood);
      }
    }
  }
}

// Equal runs and no nugget: a pivot that is zero but for rounding.
TEST_P(EachPath, SeesASingularMatrix) {
  for (const Size size : {Size{12, 2}, Size{40, 2}, Size{163, 3}}) {
    Matrix X = test::scattered_points(size.n, size.p);
    X.row(size.n - 1) = X.row(2);
    X.row(size.n - 2) = X.row(2);
    const GpModel model(X, test::smooth_output(X), Trend("constant", test::input_names(size.p)),
                        make_covariance("squared-exponential"));
    GpParameters point = test::some_parameters(size.p, 0.0);
    point.phi.setConstant(50.0);
    EXPECT_EQ(evaluate_one(model, InstructionSet::plain, point).reason, Impossible::not_positive_definite);
    EXPECT_EQ(evaluate_one(model, GetParam(), point).reason, Impossible::not_positive_definite);
    point.nugget = 1e-6;
    EXPECT_EQ(evaluate_one(model, GetParam(), point).reason, Impossible::no);
  }
}

TEST_P(EachPath, PaperExponentLeavesConstantsOut) {
  const GpModel model = test::small_model(20, 3, "none", "squared-exponential", Exponent::paper);
  const GpParameters point = test::some_parameters(3);
  EXPECT_NEAR(evaluate_one(model, GetParam(), point).log_likelihood,
              evaluate_one(model, InstructionSet::plain, point).log_likelihood, 1e-10);
}

// The information in its fast form against the orthogonalisation of the plain one. Where an input's derivative has
// vanished (short length-scales), both agree that there is next to none; where the volume is thin, the fast form hands
// over to the plain one. Nugget 1e-4: condition below 1e6, ten digits of each product remain.
TEST_P(EachPath, InformationIsThatOfThePlainForm) {
  for (const InformationOver over : {InformationOver::length_scales, InformationOver::length_scales_and_nugget}) {
    for (const Size size : {Size{12, 1}, Size{20, 2}, Size{49, 3}, Size{75, 4}}) {
      for (const auto& covariance : covariance_examples()) {
        for (const char* trend : {"none", "constant", "linear"}) {
          const GpModel model = test::small_model(size.n, size.p, trend, covariance);
          for (const GpParameters& point : test::scattered_parameters(model, 3, {-5.0, 5.0}, 1e-4)) {
            const double plain = evaluate_one(model, InstructionSet::plain, point, over).log_information_root;
            EXPECT_NEAR(evaluate_one(model, GetParam(), point, over).log_information_root, plain,
                        1e-8 * (1.0 + std::abs(plain)))
                << size.n << " " << covariance << " " << trend << " " << point.phi.transpose();
          }
        }
      }
    }
  }
}

// The kernels of one path at one point, without what the engine makes of their answers.
struct KernelGram {
  KernelGram(const GpModel& model, InstructionSet path, const GpParameters& at, bool with_nugget,
             InformationForm form) {
    Matrix borders(model.num_runs(), model.num_trend_columns() + 1);
    borders << model.H(), model.y();
    PanelProblem problem;
    problem.num_runs = static_cast<std::size_t>(model.num_runs());
    problem.num_inputs = static_cast<std::size_t>(model.num_inputs());
    problem.columns.count = static_cast<std::size_t>(borders.cols());
    problem.columns.num_flat = problem.columns.count - 1;
    problem.inputs = model.X().data();
    problem.borders = borders.data();
    problem.with_information = true;
    problem.with_nugget = with_nugget;
    const PanelRoutines& kernels = *panel_routines(path);
    AlignedBuffer work;
    work.resize(kernels.work_size(problem));
    AlignedBuffer log2_weights;
    log2_weights.resize(problem.num_inputs + kPaddedWeights);
    for (std::size_t d = 0; d < problem.num_inputs; ++d) {
      log2_weights[d] = model.covariance().log2_weight().at(std::log(at.phi[static_cast<Index>(d)]));
    }
    alignas(64) double results[4][8];
    kernels.factorise(problem, {log2_weights.data(), at.nugget}, work.data(),
                      {results[0], results[1], results[2], results[3]});
    gram.resize(model.num_inputs() + with_nugget, model.num_inputs() + with_nugget);
    accepted = kernels.information(problem, 1.0, form, work.data(), gram.data());
  }

  // Largest error of <B_i, B_j> relative to the lengths of both.
  double error(const test::LongMatrix& truth) const {
    const test::LongVector lengths = truth.diagonal().cwiseSqrt();
    const test::LongMatrix difference = (gram.cast<long double>() - truth).cwiseQuotient(lengths * lengths.transpose());
    return static_cast<double>(difference.cwiseAbs().maxCoeff());
  }

  Matrix gram;
  bool accepted;
};

// One point: what the structured form accepts is accurate, what it refuses is left to the general form, and what the
// engine makes of either is right wherever the plain form is. The bounds: with nugget 1e-2 the rounding of sums is what
// remains, divided by the least remainder that is accepted; with 1e-6 that of P, which grows
// with the condition of K_delta.
bool check_structured(const GpModel& model, InstructionSet path, const GpParameters& point, InformationOver over) {
  const bool with_nugget = over == InformationOver::length_scales_and_nugget;
  const KernelGram structured(model, path, point, with_nugget, InformationForm::structured);
  const KernelGram general(model, path, point, with_nugget, InformationForm::general);
  const KernelGram best(model, path, point, with_nugget, InformationForm::best);
  const auto truth = test::long_gram(model, point, with_nugget);
  if (structured.accepted) {
    EXPECT_LT(structured.error(truth), point.nugget > 1e-3 ? 1e-10 : 5e-9);
  }
  EXPECT_EQ(best.gram, structured.accepted ? structured.gram : general.gram);

  const double root = test::long_information_root(truth, model.residual_rank());
  const double plain = evaluate_one(model, InstructionSet::plain, point, over).log_information_root;
  EXPECT_NEAR(evaluate_one(model, path, point, over).log_information_root, root, 1e-8 + 2.0 * std::abs(plain - root));
  return structured.accepted;
}

TEST_P(EachPath, StructuredInformationIsThatOfLongDouble) {
  int accepted = 0, refused = 0;
  for (const InformationOver over : {InformationOver::length_scales, InformationOver::length_scales_and_nugget}) {
    for (const Size size : {Size{12, 1}, Size{20, 2}, Size{49, 3}, Size{75, 4}}) {
      for (const char* trend : {"none", "constant", "linear"}) {
        const GpModel model = test::small_model(size.n, size.p, trend, "squared-exponential");
        for (const double nugget : {1e-2, 1e-6}) {
          for (const GpParameters& point : test::scattered_parameters(model, 4, {-7.0, 7.0}, nugget)) {
            SCOPED_TRACE(testing::Message() << size.n << " " << trend << " " << nugget << " " << point.phi.transpose());
            ++(check_structured(model, GetParam(), point, over) ? accepted : refused);
          }
        }
      }
    }
  }
  EXPECT_GT(accepted, 100);  // of 192
  EXPECT_GT(refused, 10);
}

// The mutant of the switch: with K near the identity the structured form alone is far beyond the bounds above.
TEST_P(EachPath, StructuredInformationIsRefusedNearTheIdentity) {
  const GpParameters point{Vector::Constant(4, std::exp(-6.0)), 1e-2};
  for (const char* trend : {"none", "constant", "linear"}) {
    const GpModel model = test::small_model(20, 4, trend, "squared-exponential");
    const auto truth = test::long_gram(model, point, false);
    const KernelGram structured(model, GetParam(), point, false, InformationForm::structured);
    EXPECT_FALSE(structured.accepted);
    EXPECT_GT(structured.error(truth), 1e-6) << trend;
    const KernelGram best(model, GetParam(), point, false, InformationForm::best);
    EXPECT_TRUE(best.accepted);
    EXPECT_LT(best.error(truth), 1e-10) << trend;
  }
}

INSTANTIATE_TEST_SUITE_P(List, EachPath, testing::ValuesIn(fast_paths()),
                         [](const auto& path) { return instruction_set_name(path.param); });

}  // namespace
}  // namespace ta2s2
