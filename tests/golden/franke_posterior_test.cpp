// The golden posterior: Franke's function, 20 runs, no trend, nugget fixed at 1e-6, log-uniform prior on [-7,
// 7]^2, against dense quadrature (tools/make_golden/franke_posterior.py) on three designs and both exponents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "golden/golden_file.hpp"
#include "long_run.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2 {
namespace {

using golden::Json;

constexpr int kNumSeeds = 20;

// 93 statistics are compared (3 designs, 19 for the model exponent and 12 for the paper one). Each is the
// mean over 20 seeds minus the truth, in units of its standard error as estimated from those seeds: Student t
// with 19 degrees of freedom if the sampler is right. Two-sided, 0.1% for the whole family by Bonferroni
// leaves 1e-5 for each, and P(|t_19| > 6.0) = 9e-6.
constexpr double kCritical = 6.0;

struct Statistic {
  std::string name;
  double truth;
  std::vector<double> found;

  double error_in_standard_errors() const {
    const double n = static_cast<double>(found.size());
    const double mean = std::accumulate(found.begin(), found.end(), 0.0) / n;
    double squares = 0.0;
    for (const double value : found) squares += (value - mean) * (value - mean);
    const double standard_error = std::sqrt(squares / (n - 1.0) / n);
    return std::abs(mean - truth) / standard_error;
  }
};

double quantile(const Vector& values, const Vector& weights, double level) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  double sum = 0.0;
  for (const Index i : order) {
    sum += weights[i];
    if (sum >= level) return values[i];
  }
  return values[order.back()];
}

double sd_of(const Vector& values, const Vector& weights) {
  const double mean = weights.dot(values);
  return std::sqrt(weights.dot((values.array() - mean).square().matrix()));
}

struct System {
  std::string sampler;
  int samples = 2000;
};

MemberRecord fit_design(const std::string& csv, const std::string& exponent, const System& system, int seed) {
  FitOptions options;
  apply_settings(options, {{"output", "y"},
                           {"correlation", "squared-exponential"},
                           {"trend", "none"},
                           {"nugget", "fixed(1e-6)"},
                           {"prior", "log-uniform"},
                           {"box", "-7,7"},
                           {"exponent", exponent},
                           {"sampler", system.sampler},
                           {"samples", std::to_string(system.samples)},
                           {"seed", std::to_string(seed)}});
  ThreadExecutor executor(0);
  Observer silent;
  const OutputRuns data = load_runs(golden::source_path(csv), {"y", {}});
  return fit(data, ValidFitOptions(options), {}, {executor, silent});
}

std::vector<Statistic> empty_statistics(const Json& truth, const Json& levels) {
  std::vector<Statistic> statistics = {{"log evidence", truth.at("log_evidence"), {}},
                                       {"far weight", truth.at("far_weight"), {}}};
  for (std::size_t d = 0; d < 2; ++d) {
    const std::string name = "log phi " + std::to_string(d + 1);
    statistics.push_back({"mean of " + name, truth.at("mean").at(d), {}});
    statistics.push_back({"sd of " + name, truth.at("sd").at(d), {}});
    for (std::size_t q = 0; q < levels.size(); ++q) {
      statistics.push_back({"quantile " + levels[q].dump() + " of " + name, truth.at("quantiles").at(d).at(q), {}});
    }
  }
  return statistics;
}

void add_fit(std::vector<Statistic>& statistics, const MemberRecord& record, const Json& truth, const Json& levels) {
  const Matrix& z = record.sample.positions;
  const Vector& weights = record.sample.weights;
  const Vector far_row = z.row(truth.at("far_input").get<Index>()).transpose();
  std::size_t k = 0;
  statistics[k++].found.push_back(record.evidence ? record.evidence->log_evidence : NAN);
  statistics[k++].found.push_back(
      weights.dot((far_row.array() > truth.at("far_above").get<double>()).cast<double>().matrix()));
  for (Index d = 0; d < 2; ++d) {
    const Vector row = z.row(d).transpose();
    statistics[k++].found.push_back(weights.dot(row));
    statistics[k++].found.push_back(sd_of(row, weights));
    for (const auto& level : levels) statistics[k++].found.push_back(quantile(row, weights, level));
  }
}

std::vector<Statistic> measure(const Json& document, const Json& design, const std::string& exponent,
                               const System& system, int num_seeds) {
  // A quantile that lies in the gap between two modes jumps from one to the other with the sampled weight: it
  // has no Monte Carlo error to speak of. Under the paper's exponent only the quantiles well inside the main
  // mode are compared.
  Json levels = document.at("quantile_levels");
  if (exponent == "paper") levels = {0.05, 0.25, 0.5};
  Json truth = design.at("posteriors").at(exponent);
  if (exponent == "paper") {
    for (Json& row : truth.at("quantiles")) row = {row[1], row[2], row[3]};
  }
  std::vector<Statistic> statistics = empty_statistics(truth, levels);
  for (int seed = 1; seed <= num_seeds; ++seed) {
    add_fit(statistics, fit_design(design.at("csv"), exponent, system, seed), truth, levels);
  }
  return statistics;
}

class FrankePosterior : public testing::TestWithParam<std::tuple<int, std::string>> {};

TEST_P(FrankePosterior, ExactKernelAgreesWithQuadrature) {
  const auto [index, exponent] = GetParam();
  const Json document = golden::load("franke_posterior.json");
  const Json design = document.at("designs").at(static_cast<std::size_t>(index));
  for (const Statistic& statistic : measure(document, design, exponent, {"ta2s2"}, kNumSeeds)) {
    if (statistic.name == "far weight" && statistic.truth < 1e-4) continue;  // never seen in 2000 draws
    EXPECT_LT(statistic.error_in_standard_errors(), kCritical)
        << statistic.name << ": truth " << statistic.truth << ", found "
        << std::accumulate(statistic.found.begin(), statistic.found.end(), 0.0) / kNumSeeds;
  }
}

// The mutant: with the paper's kernel in its place the same comparison must fail, in the very spread that a
// Bayesian emulator exists to report.
TEST_P(FrankePosterior, PublishedKernelDoesNot) {
  const auto [index, exponent] = GetParam();
  const Json document = golden::load("franke_posterior.json");
  const Json design = document.at("designs").at(static_cast<std::size_t>(index));
  double worst = 0.0;
  for (const Statistic& statistic : measure(document, design, exponent, {"published"}, kNumSeeds)) {
    if (statistic.name == "far weight" && statistic.truth < 1e-4) continue;
    worst = std::max(worst, statistic.error_in_standard_errors());
  }
  EXPECT_GT(worst, kCritical);
}

// The other systems that claim to be exact, against the same truths. The chains of slice and elliptical start anywhere
// in the box, and the mass beyond the main mode is at most 6e-6 here: they may lose no mode that would show.
class OtherSystem : public testing::TestWithParam<std::tuple<int, System>> {};

// 222 statistics (3 designs, 18 without and 19 with the evidence and without the far weight's): two-sided, 0.1% for the
// family leaves 4.5e-6 for each, and P(|t_19| > 6.4) = 3.9e-6.
constexpr double kCriticalOfOthers = 6.4;

TEST_P(OtherSystem, AgreesWithQuadrature) {
  const auto& [index, system] = GetParam();
  if (index > 0 && !is_long()) GTEST_SKIP() << "TA2S2_LONG=1 runs it";
  const Json document = golden::load("franke_posterior.json");
  const Json design = document.at("designs").at(static_cast<std::size_t>(index));
  for (const Statistic& statistic : measure(document, design, "model", system, kNumSeeds)) {
    if (statistic.name == "far weight" && statistic.truth < 1e-4) continue;
    if (std::isnan(statistic.found.front())) continue;  // there is no evidence
    EXPECT_LT(statistic.error_in_standard_errors(), kCriticalOfOthers)
        << statistic.name << ": truth " << statistic.truth << ", found "
        << std::accumulate(statistic.found.begin(), statistic.found.end(), 0.0) / kNumSeeds;
  }
}

INSTANTIATE_TEST_SUITE_P(Designs, OtherSystem,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values(System{"aims"}, System{"slice", 8000},
                                                          System{"elliptical", 8000}, System{"plgp", 1000})),
                         [](const auto& param_info) {
                           return "Design" + std::to_string(std::get<0>(param_info.param) + 1) + "_" +
                                  std::get<1>(param_info.param).sampler;
                         });

INSTANTIATE_TEST_SUITE_P(Designs, FrankePosterior,
                         testing::Combine(testing::Values(0, 1, 2), testing::Values("model", "paper")),
                         [](const auto& param_info) {
                           return "Design" + std::to_string(std::get<0>(param_info.param) + 1) + "_" +
                                  std::get<1>(param_info.param);
                         });

}  // namespace
}  // namespace ta2s2
