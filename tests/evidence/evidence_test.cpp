// The log evidence that a fit reports, and its standard error, against quadrature over the box: pairs of Gaussian
// process models that differ by trend, nugget, inputs, correlation, its shape or a transformation of the output.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "evidence/box_quadrature.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

constexpr int kSeeds = 40;
constexpr int kMostOutside = 6;
// An honest normal error leaves 5% outside, so that more than 6 of 40 are with probability 0.34%; 13 such assertions
// (seven models, six Bayes factors) 4.4% in all, and the seeds are fixed.
constexpr double kSds = 1.96;

// Sixteen noisy runs of a function that bends along its first input and hardly depends on its second: none of the
// models below is absurd.
OutputRuns noisy_runs(Index num_inputs) {
  const Matrix inputs = make_design({.inputs = 2, .runs = 16, .seed = 5});
  Stream stream({.seed = 5, .purpose = Purpose::predictive_draw});
  Vector output(inputs.rows());
  for (Index i = 0; i < inputs.rows(); ++i) {
    output[i] = std::sin(5.0 * inputs(i, 0)) + 0.3 * inputs(i, 1) + 0.1 * draw_normal(stream);
  }
  const std::vector<std::string> names = {"a", "b"};
  return OutputRuns(inputs.leftCols(num_inputs), output, {names.begin(), names.begin() + num_inputs}, "y");
}

struct Model {
  std::string name;
  std::vector<Setting> settings;
  Index num_inputs = 2;
  std::uint64_t first_seed = 0;  // no two models share a seed: their errors are independent
};

const Model kBase{"base", {}, 2, 1000};
const Model kNoTrend{"without trend", {{"trend", "none"}}, 2, 2000};
const Model kSampledNugget{"sampled nugget", {{"nugget", "log-uniform"}, {"nugget-box", "-14,4"}}, 2, 3000};
const Model kOneInput{"without input b", {}, 1, 4000};
const Model kSquaredExponential{"squared exponential", {{"correlation", "squared-exponential"}}, 2, 5000};
// Sampled with the length-scale: two parameters of the transformation, and the shape.
const Model kBoxCox{"one input, Box-Cox", {{"transform", "box-cox"}}, 1, 7000};
const Model kRationalQuadratic{"one input, rational quadratic", {{"correlation", "rational-quadratic"}}, 1, 8000};
const std::vector<Model> kAlternatives = {kNoTrend, kSampledNugget,    kOneInput, kSquaredExponential,
                                          kBoxCox,  kRationalQuadratic};

FitOptions options_of(const Model& model) {
  FitOptions options;
  apply_settings(options, {{"model", "single"}, {"prior", "log-normal(-1,1.5)"}, {"nugget", "fixed(0.01)"}});
  apply_settings(options, model.settings);
  return options;
}

// Panels per coordinate: a third coordinate, the nugget's, is dear, and its density is the smoothest.
Index num_panels(const GpTarget& target) {
  return target.dim() == 3 ? 12 : 30;
}

double quadrature_log_evidence(const Model& model, Executor& executor, double refinement = 1.0) {
  const OutputRuns data = noisy_runs(model.num_inputs);
  const Scaling scaling = Scaling::from(data);
  const GpTarget target = make_target(data, scaling, options_of(model));
  const auto df = static_cast<double>(target.model()->degrees_of_freedom());
  const auto panels = static_cast<Index>(refinement * static_cast<double>(num_panels(target)));
  return log_integral_over_box(target, panels, executor) - df * std::log(scaling.output_sd());
}

struct Estimate {
  double value, standard_error;
};

Estimate difference(const Estimate& a, const Estimate& b) {
  return {a.value - b.value, std::hypot(a.standard_error, b.standard_error)};
}

using Estimates = std::vector<Estimate>;  // one per seed

Estimates fit_seeds(const Model& model, Growth growth, Executor& executor) {
  const OutputRuns data = noisy_runs(model.num_inputs);
  Estimates estimates(kSeeds);
  const auto task = [&](Index index, int) {
    FitOptions options = options_of(model);
    if (growth == Growth::tmcmc) options.sampler = "annealed";
    options.annealing.growth = growth;
    options.annealing.seed = model.first_seed + static_cast<std::uint64_t>(index);
    ThreadExecutor one_thread(1);
    Observer silent;
    const Evidence evidence = *fit(data, ValidFitOptions(options), {}, {one_thread, silent}).evidence;
    estimates[static_cast<std::size_t>(index)] = {evidence.log_evidence, evidence.standard_error};
    return Payload{};
  };
  executor.map(std::vector<double>(kSeeds, 1.0), task);
  return estimates;
}

int num_outside(const Estimates& estimates, double truth) {
  int count = 0;
  for (const Estimate& estimate : estimates) count += std::abs(estimate.value - truth) > kSds * estimate.standard_error;
  return count;
}

// For the reader of the log: bias and spread between seeds beside the reported error.
void print(const std::string& name, const Estimates& estimates, double truth) {
  double bias = 0.0, square = 0.0, reported = 0.0;
  for (const Estimate& estimate : estimates) {
    bias += (estimate.value - truth) / kSeeds;
    reported += estimate.standard_error * estimate.standard_error / kSeeds;
  }
  for (const Estimate& estimate : estimates) square += std::pow(estimate.value - truth - bias, 2) / (kSeeds - 1);
  std::cout << name << ": truth " << truth << ", bias " << bias << " +- " << std::sqrt(square / kSeeds) << ", spread "
            << std::sqrt(square) << ", reported " << std::sqrt(reported) << ", outside "
            << num_outside(estimates, truth) << " of " << kSeeds << '\n';
}

void expect_right(const std::string& name, const Estimates& estimates, double truth) {
  print(name, estimates, truth);
  EXPECT_LE(num_outside(estimates, truth), kMostOutside) << name;
}

// Half as many panels again: what changes is the error of the coarser rule. The fits' standard errors are 0.01 and
// more, of which 1e-4 is nothing.
TEST(Evidence, QuadratureHasConverged) {
  ThreadExecutor executor(0);
  for (const Model& model :
       {kBase, kNoTrend, kOneInput, kSquaredExponential, kSampledNugget, kBoxCox, kRationalQuadratic}) {
    EXPECT_NEAR(quadrature_log_evidence(model, executor), quadrature_log_evidence(model, executor, 1.5), 1e-4)
        << model.name;
  }
}

TEST(Evidence, AndBayesFactorsAgreeWithQuadrature) {
  ThreadExecutor executor(0);
  const Estimates base = fit_seeds(kBase, Growth::equal, executor);
  const double base_truth = quadrature_log_evidence(kBase, executor);
  expect_right(kBase.name, base, base_truth);
  for (const Model& model : kAlternatives) {
    const Estimates estimates = fit_seeds(model, Growth::equal, executor);
    const double truth = quadrature_log_evidence(model, executor);
    expect_right(model.name, estimates, truth);
    Estimates log_bayes_factors;
    for (std::size_t i = 0; i < base.size(); ++i) log_bayes_factors.push_back(difference(base[i], estimates[i]));
    expect_right(kBase.name + " against " + model.name, log_bayes_factors, base_truth - truth);
  }
}

// The reference prior is known but for its constant: both the posterior and the prior alone are integrated.
const Model kReference{"reference prior", {{"prior", "reference"}}, 2, 6000};

Estimates fit_normalised(const Model& model, bool with_constant, Executor& executor) {
  const OutputRuns data = noisy_runs(model.num_inputs);
  Estimates estimates(kSeeds);
  const auto task = [&](Index index, int) {
    FitOptions options = options_of(model);
    options.annealing.seed = model.first_seed + static_cast<std::uint64_t>(index);
    ThreadExecutor one_thread(1);
    Observer silent;
    MemberRecord record = fit(data, ValidFitOptions(options), {}, {one_thread, silent});
    if (with_constant) normalise_evidence(record, {one_thread, silent});
    const Evidence& evidence = record.evidence.value();
    estimates[static_cast<std::size_t>(index)] = {evidence.log_evidence, evidence.standard_error};
    return Payload{};
  };
  executor.map(std::vector<double>(kSeeds, 1.0), task);
  return estimates;
}

double normalised_truth(const Model& model, Executor& executor) {
  const OutputRuns data = noisy_runs(model.num_inputs);
  const GpTarget target = make_target(data, Scaling::from(data), options_of(model));
  return quadrature_log_evidence(model, executor) -
         log_integral_over_box(target.prior_alone(), num_panels(target), executor);
}

TEST(Evidence, OfAReferencePriorIsDividedByItsConstant) {
  ThreadExecutor executor(0);
  const double truth = normalised_truth(kReference, executor);
  expect_right(kReference.name, fit_normalised(kReference, true, executor), truth);
  EXPECT_GT(num_outside(fit_normalised(kReference, false, executor), truth), kMostOutside)
      << "the mutant without the constant";
}

// A third and not a half: stated errors hold half the difference of two passes too, and so are somewhat large.
TEST(EvidenceMutant, ErrorsOfAThirdAreCaught) {
  ThreadExecutor executor(0);
  Estimates estimates = fit_seeds(kBase, Growth::equal, executor);
  for (Estimate& estimate : estimates) estimate.standard_error /= 3.0;
  EXPECT_GT(num_outside(estimates, quadrature_log_evidence(kBase, executor)), kMostOutside);
}

// docs/math.md, section 3: chain lengths drawn by weight make the early states too hot.
TEST(EvidenceMutant, TmcmcGrowthIsCaught) {
  ThreadExecutor executor(0);
  const Estimates estimates = fit_seeds(kSampledNugget, Growth::tmcmc, executor);
  const double truth = quadrature_log_evidence(kSampledNugget, executor);
  print("tmcmc growth", estimates, truth);
  EXPECT_GT(num_outside(estimates, truth), kMostOutside);
}

}  // namespace
}  // namespace ta2s2
