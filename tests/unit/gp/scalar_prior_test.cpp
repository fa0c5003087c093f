#include "ta2s2/gp/scalar_prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"

namespace ta2s2 {
namespace {

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
