#include "ta2s2/gp/gp_target.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "finite_difference.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

struct Setting {
  std::string prior = "jointly-robust";
  std::string nugget = "log-uniform";
  TemperingStart path = TemperingStart::posterior;
  test::ModelChoice choice = {};
};

GpTarget make_target(const Setting& setting, Index n = 12, Index p = 2) {
  auto model = std::make_shared<const GpModel>(test::model_with(setting.choice, n, p));
  const auto inputs = test::input_names(p);
  const NuggetPrior nugget = make_nugget_prior(setting.nugget);
  auto space = nugget.fixed ? ParameterSpace::with_fixed_nugget(inputs, *nugget.fixed)
                            : ParameterSpace::with_sampled_nugget(inputs);
  std::shared_ptr<const Prior> prior = make_length_scale_prior(setting.prior, {n, 1, inputs, {-7.0, 7.0}});
  const bool covered = prior->covers_nugget();
  space = space.with_normal_coordinates(model->covariance().shape(), model->transform().coordinates());
  return GpTarget(model, space, prior, covered ? nullptr : nugget.prior, setting.path);
}

Energy energy_at(const GpTarget& target, const Vector& z) {
  const auto workspace = target.make_workspace();
  Energy energy;
  target.energies(z, *workspace, {&energy, 1});
  return energy;
}

// Why a point is impossible; with or without a gradient asked for it is the same.
Impossible reason_at(const GpTarget& target, const Vector& z) {
  const Impossible reason = energy_at(target, z).reason;
  if (target.has_gradient()) {
    Vector gradient;
    EXPECT_EQ(target.energy_and_gradient(z, *target.make_workspace(), gradient).reason, reason);
  }
  return reason;
}

const Vector kPoint{{-1.0, 0.5, -8.0}};

TEST(GpTarget, EnergyIsMinusLogLikelihoodMinusLogPrior) {
  const GpTarget target = make_target({});
  GpFactor factor;
  factorise(*target.model(), target.space().natural(kPoint), factor);
  const double log_prior =
      make_length_scale_prior("jointly-robust", {12, 1, {"a", "b"}, {-7, 7}})->log_density(kPoint.head(2)) +
      make_nugget_prior("log-uniform").prior->log_density(kPoint.tail(1));
  const double H = -(log_likelihood(*target.model(), factor) + log_prior);
  const Energy energy = energy_at(target, kPoint);
  EXPECT_EQ(energy.reason, Impossible::no);
  EXPECT_NEAR(energy.total(), H, 1e-12);
  EXPECT_EQ(energy.start, target.space().log_volume());

  const Energy other = energy_at(make_target({.path = TemperingStart::prior}), kPoint);
  EXPECT_NEAR(other.total(), H, 1e-12);
  EXPECT_NEAR(other.start, -log_prior, 1e-12);
}

// With a shape and a transformation: their coordinates' prior is one more term, on both starts.
const test::ModelChoice kWithNormals{"linear", "rational-quadratic", "box-cox", TrendPrior::unit_information};
const Vector kLongPoint{{-1.0, 0.5, -8.0, 0.9, -0.6, 0.4}};

TEST(GpTarget, NormalCoordinatesHaveTheirPrior) {
  const GpTarget target = make_target({.choice = kWithNormals});
  ASSERT_EQ(target.dim(), 6);
  GpFactor factor;
  ASSERT_EQ(factorise(*target.model(), target.space().natural(kLongPoint), factor), Impossible::no);
  double log_prior =
      make_length_scale_prior("jointly-robust", {12, 1, {"a", "b"}, {-7, 7}})->log_density(kLongPoint.head(2)) +
      make_nugget_prior("log-uniform").prior->log_density(kLongPoint.segment(2, 1));
  const auto& coordinates = target.space().normal_coordinates();
  for (std::size_t i = 0; i < 3; ++i) {
    const NormalCoordinate& c = coordinates[i];
    const auto cdf = [&](double z) { return 0.5 * std::erfc((c.mean - z) / c.sd / std::sqrt(2.0)); };
    const double score = (kLongPoint[3 + static_cast<Index>(i)] - c.mean) / c.sd;
    log_prior -= 0.5 * score * score + std::log(c.sd * std::sqrt(2.0 * M_PI) * (cdf(c.box.high) - cdf(c.box.low)));
  }
  const double H = -(log_likelihood(*target.model(), factor) + log_prior);
  EXPECT_NEAR(energy_at(target, kLongPoint).total(), H, 1e-11);
  EXPECT_NEAR(energy_at(target, kLongPoint).start, target.space().log_volume(), 1e-12);
  const Energy other = energy_at(make_target({.path = TemperingStart::prior, .choice = kWithNormals}), kLongPoint);
  EXPECT_NEAR(other.total(), H, 1e-11);
  EXPECT_NEAR(other.start, -log_prior, 1e-12);
}

TEST(GpTarget, RefusesASpaceWithOtherCoordinatesThanTheModel) {
  const auto model = std::make_shared<const GpModel>(test::model_with(kWithNormals, 12, 2));
  const auto inputs = test::input_names(2);
  const auto space = ParameterSpace::with_sampled_nugget(inputs);
  const auto target_in = [&](const ParameterSpace& other) {
    return GpTarget(model, other, make_length_scale_prior("jointly-robust", {12, 3, inputs, {-7.0, 7.0}}),
                    make_nugget_prior("log-uniform").prior, TemperingStart::posterior);
  };
  const auto shape = model->covariance().shape();
  const auto& transform = model->transform().coordinates();
  EXPECT_NO_THROW(target_in(space.with_normal_coordinates(shape, transform)));
  EXPECT_THROW(target_in(space), Error);
  EXPECT_THROW(target_in(space.with_normal_coordinates(shape, {})), Error);
  EXPECT_THROW(target_in(space.with_normal_coordinates(std::nullopt, transform)), Error);
}

// -log of a start law's density.
double start_energy(const StartLaw& law, const Vector& z) {
  double sum = 0.0;
  for (Index d = 0; d < z.size(); ++d) {
    const double width = law.high[d] - law.low[d], rate = law.rate[d];
    sum += rate > 0.0 ? rate * (z[d] - law.low[d]) + std::log(-std::expm1(-rate * width) / rate) : std::log(width);
  }
  return sum;
}

// Everything else than the sparse prior starts on the whole box; the nugget always does.
TEST(GpTarget, StartsFromAProductLawOnItsBox) {
  for (const auto& prior : length_scale_prior_examples()) {
    const GpTarget target = make_target({.prior = prior});
    const StartLaw law = target.start_law();
    EXPECT_EQ(law.low, target.space().low());
    EXPECT_EQ(law.high, target.space().high());
    EXPECT_EQ(law.rate[2], 0.0);
    const StartLaw with_normals = make_target({.prior = prior, .choice = kWithNormals}).start_law();
    EXPECT_EQ(with_normals.rate.head(3), law.rate);
    EXPECT_EQ(with_normals.rate.tail(3), Vector::Zero(3).eval());
    EXPECT_EQ(with_normals.low.tail(3), (Vector{{-3.0, -7.0, -1.5}}));
    if (prior != "sparse-jointly-robust") {
      EXPECT_EQ(law.rate, Vector::Zero(3)) << prior;
      EXPECT_NEAR(start_energy(law, kPoint), target.space().log_volume(), 1e-12) << prior;
    }
  }
  EXPECT_EQ(make_target({.prior = "sparse-jointly-robust"}, 12, 2).start_law().rate, (Vector{{0.2, 0.2, 0.0}}));
  EXPECT_EQ(make_target({.prior = "sparse-jointly-robust"}, 40, 10).start_law().rate[9], 0.1);
  EXPECT_EQ(make_target({.prior = "sparse-jointly-robust", .nugget = "fixed(0.01)"}, 40, 10).start_law().rate.size(),
            10);
}

// The start law of the sparse prior is its product part: what is left of the prior is t^a exp(-b t).
TEST(GpTarget, TheSparsePriorsStartLawLeavesAFunctionOfTheTotal) {
  const Index p = 10;
  const auto prior = make_length_scale_prior("sparse-jointly-robust", {40, 1, test::input_names(p), {-7.0, 7.0}});
  const StartLaw law = make_target({.prior = "sparse-jointly-robust", .nugget = "fixed(0.01)"}, 40, p).start_law();
  const auto rest = [&](const Vector& z) {
    const double T = (-0.5 * z.array()).exp().sum();
    return prior->log_density(z) + start_energy(law, z) - 0.2 * std::log(T) + 2.2 * std::pow(40.0, -0.2) * T;
  };
  EXPECT_NEAR(rest(Vector::Constant(p, 1.0)), rest(Vector::LinSpaced(p, -6.0, 6.0)), 1e-11);

  double mass = 0.0;
  const int cells = 100000;
  const StartLaw one{law.low.head(1), law.high.head(1), law.rate.head(1)};
  for (int i = 0; i < cells; ++i)
    mass += std::exp(-start_energy(one, Vector::Constant(1, -7.0 + 14.0 * (i + 0.5) / cells)));
  EXPECT_NEAR(mass * 14.0 / cells, 1.0, 1e-9);  // midpoints: (width rate / cells)^2 / 24
}

// A point on the corners and edges of the box, or within.
Vector point_of_the_box(const GpTarget& target, Stream& stream, int number) {
  Vector z = target.draw_start(stream);
  if (number % 4 == 0) {
    const double u = draw_uniform(stream);
    for (Index d = 0; d < target.dim(); ++d) {
      if (draw_uniform(stream) < u) z[d] = (draw_uniform(stream) < 0.5 ? target.box()->low : target.box()->high)[d];
    }
  }
  return z;
}

// Neither the way the engine takes nor where a point is kept may show in its energy.
void expect_the_same_alone(const GpTarget& target, int count) {
  Stream stream({.seed = 4, .purpose = Purpose::start_point});
  Matrix points(target.dim(), count);
  for (int j = 0; j < count; ++j) points.col(j) = point_of_the_box(target, stream, j);
  points(0, 4) = 8.0;
  std::vector<Energy> together(static_cast<std::size_t>(count));
  const auto workspace = target.make_workspace();
  target.energies(points, *workspace, together);
  for (int j = 0; j < count; ++j) {
    const Energy alone = energy_at(target, points.col(j));
    EXPECT_EQ(alone.reason, together[j].reason) << j;
    EXPECT_EQ(alone.start, together[j].start) << j;
    EXPECT_EQ(alone.tempered, together[j].tempered) << j;
  }
  EXPECT_EQ(together[4].reason, Impossible::outside_box);
}

const test::ModelChoice kOtherModels[] = {kWithNormals, {"constant", "matern52", "sinh-arcsinh"}};

TEST(GpTarget, AnEnergyDoesNotDependOnItsNeighbours) {
  for (const char* prior :
       {"jointly-robust", "sparse-jointly-robust", "log-uniform", "reference", "reference(joint)"}) {
    SCOPED_TRACE(prior);
    expect_the_same_alone(make_target({.prior = prior}), 9);
    expect_the_same_alone(make_target({.prior = prior}, 40, 10), 50);
  }
  for (const TemperingStart path : {TemperingStart::posterior, TemperingStart::prior}) {
    for (const Index n : {20, 100, 160}) {
      for (const Index p : {10, 11, 20}) {
        SCOPED_TRACE(testing::Message() << n << " runs, " << p << " inputs");
        expect_the_same_alone(make_target({.path = path}, n, p), 300);
        for (const auto& choice : kOtherModels) {
          if (n > p + 3) expect_the_same_alone(make_target({.path = path, .choice = choice}, n, p), 40);
        }
      }
    }
  }
}

TEST(GpTarget, ImpossiblePointsHaveAReasonAndNeverNan) {
  EXPECT_EQ(reason_at(make_target({}), Vector{{0.0, 7.5, -8.0}}), Impossible::outside_box);
  EXPECT_EQ(reason_at(make_target({}), Vector{{0.0, NAN, -8.0}}), Impossible::outside_box);
  EXPECT_EQ(energy_at(make_target({}), Vector{{0.0, NAN, -8.0}}).total(), kInfinity);
  // A prior narrower than the box.
  EXPECT_EQ(reason_at(make_target({.prior = "uniform(0.5,2)"}), Vector{{0.0, 3.0, -8.0}}), Impossible::outside_box);

  // Two equal runs and no nugget: singular at every phi.
  Matrix X = test::scattered_points(10, 1);
  X.row(2) = X.row(7);
  const auto model = std::make_shared<const GpModel>(X, test::smooth_output(X), Trend("constant", {"a"}),
                                                     make_covariance("squared-exponential"));
  const PriorContext context{10, 1, {"a"}, {-7, 7}};
  const GpTarget singular(model, ParameterSpace::with_fixed_nugget({"a"}, 0.0),
                          make_length_scale_prior("log-uniform", context), nullptr, TemperingStart::posterior);
  EXPECT_EQ(reason_at(singular, Vector{{-2.0}}), Impossible::not_positive_definite);

  // A user's density that is not a number.
  FunctionPrior broken;
  broken.log_density_of_phi = [](VectorView) { return NAN; };
  const GpTarget not_finite(model, ParameterSpace::with_fixed_nugget({"a"}, 1e-3),
                            make_length_scale_prior(broken, context), nullptr, TemperingStart::posterior);
  EXPECT_FALSE(not_finite.has_gradient());
  EXPECT_EQ(reason_at(not_finite, Vector{{-2.0}}), Impossible::not_finite);
}

// H is right to 1e-11 here, its quotients over steps of 0.02 to 1e-8.
void expect_gradient(const GpTarget& target, const Vector& z) {
  ASSERT_TRUE(target.has_gradient());
  const auto workspace = target.make_workspace();
  Vector found;
  const Energy energy = target.energy_and_gradient(z, *workspace, found);
  ASSERT_TRUE(energy.possible());
  EXPECT_NEAR(energy.start, energy_at(target, z).start, 1e-9);
  EXPECT_NEAR(energy.total(), energy_at(target, z).total(), 1e-9);
  const Vector expected = test::gradient([&](const Vector& at) { return energy_at(target, at).total(); }, z, 0.02);
  for (Index d = 0; d < z.size(); ++d) {
    EXPECT_NEAR(found[d], expected[d], 1e-6 * std::max(1.0, std::abs(expected[d]))) << d;
  }
}

TEST(GpTarget, GradientIsThatOfTheEnergyForEveryPriorAndNugget) {
  for (const auto& prior : length_scale_prior_examples()) {
    for (const auto& nugget : nugget_prior_examples()) {
      for (const auto path : {TemperingStart::posterior, TemperingStart::prior}) {
        if (prior.starts_with("reference")) continue;
        SCOPED_TRACE(prior + ' ' + nugget);
        const GpTarget target = make_target({.prior = prior, .nugget = nugget, .path = path});
        expect_gradient(target, Vector{{-1.7, 0.5, -5.0}}.head(target.dim()));
      }
    }
  }
}

TEST(GpTarget, GradientIsThatOfTheEnergyForEveryModel) {
  for (const auto& choice : test::model_choices()) {
    for (const auto path : {TemperingStart::posterior, TemperingStart::prior}) {
      for (const char* nugget : {"log-uniform", "fixed(1e-3)"}) {
        SCOPED_TRACE(choice.name() + ' ' + nugget);
        const GpTarget target = make_target({.nugget = nugget, .path = path, .choice = choice});
        Vector z(target.dim());
        z.head(target.space().first_normal()) = Vector{{-1.7, 0.5, -5.0}}.head(target.space().first_normal());
        z.tail(target.space().num_normal()) = Vector{{0.4, -0.3, 0.7}}.head(target.space().num_normal());
        expect_gradient(target, z);
      }
    }
  }
}

TEST(GpTarget, HasNoGradientWithoutThatOfThePrior) {
  EXPECT_FALSE(make_target({.prior = "reference"}).has_gradient());
  EXPECT_FALSE(make_target({.prior = "reference(joint)"}).has_gradient());
}

TEST(GpTarget, StartsFromItsStartDensity) {
  // Uniform on the box: the mean of z_1 over N draws has sd 14 / sqrt(12 N) = 0.090.
  const GpTarget target = make_target({});
  Stream stream({.seed = 8, .purpose = Purpose::start_point});
  double sum = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const Vector z = target.draw_start(stream);
    ASSERT_TRUE(target.space().contains(z));
    sum += z[0];
  }
  EXPECT_NEAR(sum / 2000, 0.0, 5 * 0.09);

  // From the prior: log phi is normal with mean 1 and sd 0.5, 9 sds inside the box.
  const GpTarget from_prior = make_target({.prior = "log-normal(1,0.5)", .path = TemperingStart::prior});
  sum = 0.0;
  for (int i = 0; i < 2000; ++i) sum += from_prior.draw_start(stream)[1];
  EXPECT_NEAR(sum / 2000, 1.0, 5 * 0.5 / std::sqrt(2000));

  // The shape, the first normal coordinate: mean 2 and sd 2 on [-3, 8], cut at 2.5 and 3 sds, so that the mean moves by
  // 2 (0.0175 - 0.0044).
  const GpTarget with_normals = make_target({.path = TemperingStart::prior, .choice = kWithNormals});
  sum = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const Vector z = with_normals.draw_start(stream);
    ASSERT_TRUE(with_normals.space().contains(z));
    sum += z[3];
  }
  EXPECT_NEAR(sum / 2000, 2.026, 5 * 2.0 / std::sqrt(2000));
}

// The likelihood is that of the runs given; what was made for all of them, as the prior's constants, stays.
TEST(GpTarget, GivenTheFirstRunsItIsTheirPosteriorUnderTheSamePrior) {
  const GpTarget all = make_target({});
  const GpTarget first = all.given_first(7);
  EXPECT_EQ(first.model()->num_runs(), 7);
  const auto log_likelihood_of = [](const GpModel& model) {
    GpFactor factor;
    factorise(model, ParameterSpace::with_sampled_nugget(test::input_names(2)).natural(kPoint), factor);
    return log_likelihood(model, factor);
  };
  const GpModel alone(all.model()->X().topRows(7), all.model()->y().head(7), all.model()->trend(),
                      make_covariance("matern52"));
  EXPECT_NEAR(energy_at(first, kPoint).total() - energy_at(all, kPoint).total(),
              log_likelihood_of(*all.model()) - log_likelihood_of(alone), 1e-11);
  EXPECT_EQ(energy_at(all.given_first(12), kPoint).total(), energy_at(all, kPoint).total());
}

// The transformation's Jacobian is that of the first runs where these stand alone, and so is the share of the trend's
// prior.
TEST(GpTarget, ContinuesThePosteriorOfTransformedOutputs) {
  for (const auto& choice : test::model_choices()) {
    for (const Index num_known : {8, 13}) {
      for (const TemperingStart path : {TemperingStart::posterior, TemperingStart::prior}) {
        SCOPED_TRACE(choice.name() + " " + std::to_string(num_known));
        const GpTarget all = make_target({.path = path, .choice = choice}, 14);
        const Vector z = kLongPoint.head(all.dim());
        const GpTarget target = all.continuing({num_known, z, Vector::Ones(1)});
        const Energy energy = energy_at(target, z);
        EXPECT_NEAR(energy.start, energy_at(all.given_first(num_known), z).total(), 1e-11);
        EXPECT_NEAR(energy.start + energy.tempered, energy_at(all, z).total(), 1e-11);
      }
    }
  }
}

// Energies are split in two parts, whose sum rounds; the likelihoods are the same to the bit (likelihood_engine_test).
TEST(GpTarget, ContinuesThePosteriorOfItsFirstRuns) {
  for (const char* prior :
       {"jointly-robust", "sparse-jointly-robust", "log-uniform", "reference", "reference(joint)"}) {
    for (const Index num_known : {7, 11}) {
      SCOPED_TRACE(std::string(prior) + " " + std::to_string(num_known));
      const GpTarget all = make_target({.prior = prior});
      const Matrix draws = kPoint.replicate(1, 2);
      const GpTarget target = all.continuing({num_known, draws, Vector{{0.0, 1.0}}});
      const Energy energy = energy_at(target, kPoint);
      EXPECT_NEAR(energy.start, energy_at(all.given_first(num_known), kPoint).total(), 1e-11);
      EXPECT_NEAR(energy.total(), energy_at(all, kPoint).total(), 1e-11);
      EXPECT_FALSE(target.has_gradient());
      Stream stream({.seed = 1, .purpose = Purpose::start_point});
      EXPECT_EQ(target.draw_start(stream), kPoint);
    }
  }
}

TEST(GpTarget, ContinuesOnlyPartOfItself) {
  const GpTarget all = make_target({});
  const Vector one = Vector::Ones(1);
  EXPECT_THROW(all.continuing({0, kPoint, one}), Error);
  EXPECT_THROW(all.continuing({12, kPoint, one}), Error);
  EXPECT_THROW(all.continuing({7, kPoint.head(2), one}), Error);
  EXPECT_THROW(all.continuing({7, kPoint, Vector::Ones(2)}), Error);
}

TEST(GpTarget, RefusesWhatDoesNotFit) {
  EXPECT_THROW(make_target({.prior = "reference", .path = TemperingStart::prior}), Error);
  EXPECT_THROW(make_target({.prior = "reference(joint)", .nugget = "fixed(1e-6)"}), Error);
  EXPECT_NO_THROW(make_target({.prior = "reference(joint)"}));
}

TEST(GpTarget, SaysHowWellItsEvidenceIsNormalised) {
  EXPECT_TRUE(make_target({}).log_prior_is_normalised());
  EXPECT_EQ(make_target({}).log_evidence_offset_error(), 0.0);
  EXPECT_EQ(make_target({.prior = "decaying"}).log_evidence_offset_error(), 0.0);
  EXPECT_FALSE(make_target({.prior = "reference"}).log_prior_is_normalised());
}

}  // namespace
}  // namespace ta2s2
