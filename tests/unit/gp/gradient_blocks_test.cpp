// H's gradient in blocks: every instruction path against extended precision and the plain form, every model against
// differences of the energies, and a point against itself in other company.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "finite_difference.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "unit/gp/long_likelihood.hpp"

namespace ta2s2 {
namespace {

struct Answers {
  std::vector<PointLikelihood> likelihoods;
  std::vector<LikelihoodGradient> gradients;
};

// In blocks of `block`.
Answers differentiate(const LikelihoodEngine& engine, const std::vector<GpParameters>& points, std::size_t block) {
  std::vector<Vector> log_phi;
  std::vector<LikelihoodPoint> asked;
  for (const GpParameters& point : points) log_phi.push_back(point.phi.array().log());
  for (std::size_t i = 0; i < points.size(); ++i) {
    asked.push_back({log_phi[i].data(), points[i].nugget, points[i].log_shape, points[i].transform.data()});
  }
  Answers answers{std::vector<PointLikelihood>(points.size()), std::vector<LikelihoodGradient>(points.size())};
  const auto workspace = engine.make_workspace();
  for (std::size_t i = 0; i < points.size(); i += block) {
    const std::size_t count = std::min(block, points.size() - i);
    engine.evaluate_with_gradients(std::span<const LikelihoodPoint>(asked).subspan(i, count), *workspace,
                                   std::span(answers.likelihoods).subspan(i, count),
                                   std::span(answers.gradients).subspan(i, count));
  }
  return answers;
}

Answers differentiate(const GpModel& model, InstructionSet path, const std::vector<GpParameters>& points) {
  const auto engine = make_likelihood_engine(model, InformationOver::nothing, path);
  return differentiate(*engine, points, static_cast<std::size_t>(engine->lanes()));
}

// Eigen's maximum may pass over what is no number.
double relative_error(const Vector& found, const Vector& expected) {
  if (!found.allFinite()) return kInfinity;
  return (found - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

struct Extent {
  Index n, p;
};
// Below, at and above tiles of 3 and 5 rows, panels of 8 to 24, and groups of 4 and 8 inputs; the last two are beyond
// the lanes.
const std::vector<Extent> kExtents = {{7, 1},  {12, 2}, {21, 3},  {33, 5},  {40, 8},
                                      {41, 9}, {64, 4}, {98, 11}, {161, 6}, {171, 3}};

std::vector<InstructionSet> compiled_paths() {
  std::vector<InstructionSet> paths = supported_instruction_sets();
  paths.erase(paths.begin());  // plain
  return paths;
}

class GradientOnEachPath : public testing::TestWithParam<InstructionSet> {};

// At nugget 1e-3 the condition is below 1e6 and a derivative keeps nine digits of the largest.
constexpr double kRelativeError = 1e-9;

// With the largest shift v varies by e^-4 of itself: box-cox loses as many digits of what the process describes.
double relative_bound(const GpModel& model) {
  return model.transform().kind() == TransformKind::box_cox ? 50.0 * kRelativeError : kRelativeError;
}

void expect_truth_on_each_path(const GpModel& model, const GpParameters& point) {
  const Vector truth = test::long_gradient(model, point);
  for (const InstructionSet path : compiled_paths()) {
    const Answers found = differentiate(model, path, {point});
    ASSERT_EQ(found.likelihoods[0].reason, Impossible::no);
    EXPECT_LT(relative_error(test::joined(model, found.gradients[0], point.nugget), truth), relative_bound(model))
        << instruction_set_name(path);
  }
}

TEST(GradientBlocks, AreThoseOfLongDouble) {
  for (const Extent extent : {Extent{12, 2}, Extent{33, 3}, Extent{41, 9}, Extent{163, 2}}) {
    for (const auto& choice : test::model_choices()) {
      if (extent.n > 100 && choice.trend != "constant") continue;  // long double is slow
      SCOPED_TRACE(testing::Message() << extent.n << " " << choice.name());
      const GpModel model = test::model_with(choice, extent.n, extent.p);
      expect_truth_on_each_path(model, test::scattered_parameters(model, 1, {-3.0, 2.0}, 1e-3).front());
    }
  }
}

Vector plain_gradient(const GpModel& model, const GpParameters& point) {
  return test::joined(model, differentiate(model, InstructionSet::plain, {point}).gradients.front(), point.nugget);
}

// Those of the list, and what it leaves out.
std::vector<test::ModelChoice> all_choices() {
  std::vector<test::ModelChoice> choices = test::model_choices();
  for (const auto& covariance : covariance_examples()) {
    choices.push_back({"none", covariance, "none", TrendPrior::flat, Exponent::paper});
    choices.push_back({"terms(x1,x1^2)", covariance});
    choices.push_back({"terms(x1)", covariance, "none", TrendPrior::unit_information});
  }
  return choices;
}

TEST_P(GradientOnEachPath, IsThePlainOneForEveryModel) {
  for (const Extent extent : kExtents) {
    for (const auto& choice : all_choices()) {
      if (extent.n - extent.p - 1 < 3) continue;
      SCOPED_TRACE(testing::Message() << extent.n << " " << extent.p << " " << choice.name());
      const GpModel model = test::model_with(choice, extent.n, extent.p);
      const auto points = test::scattered_parameters(model, 9, {-4.0, 3.0}, 1e-3);
      const Answers found = differentiate(model, GetParam(), points);
      for (std::size_t i = 0; i < points.size(); i += 4) {
        EXPECT_LT(relative_error(test::joined(model, found.gradients[i], 1e-3), plain_gradient(model, points[i])),
                  relative_bound(model))
            << i << " " << points[i].log_shape << " " << points[i].transform.transpose();
      }
    }
  }
}

// The mutants of both tests: length-scales, a shape and a transformation that are wrong by a hundred bounds.
TEST(GradientBlocks, TheirBoundsSeeASlightlyWrongPoint) {
  for (const auto& choice : all_choices()) {
    SCOPED_TRACE(choice.name());
    const GpModel model = test::model_with(choice, 33, 5);
    const GpParameters point = test::some_parameters(model);
    const Vector right = plain_gradient(model, point);
    const double slightly = 100.0 * relative_bound(model);
    GpParameters wrong = point;
    wrong.phi *= 1.0 + slightly;
    EXPECT_GT(relative_error(plain_gradient(model, wrong), right), relative_bound(model));
    wrong = point;
    wrong.log_shape += slightly;
    wrong.transform.array() += slightly;
    const bool has_more = model.covariance().shape() || point.transform.size() > 0;
    EXPECT_EQ(relative_error(plain_gradient(model, wrong), right) > relative_bound(model), has_more);
  }
}

// Four denominators, which share a division, at length-scales where their product would leave the range of doubles, and
// of runs that have these four coordinates in common.
TEST_P(GradientOnEachPath, ExtremeLengthScalesHaveTheirDerivatives) {
  for (const Index n : {20, 165}) {
    Matrix X = test::scattered_points(n, 8);
    X.rightCols(4).topRows(n / 2).setConstant(0.5);
    for (const auto& covariance : covariance_examples()) {
      const GpModel model(X, test::smooth_output(X), Trend("constant", test::input_names(8)),
                          make_covariance(covariance));
      for (const double extreme : {-99.0, -60.0, -30.0, 30.0, 60.0, 99.0}) {
        SCOPED_TRACE(testing::Message() << n << " " << covariance << " " << extreme);
        GpParameters point = test::some_parameters(8, 1e-2);
        point.phi.tail(4).setConstant(std::exp(extreme));
        const Answers found = differentiate(model, GetParam(), {point});
        ASSERT_EQ(found.likelihoods[0].reason, Impossible::no);
        EXPECT_LT(relative_error(test::joined(model, found.gradients[0], 1e-2), plain_gradient(model, point)),
                  kRelativeError);
      }
    }
  }
}

void expect_equal(const LikelihoodGradient& found, const LikelihoodGradient& expected) {
  EXPECT_EQ(found.by_log_phi, expected.by_log_phi);
  EXPECT_EQ(found.by_nugget, expected.by_nugget);
  EXPECT_EQ(found.by_log_shape, expected.by_log_shape);
  EXPECT_EQ(found.by_transform, expected.by_transform);
}

// What is sampled, and what has two columns of outputs.
const test::ModelChoice kSampledModels[] = {{"constant", "matern52"},
                                            {"constant", "rational-quadratic"},
                                            {"constant", "matern52", "box-cox"},
                                            {"constant", "rational-quadratic", "sinh-arcsinh"},
                                            {"linear", "rational-quadratic", "box-cox", TrendPrior::unit_information}};

// Also the likelihood that comes without a gradient.
void expect_the_same_in_any_block(const GpModel& model, InstructionSet path) {
  const auto engine = make_likelihood_engine(model, InformationOver::nothing, path);
  const auto points = test::scattered_parameters(model, 11, {-7.0, 7.0}, 1e-8);
  const auto lanes = static_cast<std::size_t>(engine->lanes());
  const Answers together = differentiate(*engine, points, lanes), alone = differentiate(*engine, points, 1);
  const Answers fewer = differentiate(*engine, points, std::max<std::size_t>(1, lanes - 1));
  const auto workspace = engine->make_workspace();
  for (std::size_t i = 0; i < points.size(); ++i) {
    SCOPED_TRACE(i);
    expect_equal(together.gradients[i], alone.gradients[i]);
    expect_equal(fewer.gradients[i], alone.gradients[i]);
    const Vector log_phi = points[i].phi.array().log();
    const LikelihoodPoint asked{log_phi.data(), points[i].nugget, points[i].log_shape, points[i].transform.data()};
    PointLikelihood without;
    engine->evaluate({&asked, 1}, *workspace, {&without, 1});
    EXPECT_EQ(together.likelihoods[i].log_likelihood, without.log_likelihood);
    EXPECT_EQ(alone.likelihoods[i].log_likelihood, without.log_likelihood);
  }
}

TEST_P(GradientOnEachPath, DoesNotDependOnTheBlock) {
  for (const Extent extent : kExtents) {
    for (const auto& choice : kSampledModels) {
      if (extent.n - extent.p - 1 < 3) continue;
      SCOPED_TRACE(testing::Message() << extent.n << " " << choice.name());
      expect_the_same_in_any_block(test::model_with(choice, extent.n, extent.p), GetParam());
    }
  }
}

// In lanes, where nothing is summed across them.
TEST_P(GradientOnEachPath, PathsWithFusedMultiplyAddAgreeBitByBitInLanes) {
  const bool is_fused = GetParam() == InstructionSet::avx2 || GetParam() == InstructionSet::avx512;
  if (!is_fused) GTEST_SKIP() << "no fused multiply-add";
  for (const Extent extent : kExtents) {
    if (extent.n > 160) continue;
    for (const auto& choice : test::model_choices()) {
      if (extent.n - extent.p - 1 < 3) continue;
      SCOPED_TRACE(testing::Message() << extent.n << " " << choice.name());
      const GpModel model = test::model_with(choice, extent.n, extent.p);
      const auto points = test::scattered_parameters(model, 3, {-7.0, 7.0}, 1e-8);
      const Answers found = differentiate(model, GetParam(), points);
      const Answers best = differentiate(model, best_instruction_set(), points);
      for (std::size_t i = 0; i < points.size(); ++i) expect_equal(found.gradients[i], best.gradients[i]);
    }
  }
}

// Equal runs have no factor without a nugget; their neighbours in the block have one.
TEST_P(GradientOnEachPath, ASingularMatrixSpoilsNoOtherLane) {
  for (const Index n : {12, 163}) {
    Matrix X = test::scattered_points(n, 2);
    X.row(n - 1) = X.row(2);
    X.row(n - 2) = X.row(2);
    const GpModel model(X, test::smooth_output(X), Trend("constant", test::input_names(2)),
                        make_covariance("squared-exponential"));
    auto points = test::scattered_parameters(model, 8, {-2.0, 2.0}, 1e-3);
    const Answers clean = differentiate(model, GetParam(), points);
    for (const std::size_t i : {0, 3, 4}) points[i] = {Vector::Constant(2, 50.0), 0.0};
    const Answers mixed = differentiate(model, GetParam(), points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool is_singular = points[i].nugget == 0.0;
      EXPECT_EQ(mixed.likelihoods[i].reason, is_singular ? Impossible::not_positive_definite : Impossible::no);
      if (is_singular) continue;
      EXPECT_EQ(mixed.likelihoods[i].log_likelihood, clean.likelihoods[i].log_likelihood);
      expect_equal(mixed.gradients[i], clean.gradients[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(List, GradientOnEachPath, testing::ValuesIn(compiled_paths()),
                         [](const auto& path) { return instruction_set_name(path.param); });

struct Posterior {
  std::string prior = "jointly-robust", nugget = "log-uniform";
  test::ModelChoice choice = {};
  TemperingStart path = TemperingStart::posterior;
  InstructionSet simd = best_instruction_set();
};

GpTarget target_of(const Posterior& posterior, Index n = 12, Index p = 2) {
  const auto inputs = test::input_names(p);
  const NuggetPrior nugget = make_nugget_prior(posterior.nugget);
  const auto model = std::make_shared<const GpModel>(test::model_with(posterior.choice, n, p));
  const ParameterSpace space = nugget.fixed ? ParameterSpace::with_fixed_nugget(inputs, *nugget.fixed)
                                            : ParameterSpace::with_sampled_nugget(inputs);
  const PriorContext context{n, model->num_trend_columns(), inputs, {-7.0, 7.0}};
  return GpTarget(model, space.with_normal_coordinates(model->covariance().shape(), model->transform().coordinates()),
                  make_length_scale_prior(posterior.prior, context), nugget.prior, posterior.path, posterior.simd);
}

// Somewhere in the box.
Vector position_in(const GpTarget& target) {
  Vector z(target.dim());
  z.head(target.space().first_normal()) = Vector{{-1.7, 0.5, -5.0}}.head(target.space().first_normal());
  z.tail(target.space().num_normal()) = Vector{{0.4, -0.3, 0.7}}.head(target.space().num_normal());
  return z;
}

struct BlockAnswers {
  std::vector<Energy> energies;
  Matrix gradients;
};

BlockAnswers block_at(const GpTarget& target, const Matrix& points) {
  BlockAnswers found{std::vector<Energy>(static_cast<std::size_t>(points.cols())),
                     Matrix::Constant(points.rows(), points.cols(), NAN)};
  target.energies_and_gradients(points, *target.make_workspace(), found.energies, found.gradients);
  return found;
}

double total_at(const GpTarget& target, const Vector& z) {
  Energy energy;
  target.energies(z, *target.make_workspace(), {&energy, 1});
  return energy.total();
}

// As expect_gradient of gp_target_test.cpp: differences are right to 1e-8.
void expect_block_gradient(const GpTarget& target) {
  ASSERT_TRUE(target.has_gradient());
  const Vector z = position_in(target);
  const BlockAnswers found = block_at(target, z);
  EXPECT_EQ(found.energies[0].total(), total_at(target, z));
  const Vector expected = test::gradient([&](const Vector& at) { return total_at(target, at); }, z, 0.02);
  Vector plain;
  target.energy_and_gradient(z, *target.make_workspace(), plain);
  EXPECT_LT(relative_error(found.gradients.col(0), expected), 1e-6);
  EXPECT_LT(relative_error(found.gradients.col(0), plain), 1e-8);
}

TEST(GradientBlocks, AreThoseOfTheEnergyForEveryPriorAndNugget) {
  for (const auto& prior : length_scale_prior_examples()) {
    if (prior.starts_with("reference")) continue;
    for (const auto& nugget : nugget_prior_examples()) {
      for (const auto path : {TemperingStart::posterior, TemperingStart::prior}) {
        SCOPED_TRACE(prior + ' ' + nugget);
        const bool is_fixed = nugget.starts_with("fixed");  // at 1e-8 differences lose too many digits
        expect_block_gradient(target_of({.prior = prior, .nugget = is_fixed ? "fixed(1e-3)" : nugget, .path = path}));
      }
    }
  }
}

TEST(GradientBlocks, AreThoseOfTheEnergyForEveryModelAndPrior) {
  for (const auto& choice : all_choices()) {
    for (const char* prior : {"jointly-robust", "log-uniform"}) {
      for (const auto path : {TemperingStart::posterior, TemperingStart::prior}) {
        SCOPED_TRACE(choice.name() + ' ' + prior);
        expect_block_gradient(target_of({.prior = prior, .choice = choice, .path = path}));
      }
    }
  }
}

// But for the rounding of phi, which the engine takes from its logarithm.
TEST(GradientBlocks, OfThePlainPathAreThePlainForm) {
  const GpTarget target = target_of({.simd = InstructionSet::plain});
  const Vector z{{-1.7, 0.5, -5.0}};
  Vector plain;
  const Energy energy = target.energy_and_gradient(z, *target.make_workspace(), plain);
  const BlockAnswers found = block_at(target, z);
  EXPECT_LT(relative_error(found.gradients.col(0), plain), 1e-12);
  EXPECT_EQ(found.energies[0].total(), total_at(target, z));
  EXPECT_NEAR(found.energies[0].total(), energy.total(), 1e-12);
}

void expect_no_knowledge_of_neighbours(const GpTarget& target) {
  Stream stream({.seed = 3, .purpose = Purpose::start_point});
  Matrix points(target.dim(), 19);
  for (Index j = 0; j < points.cols(); ++j) points.col(j) = target.draw_start(stream);
  points(0, 4) = 8.0;
  points(1, 11) = NAN;
  const BlockAnswers together = block_at(target, points);
  for (Index j = 0; j < points.cols(); ++j) {
    SCOPED_TRACE(j);
    const BlockAnswers alone = block_at(target, points.col(j));
    const Energy &found = together.energies[static_cast<std::size_t>(j)], &expected = alone.energies[0];
    EXPECT_EQ(found.reason, j == 4 || j == 11 ? Impossible::outside_box : Impossible::no);
    EXPECT_EQ(found.start, expected.start);
    EXPECT_EQ(found.tempered, expected.tempered);
    EXPECT_EQ(found.total(), total_at(target, points.col(j)));
    EXPECT_EQ(together.gradients.col(j), alone.gradients.col(0));
  }
}

TEST(GradientBlocks, APointDoesNotKnowItsNeighbours) {
  for (const Extent extent : {Extent{12, 2}, Extent{50, 10}, Extent{170, 4}}) {
    for (const auto& choice : kSampledModels) {
      SCOPED_TRACE(testing::Message() << extent.n << " " << choice.name());
      expect_no_knowledge_of_neighbours(target_of({.choice = choice}, extent.n, extent.p));
    }
  }
}

TEST(GradientBlocks, AreRefusedWhereThereIsNone) {
  const Matrix z = Vector{{-1.7, 0.5, -5.0}};
  EXPECT_THROW(block_at(target_of({.prior = "reference"}), z), Error);
  EXPECT_THROW(block_at(target_of({}).continuing({7, z, Vector::Ones(1)}), z), Error);
  const GpModel model = test::small_model(12, 2);
  const auto paired = make_likelihood_engine(model, InformationOver::nothing, InstructionSet::plain, 7);
  EXPECT_THROW(differentiate(*paired, {test::some_parameters(2)}, 1), Error);
}

}  // namespace
}  // namespace ta2s2
