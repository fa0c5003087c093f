#include "ta2s2/predictive/input_distribution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

const std::vector<std::string> kSpecs = {"uniform(-1,3)",     "log-uniform(0.5,20)", "normal(5,2)",
                                         "normal(5,2,1,5.5)", "triangular(0,0.5,4)", "triangular(0,0,1)",
                                         "triangular(0,1,1)", "values(1,2,4,4)",     "normal(0,1,2,3)"};

class EveryInput : public testing::TestWithParam<std::string> {
 protected:
  const std::shared_ptr<const InputDistribution> input = make_input_distribution(GetParam());

  template <typename Function>
  double by_rule(const Function& function) const {
    const Quadrature rule = input->quadrature();
    double sum = 0.0;
    for (Index i = 0; i < rule.nodes.size(); ++i) sum += rule.weights[i] * function(rule.nodes[i]);
    return sum;
  }
  // The midpoint rule in the share below: independent of the quadrature. Where a quantile has a steep end its error is
  // that of the last of 10^5 parts.
  template <typename Function>
  double by_quantiles(const Function& function) const {
    constexpr int kParts = 100'000;
    double sum = 0.0;
    for (int i = 0; i < kParts; ++i) sum += function(input->quantile((i + 0.5) / kParts)) / kParts;
    return sum;
  }
};

TEST_P(EveryInput, ReadsBackAsItself) {
  EXPECT_EQ(input->spec(), GetParam());
}

TEST_P(EveryInput, AveragesByItsRuleAsByItsQuantiles) {
  const auto first = [](double x) { return x; };
  const auto square = [](double x) { return x * x; };
  const double low = input->shown_low(), width = input->shown_high() - low;
  const auto wave = [&](double x) { return std::cos(12.0 * (x - low) / width); };
  EXPECT_NEAR(by_rule([](double) { return 1.0; }), 1.0, 1e-14);
  EXPECT_NEAR(by_rule(first), by_quantiles(first), 2e-4);
  EXPECT_NEAR(by_rule(square), by_quantiles(square), 2e-3);
  EXPECT_NEAR(by_rule(wave), by_quantiles(wave), 2e-4);
}

TEST_P(EveryInput, KnowsItsShareInAnInterval) {
  const double low = input->quantile(0.2), high = input->quantile(0.7);
  const double share = input->share_within(low, high);
  const double counted = by_quantiles([&](double x) { return x >= low && x <= high ? 1.0 : 0.0; });
  EXPECT_NEAR(share, counted, 2e-5);
  EXPECT_EQ(input->share_within(-1e3, 1e3), 1.0);
  EXPECT_EQ(input->share_within(1e3, 2e3), 0.0);
}

TEST_P(EveryInput, ShowsWhatItHas) {
  EXPECT_LE(input->shown_low(), input->quantile(0.01));
  EXPECT_GE(input->shown_high(), input->quantile(0.99));
}

INSTANTIATE_TEST_SUITE_P(List, EveryInput, testing::ValuesIn(kSpecs));

// E exp(-(x - 0.3)^2 / (2 l^2)) for x uniform on [0, 1] has a closed form, and so has
// the Matern factor: with a kink in its third derivative
// the rule errs by 2e-8 / l^3.
TEST(InputDistribution, UniformRuleAgreesWithClosedForms) {
  const Quadrature rule = make_uniform_input(0.0, 1.0)->quadrature();
  for (const double l : {0.05, 0.2, 1.0}) {
    const double exact =
        l * std::sqrt(M_PI / 2.0) * (std::erf(0.7 / (l * std::sqrt(2.0))) + std::erf(0.3 / (l * std::sqrt(2.0))));
    const double found = ((-0.5 * ((rule.nodes.array() - 0.3) / l).square()).exp() * rule.weights.array()).sum();
    EXPECT_NEAR(found, exact, 1e-7) << l;
    // (1 + s) exp(-s) has the integral 2 - (2 + s) exp(-s) from 0.
    const double rate = std::sqrt(3.0) / l;
    const auto integral = [&](double distance) {
      return (2.0 - (2.0 + rate * distance) * std::exp(-rate * distance)) / rate;
    };
    const auto s = (rule.nodes.array() - 0.3).abs() * rate;
    EXPECT_NEAR(((1.0 + s) * (-s).exp() * rule.weights.array()).sum(), integral(0.3) + integral(0.7),
                2e-8 * std::pow(l, -3))
        << l;
  }
}

TEST(InputDistribution, NormalRuleHasItsMoments) {
  const Quadrature rule = make_input_distribution("normal(2,0.5)")->quadrature();
  const auto z = (rule.nodes.array() - 2.0) / 0.5;
  EXPECT_NEAR((z.square() * rule.weights.array()).sum(), 1.0, 1e-8);
  EXPECT_NEAR((z.square().square() * rule.weights.array()).sum(), 3.0, 1e-6);
}

TEST(InputDistribution, RefusesWhatIsNone) {
  const auto sentence = [](const std::string& spec) -> std::string {
    try {
      make_input_distribution(spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(sentence("uniform(1)"), HasSubstr("choose one of uniform(low,high)"));
  EXPECT_THAT(sentence("cauchy(0,1)"), HasSubstr("'cauchy(0,1)' is not a distribution"));
  EXPECT_THAT(sentence("uniform(2,1)"), HasSubstr("expected rising numbers"));
  EXPECT_THAT(sentence("log-uniform(0,1)"), HasSubstr("must be above zero"));
  EXPECT_THAT(sentence("normal(0,0)"), HasSubstr("must be above zero"));
  EXPECT_THAT(sentence("normal(0,-1,0,1)"), HasSubstr("must be above zero"));
  EXPECT_THAT(sentence("normal(0,1,2,1)"), HasSubstr("expected rising numbers"));
  EXPECT_THAT(sentence("normal(0,1,50,60)"), HasSubstr("expected one that it reaches"));
  EXPECT_THAT(sentence("triangular(0,2,1)"), HasSubstr("expected low <= mode <= high"));
  EXPECT_THAT(sentence("values()"), HasSubstr("is not a distribution"));
  EXPECT_THAT(sentence("values(a)"), HasSubstr("'a' in values(a,b,...) is not a number"));
}

}  // namespace
}  // namespace ta2s2
