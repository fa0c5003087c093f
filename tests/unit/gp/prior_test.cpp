// Priors that the contract's one-input walk does not reach: several inputs, elicited, functions, refusals.
#include "ta2s2/gp/prior.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/priors/priors.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

using testing::HasSubstr;

PriorContext context_of(Index num_runs, Index p, Interval box = {-7.0, 7.0}) {
  return {num_runs, 1, test::input_names(p), box};
}

// Midpoint sums over the square box: total mass, marginal mass per column, and E[z1 z2].
struct Grid {
  double mass = 0.0, product_moment = 0.0;
  std::vector<double> marginal_cdf;  // of z1, at the right edges
};

Grid integrate_plane(const Prior& prior, const Interval& box, int cells) {
  Grid grid;
  const double h = box.width() / cells;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const Vector z{{box.low + (i + 0.5) * h, box.low + (j + 0.5) * h}};
      const double part = std::exp(prior.log_density(z)) * h * h;
      grid.mass += part;
      grid.product_moment += part * z[0] * z[1];
    }
    grid.marginal_cdf.push_back(grid.mass);
  }
  return grid;
}

// Midpoint error: h^2/24 times the change of slope at the borders (below one): 14 / 700 gives 2e-5.
constexpr int kCells = 700;
constexpr double kQuadrature = 1e-4;

TEST(JointlyRobust, IntegratesToOneInTwoDimensions) {
  for (const Interval box : {Interval{-7.0, 7.0}, Interval{-3.0, 2.0}}) {
    const auto prior = make_length_scale_prior("jointly-robust", context_of(20, 2, box));
    EXPECT_NEAR(integrate_plane(*prior, box, kCells).mass, 1.0, kQuadrature);
  }
}

TEST(JointlyRobust, DrawsMatchTheDensityInTwoDimensions) {
  const Interval box{-3.0, 2.0};  // cuts off much of the prior, so that the truncation is put to the test
  const auto prior = make_length_scale_prior("jointly-robust", context_of(20, 2, box));
  const Grid grid = integrate_plane(*prior, box, kCells);
  const int count = 20000;
  Stream stream({.seed = 11, .purpose = Purpose::start_point});
  std::vector<double> first;
  double sum = 0.0, sum_of_squares = 0.0;
  for (int i = 0; i < count; ++i) {
    const Vector z = prior->draw(stream);
    ASSERT_TRUE(box.contains(z[0]) && box.contains(z[1]));
    first.push_back(z[0]);
    sum += z[0] * z[1];
    sum_of_squares += z[0] * z[0] * z[1] * z[1];
  }
  std::sort(first.begin(), first.end());
  double distance = 0.0;
  for (int i = 0; i < kCells; ++i) {
    const double edge = box.low + box.width() * (i + 1) / kCells;
    const auto below = std::upper_bound(first.begin(), first.end(), edge) - first.begin();
    distance = std::max(distance, std::abs(static_cast<double>(below) / count - grid.marginal_cdf[i] / grid.mass));
  }
  // Kolmogorov: P(D > 2.7 / sqrt(N)) = 2 exp(-2 * 2.7^2) < 1e-6.
  EXPECT_LT(distance, 2.7 / std::sqrt(count));
  const double mean = sum / count, sd = std::sqrt(sum_of_squares / count - mean * mean);
  EXPECT_NEAR(mean, grid.product_moment / grid.mass, 5.0 * sd / std::sqrt(count) + kQuadrature);
}

// docs/math.md, section 2, spelled out: differences of the log density do not depend on the estimated mass.
TEST(JointlyRobust, FollowsItsFormula) {
  const Index n = 50, p = 4;
  const auto prior = make_length_scale_prior("jointly-robust", context_of(n, p));
  const auto formula = [&](const Vector& z) {
    const double C = std::pow(50.0, -0.25), a = 0.2, b = C * (a + 4.0);
    const double t = C * (-0.5 * z.array()).exp().sum();
    return a * std::log(t) - b * t - 0.5 * z.sum();
  };
  const Vector u{{-2.0, 0.0, 1.0, 3.0}}, v{{0.5, -1.0, 2.0, -3.0}};
  EXPECT_NEAR(prior->log_density(u) - prior->log_density(v), formula(u) - formula(v), 1e-12);
  EXPECT_EQ(prior->log_density(Vector{{-8.0, 0.0, 0.0, 0.0}}), -kInfinity);
}

TEST(JointlyRobust, MassIsTheShareOfItsDrawsInTheBox) {
  const Index n = 30, p = 3;
  const Interval box{-4.0, 2.0}, wide{-60.0, 60.0};
  const auto narrow = make_length_scale_prior("jointly-robust", context_of(n, p, box));
  const auto whole = make_length_scale_prior("jointly-robust", context_of(n, p, wide));
  const Vector z{{0.0, 0.5, -1.0}};
  const double log_mass = whole->log_density(z) - narrow->log_density(z);
  Stream stream({.seed = 3, .purpose = Purpose::start_point});
  const int count = 100000;
  int inside = 0;
  for (int i = 0; i < count; ++i) {
    const Vector draw = whole->draw(stream);
    inside += draw.minCoeff() >= box.low && draw.maxCoeff() <= box.high;
  }
  const double share = static_cast<double>(inside) / count;
  EXPECT_NEAR(log_mass, std::log(share), 5.0 * std::sqrt((1.0 - share) / (share * count)));
}

// And with two inputs, where 2/p = 1, it is the other one.
TEST(SparseJointlyRobust, FollowsItsFormula) {
  const Index n = 50, p = 4;
  const auto prior = make_length_scale_prior("sparse-jointly-robust", context_of(n, p, {-7.0, 100.0}));
  const auto formula = [&](const Vector& z) {
    const double T = (-0.5 * z.array()).exp().sum();
    return 0.2 * std::log(T) - 2.2 * std::pow(50.0, -2.0 / 4.0) * T - 0.25 * z.sum();
  };
  const Vector u{{-2.0, 0.0, 1.0, 3.0}}, v{{0.5, 99.0, 40.0, -3.0}}, far = Vector::Constant(4, 100.0);
  EXPECT_NEAR(prior->log_density(u) - prior->log_density(v), formula(u) - formula(v), 1e-12);
  EXPECT_NEAR(prior->log_density(u) - prior->log_density(far), formula(u) - formula(far), 1e-11);
  EXPECT_EQ(prior->log_density(Vector{{-8.0, 0.0, 0.0, 0.0}}), -kInfinity);

  const auto dense = make_length_scale_prior("jointly-robust", context_of(n, 2));
  const auto sparse = make_length_scale_prior("sparse-jointly-robust", context_of(n, 2));
  EXPECT_NEAR(sparse->log_density(Vector{{-1.0, 2.0}}), dense->log_density(Vector{{-1.0, 2.0}}), 1e-12);
}

TEST(SparseJointlyRobust, HasAGradientAtTheFarCorner) {
  const Vector far = Vector::Constant(40, 100.0);
  Vector gradient(40);
  make_length_scale_prior("sparse-jointly-robust", context_of(100, 40, {-7.0, 100.0}))
      ->log_density_gradient(far, gradient);
  // t^a has slope -a/2 in all z together, and exp(-z/p) has -1/p.
  EXPECT_LT((gradient.array() + 0.1 / 40.0 + 1.0 / 40.0).abs().maxCoeff(), 1e-15);
}

// Boxes that hold too little of the prior to be drawn from by rejection.
struct ManyInputs {
  const char* spec;
  Index p;
  Interval box;
};
const ManyInputs kManyInputs[] = {{"jointly-robust", 40, {-7.0, 7.0}},
                                  {"jointly-robust", 100, {-7.0, 30.0}},
                                  {"sparse-jointly-robust", 40, {-7.0, 100.0}},
                                  {"sparse-jointly-robust", 100, {-7.0, 100.0}},
                                  {"sparse-jointly-robust", 400, {-7.0, 30.0}}};

// How far draws of `drawn` are from the density of `prior`, in standard errors. Where a field g vanishes at the
// borders, E sum_d (g'(z_d) + g(z_d) dlog f / dz_d) = 0 whatever the normaliser; here g = (z - low) (high - z)
// exp(-rate z).
double stein_discrepancy(const Prior& prior, const Prior& drawn, const Interval& box, double rate) {
  const int count = 4000;
  Stream stream({.seed = 12, .purpose = Purpose::start_point});
  Vector sums(count), gradient(prior.dim());
  for (int i = 0; i < count; ++i) {
    const Vector z = drawn.draw(stream);
    EXPECT_TRUE(z.minCoeff() >= box.low && z.maxCoeff() <= box.high);
    EXPECT_TRUE(std::isfinite(prior.log_density(z)));
    prior.log_density_gradient(z, gradient);
    const Eigen::ArrayXd below = z.array() - box.low, above = box.high - z.array();
    sums[i] = ((-rate * z.array()).exp() * (above - below + below * above * (gradient.array() - rate))).sum();
  }
  const double sd = std::sqrt((sums.array() - sums.mean()).square().sum() / (count - 1));
  return std::abs(sums.mean()) / (sd / std::sqrt(count));
}

// P(|error| > 5 standard errors) = 6e-7 for each of the ten.
TEST(JointlyRobust, DrawsMatchTheDensityWithManyInputs) {
  for (const ManyInputs& c : kManyInputs) {
    SCOPED_TRACE(testing::Message() << c.spec << ' ' << c.p);
    const auto prior = make_length_scale_prior(c.spec, context_of(100, c.p, c.box));
    for (const double rate : {0.0, 0.5}) EXPECT_LT(stein_discrepancy(*prior, *prior, c.box, rate), 5.0) << rate;
    // The mutant: a t that is too large by a few percent, as fewer runs have it.
    const auto other = make_length_scale_prior(c.spec, context_of(2, c.p, c.box));
    EXPECT_GT(stein_discrepancy(*prior, *other, c.box, 0.5), 5.0);
  }
}

// Log densities on two boxes differ by the logarithm of the share of the wider one's draws that the narrower one holds.
TEST(SparseJointlyRobust, MassIsTheShareOfItsDrawsInTheBox) {
  const Interval box{-5.0, 60.0}, wide{-7.0, 100.0};
  for (const Index p : {1, 5, 40}) {
    const auto narrow = make_length_scale_prior("sparse-jointly-robust", context_of(30, p, box));
    const auto whole = make_length_scale_prior("sparse-jointly-robust", context_of(30, p, wide));
    const Vector z = Vector::LinSpaced(p, 0.0, 20.0);
    const double log_mass = whole->log_density(z) - narrow->log_density(z);
    Stream stream({.seed = 4, .purpose = Purpose::start_point});
    const int count = 20000;
    int inside = 0;
    for (int i = 0; i < count; ++i) {
      const Vector draw = whole->draw(stream);
      inside += draw.minCoeff() >= box.low && draw.maxCoeff() <= box.high;
    }
    const double share = static_cast<double>(inside) / count;
    if (share < 0.01) continue;
    EXPECT_NEAR(log_mass, std::log(share), 5.0 * std::sqrt((1.0 - share) / (share * count))) << p;
  }
}

TEST(Elicited, IsTheSumOfItsParts) {
  const PriorContext context{20, 1, {"a", "b", "c"}, {-7, 7}};
  const PriorContext one{20, 1, {"a"}, {-7, 7}};
  const auto prior = make_length_scale_prior("a = gamma(2,1); b=exponential(0.2);*=log-uniform", context);
  const Vector z{{-1.0, 0.7, 2.5}};
  const auto part = [&](const char* spec, double at) {
    return make_length_scale_prior(spec, one)->log_density(Vector{{at}});
  };
  EXPECT_NEAR(prior->log_density(z),
              part("gamma(2,1)", -1.0) + part("exponential(0.2)", 0.7) + part("log-uniform", 2.5), 1e-14);
  EXPECT_NEAR(part("log-uniform", 2.5), -std::log(14.0), 1e-14);
  EXPECT_TRUE(prior->is_proper());
  Stream stream({.seed = 5});
  EXPECT_EQ(prior->draw(stream).size(), 3);
}

TEST(Elicited, ReadsItsOwnSpecAgain) {
  const PriorContext context{20, 1, {"a", "b"}, {-7, 7}};
  const auto prior = make_length_scale_prior("a=gamma(2,1);*=decaying", context);
  const Vector z{{0.3, -0.3}};
  EXPECT_EQ(make_length_scale_prior(prior->spec(), context)->log_density(z), prior->log_density(z));
}

std::string refusal(const std::string& spec) {
  try {
    make_length_scale_prior(spec, {20, 1, {"a", "b"}, {-7, 7}});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "accepted";
}

TEST(Prior, RefusesWithASentence) {
  EXPECT_THAT(refusal("flat"),
              HasSubstr("choose one of reference, reference(joint), jointly-robust, sparse-jointly-robust"));
  EXPECT_THAT(refusal("gamma(2)"), HasSubstr("gamma(shape,rate)"));
  EXPECT_THAT(refusal("gamma(2,x)"), HasSubstr("'x' in gamma(shape,rate) is not a number"));
  EXPECT_THAT(refusal("gamma(2,-1)"), HasSubstr("must be above zero"));
  EXPECT_THAT(refusal("a=gamma(2,1)"), HasSubstr("says nothing of the input 'b'"));
  EXPECT_THAT(refusal("a=gamma(2,1);z=decaying"), HasSubstr("'z', which is not an input"));
  EXPECT_THAT(refusal("a=decaying;a=decaying;b=decaying"), HasSubstr("'a' twice"));
  EXPECT_THAT(refusal("a=reference;b=decaying"), HasSubstr("is not a prior of one input"));
  EXPECT_THAT(refusal("log-normal(50,1)"), HasSubstr("next to none of its mass"));
  EXPECT_THROW(make_nugget_prior("gamma(1,1)"), Error);
  EXPECT_THROW(make_nugget_prior("fixed(small)"), Error);
}

TEST(NuggetPrior, FixedHasNoDensity) {
  const NuggetPrior nugget = make_nugget_prior("fixed(1e-8)");
  EXPECT_EQ(nugget.fixed, 1e-8);
  EXPECT_EQ(nugget.prior, nullptr);
  EXPECT_EQ(nugget.spec, "fixed(1e-8)");
}

// The Jacobian to z is ours: a log-normal density of phi is a normal density of z.
TEST(FunctionPrior, GetsItsJacobian) {
  FunctionPrior function;
  function.log_density_of_phi = [](VectorView phi) {
    const double log_phi = std::log(phi[0]);
    return -0.5 * log_phi * log_phi - log_phi - 0.5 * std::log(2.0 * std::numbers::pi);
  };
  const auto prior = make_length_scale_prior(function, {20, 1, {"a"}, {-7, 7}});
  EXPECT_FALSE(prior->is_proper());
  EXPECT_NEAR(prior->log_density(Vector{{1.3}}), -0.5 * 1.69 - 0.5 * std::log(2.0 * std::numbers::pi), 1e-14);
  EXPECT_EQ(prior->log_density(Vector{{7.5}}), -kInfinity);
  Stream stream({.seed = 1});
  EXPECT_THROW(prior->draw(stream), Error);

  function.normalised_on_box = true;
  function.draw_phi = [](Stream& s) { return Vector{{std::exp(draw_normal(s))}}; };
  EXPECT_TRUE(make_length_scale_prior(function, {20, 1, {"a"}, {-7, 7}})->is_proper());
}

std::vector<std::shared_ptr<ScalarPrior>> all_densities() {
  return {make_exponential_prior(0.2),      make_gamma_prior(2.0, 0.5),        make_gamma_prior(0.3, 4.0),
          make_log_normal_prior(-1.0, 1.5), make_log_laplace_prior(-1.0, 0.7), make_decaying_prior(),
          make_log_uniform_prior(0.01, 20), make_uniform_prior(0.1, 3.0),      make_beta_prior(0.5, 2.0)};
}

TEST(ScalarPrior, DensityIsTheDerivativeOfTheCdf) {
  for (const auto& prior : all_densities()) {
    for (const double u : {0.03, 0.2, 0.4, 0.7, 0.95}) {
      const double v = prior->quantile(u), h = 1e-5 * v;
      const double slope = (prior->cdf(v + h) - prior->cdf(v - h)) / (2.0 * h);
      // Relative: (h/v)^2 = 1e-10 times a factor of order ten, and 1e-16 / (h density) of rounding, below
      // 1e-9.
      EXPECT_NEAR(std::log(slope), prior->log_density(v), 1e-8) << prior->spec() << " at " << v;
    }
  }
}

TEST(ScalarPrior, QuantileInvertsTheCdf) {
  for (const auto& prior : all_densities()) {
    for (const double u : {1e-6, 0.1, 0.5, 0.9, 1.0 - 1e-6}) {
      EXPECT_NEAR(prior->cdf(prior->quantile(u)), u, 1e-13) << prior->spec();
    }
    EXPECT_NEAR(prior->cdf(prior->quantile(0.0)), 0.0, 1e-15) << prior->spec();
    EXPECT_NEAR(prior->cdf(prior->quantile(1.0)), 1.0, 1e-15) << prior->spec();
    EXPECT_EQ(prior->log_density(-1.0), -std::numeric_limits<double>::infinity()) << prior->spec();
  }
}

// Values worked by hand.
TEST(ScalarPrior, KnownValues) {
  EXPECT_NEAR(make_exponential_prior(0.2)->log_density(5.0), std::log(0.2) - 1.0, 1e-15);
  EXPECT_NEAR(make_gamma_prior(3.0, 2.0)->log_density(1.0), std::log(4.0) - 2.0, 1e-15);
  EXPECT_NEAR(make_decaying_prior()->log_density(1.0), -std::log(2.0 * std::numbers::pi), 1e-15);
  EXPECT_NEAR(make_decaying_prior()->cdf(1.0), 0.5, 1e-15);
  EXPECT_NEAR(make_beta_prior(2.0, 1.0)->log_density(0.5), 0.0, 1e-15);
  EXPECT_NEAR(make_log_normal_prior(0.0, 1.0)->log_density(1.0), -0.5 * std::log(2.0 * std::numbers::pi), 1e-15);
}

TEST(ScalarPrior, RefusesBadNumbers) {
  EXPECT_THROW(make_exponential_prior(0.0), Error);
  EXPECT_THROW(make_gamma_prior(-1.0, 1.0), Error);
  EXPECT_THROW(make_gamma_prior(1.0, -1.0), Error);
  EXPECT_THROW(make_log_normal_prior(0.0, 0.0), Error);
  EXPECT_THROW(make_log_laplace_prior(0.0, -2.0), Error);
  EXPECT_THROW(make_log_uniform_prior(0.0, 1.0), Error);
  EXPECT_THROW(make_uniform_prior(2.0, 1.0), Error);
  EXPECT_THROW(make_beta_prior(0.0, 1.0), Error);
}

}  // namespace
}  // namespace ta2s2
