// The reference prior against the plain formula, W_i = (dK/dz_i) Q, in long double.
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/prior.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

struct Evaluated {
  double log_density;
  double log_dense;  // 1/2 log |I|
};

// Derivatives of the dense truth by the covariance's own formula, which covariance_test holds to finite
// differences.
double dense_reference(const GpModel& model, const GpParameters& parameters, double nugget_slope, bool joint) {
  const test::DenseTruth truth(model, parameters);
  Matrix K, dK;
  model.covariance().fill(model.X(), parameters.phi, K);
  std::vector<test::LongMatrix> W;
  for (Index d = 0; d < model.num_inputs(); ++d) {
    model.covariance().fill_derivative(model.X(), parameters.phi, K, d, dK);
    W.push_back(dK.cast<long double>() * truth.Q);
  }
  if (joint) W.push_back(static_cast<long double>(nugget_slope) * truth.Q);
  const Index r = static_cast<Index>(W.size());
  test::LongMatrix information(r + 1, r + 1);
  information(0, 0) = static_cast<long double>(model.residual_rank());
  for (Index i = 0; i < r; ++i) {
    information(0, i + 1) = information(i + 1, 0) = W[i].trace();
    for (Index j = 0; j < r; ++j) information(i + 1, j + 1) = (W[i] * W[j]).trace();
  }
  return static_cast<double>(0.5L * test::long_log_determinant(information));
}

Evaluated evaluate(const std::string& spec, const GpModel& model, const Vector& z) {
  const auto inputs = test::input_names(model.num_inputs());
  const auto space = ParameterSpace::with_sampled_nugget(inputs);
  const auto prior = make_length_scale_prior(spec, {model.num_runs(), model.num_trend_columns(), inputs, {-7, 7}});
  const GpParameters parameters = space.natural(z);
  GpFactor factor;
  InformationScratch scratch;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  return {
      prior->log_density_given(z, log_information_root(model, parameters, factor, prior->needs_information(), scratch)),
      dense_reference(model, parameters, std::exp(log_nugget_jacobian(z[model.num_inputs()])), prior->covers_nugget())};
}

TEST(ReferencePrior, AgreesWithTheDenseFormula) {
  const Vector z{{-1.5, -0.5, 0.4, -6.0}};
  for (const char* spec : {"reference", "reference(joint)"}) {
    for (const char* trend : {"none", "constant", "linear", "terms(x2,x1^2)"}) {
      for (const auto& covariance : covariance_examples()) {
        const auto result = evaluate(spec, test::small_model(14, 3, trend, covariance), z);
        // Nugget 2.5e-3 and 14 runs: condition below 1e4; twelve digits of each trace remain, ten of the
        // determinant.
        EXPECT_NEAR(result.log_density, result.log_dense, 1e-9) << spec << " " << trend << " " << covariance;
      }
    }
  }
}

// Swapping inputs swaps the density's arguments.
TEST(ReferencePrior, IsSymmetricInTheInputs) {
  const GpModel model = test::small_model(14, 3, "linear");
  const GpModel reversed(model.X().rowwise().reverse(), model.y(), model.trend(), make_covariance("matern52"));
  const double there = evaluate("reference", model, Vector{{-1.5, -0.5, 0.4, -6.0}}).log_density;
  const double back = evaluate("reference", reversed, Vector{{0.4, -0.5, -1.5, -6.0}}).log_density;
  EXPECT_NEAR(there, back, 1e-10);
}

// The output does not enter, and neither does the basis in which the trend is written: z^2 and (1 - z)^2 span
// the same.
TEST(ReferencePrior, DependsOnTheTrendsSpanOnly) {
  const GpModel model = test::small_model(14, 2, "terms(x1,x1^2)");
  Matrix flipped = model.X();
  flipped.col(0) = 1.0 - flipped.col(0).array();
  const GpModel mirrored(flipped, 5.0 * model.y(), model.trend(), make_covariance("matern52"));
  const Vector z{{-1.0, 0.3, -6.0}};
  EXPECT_NEAR(evaluate("reference", model, z).log_density, evaluate("reference", mirrored, z).log_density, 1e-10);
}

TEST(ReferencePrior, DeclaresWhatItIs) {
  const PriorContext context{14, 1, {"a", "b"}, {-7, 7}};
  const auto conditional = make_length_scale_prior("reference", context);
  const auto joint = make_length_scale_prior("reference(joint)", context);
  EXPECT_EQ(conditional->needs_information(), InformationOver::length_scales);
  EXPECT_FALSE(conditional->is_proper());
  EXPECT_FALSE(conditional->covers_nugget());
  EXPECT_EQ(conditional->dim(), 2);
  EXPECT_TRUE(joint->covers_nugget());
  EXPECT_EQ(joint->needs_information(), InformationOver::length_scales_and_nugget);
  EXPECT_EQ(joint->dim(), 3);
  EXPECT_EQ(joint->spec(), "reference(joint)");
  EXPECT_THROW(conditional->log_density(Vector{{0.0, 0.0}}), Error);
  EXPECT_THROW(make_length_scale_prior("reference", {4, 1, test::input_names(10), {-7, 7}}), Error);
}

}  // namespace
}  // namespace ta2s2
