#include "ta2s2/workflow/fit_member.hpp"

#include <cmath>
#include <numeric>

#include "ta2s2/design.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using test::small_fit;
using test::small_runs;

double residual_rank(const MemberRecord& record) {
  return static_cast<double>(make_model(record)->degrees_of_freedom());
}

Vector energies_of(const GpTarget& target, const Matrix& positions) {
  std::vector<Energy> energies(static_cast<std::size_t>(positions.cols()));
  target.energies(positions, *target.make_workspace(), energies);
  Vector totals(positions.cols());
  for (Index i = 0; i < totals.size(); ++i) totals[i] = energies[static_cast<std::size_t>(i)].total();
  return totals;
}

TEST(Fit, RecordIsWhole) {
  const MemberRecord record = small_fit();
  EXPECT_EQ(record.version, version());
  EXPECT_EQ(record.data.fingerprint(), small_runs().fingerprint());
  EXPECT_TRUE(record.has_sample());
  EXPECT_EQ(record.sample.names, (std::vector<std::string>{"log_phi_length", "log_phi_load", "z_nugget"}));
  EXPECT_EQ(record.sample.positions.rows(), 3);
  EXPECT_GE(record.sample.size(), 200);
  EXPECT_NEAR(record.sample.weights.sum(), 1.0, 1e-12);
  EXPECT_TRUE(record.sample.energies.allFinite());
  EXPECT_EQ(record.levels.front().beta, 0.0);
  EXPECT_EQ(record.levels.back().beta, 1.0);
  EXPECT_TRUE(record.evidence->is_normalised);
  EXPECT_GT(record.evidence->standard_error, 0.0);
  ASSERT_EQ(record.diagnostics.size(), 3u);
  EXPECT_GT(record.times.total_seconds, 0.0);
  EXPECT_EQ(record.times.created.size(), std::string("2016-01-01T00:00:00Z").size());
  double mode_weights = 0.0;
  for (const Mode& mode : record.modes) mode_weights += mode.weight;
  EXPECT_NEAR(mode_weights, 1.0, 0.01);  // components of less than a thousandth, at most eight, are left out
}

// H in the user's units is that of the standardised output plus m log sd.
TEST(Fit, EnergiesAreThoseOfTheTargetInTheUsersUnits) {
  const MemberRecord record = small_fit();
  const GpTarget target = make_target(record.data, record.scaling, record.options);
  const double offset = residual_rank(record) * std::log(record.scaling.output_sd());
  const Vector expected = energies_of(target, record.sample.positions).array() + offset;
  EXPECT_LT((record.sample.energies - expected).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(record.map.energy, energies_of(target, record.map.position)[0] + offset, 1e-10);
  EXPECT_LE(record.map.energy, record.sample.energies.minCoeff());
}

// A unit of the output multiplies a density of m = n - q free numbers by unit^-m, and changes nothing else. A
// power of two changes no bit of the standardised output.
TEST(Fit, UnitsOfTheOutputShiftTheEvidenceOnly) {
  const double unit = std::ldexp(1.0, 30);
  const MemberRecord plain = small_fit(), scaled = small_fit({}, small_runs(14, unit));
  EXPECT_EQ(plain.sample.positions, scaled.sample.positions);
  const double shift = residual_rank(plain) * std::log(unit);
  EXPECT_NEAR(scaled.evidence->log_evidence, plain.evidence->log_evidence - shift, 1e-10);
  EXPECT_EQ(scaled.evidence->standard_error, plain.evidence->standard_error);
  EXPECT_NEAR(scaled.map.energy, plain.map.energy + shift, 1e-10);
}

// 1e9 moves the last bits of the standardised output. Energies then differ by some 1e-16 times the condition
// of K, far below 1e-9 for most positions, and no decision of the sampler lies so near its threshold with
// this seed: all draws stay together to the precision that the moves carry such differences with. Every
// level carries them further: hence not the default prior, whose wider box has two levels more.
TEST(Fit, UnitsThatAreNoPowerOfTwoChangeOnlyRounding) {
  for (const double unit : {1e9, 1e-12}) {
    const std::vector<Setting> annealed = {{"sampler", "annealed"}, {"prior", "jointly-robust"}};
    const MemberRecord plain = small_fit(annealed), scaled = small_fit(annealed, small_runs(14, unit));
    ASSERT_EQ(plain.sample.positions.cols(), scaled.sample.positions.cols());
    EXPECT_LT((plain.sample.positions - scaled.sample.positions).cwiseAbs().maxCoeff(), 1e-5) << unit;
    EXPECT_NEAR(scaled.evidence->log_evidence, plain.evidence->log_evidence - residual_rank(plain) * std::log(unit),
                1e-4)
        << unit;
  }
}

TEST(Fit, UnitsOfTheInputsChangeNothing) {
  const OutputRuns data = small_runs();
  Matrix inputs = data.inputs();
  inputs.col(0) *= std::ldexp(1.0, -40);
  inputs.col(1) *= std::ldexp(1.0, 40);
  const OutputRuns scaled(inputs, data.output(), data.input_names(), data.output_name());
  const MemberRecord a = small_fit({}, data), b = small_fit({}, scaled);
  EXPECT_EQ(a.sample.positions, b.sample.positions);
  EXPECT_EQ(a.evidence->log_evidence, b.evidence->log_evidence);
}

TEST(Fit, ThreadsChangeNoBit) {
  const MemberRecord one = small_fit({}, small_runs(), 1), seven = small_fit({}, small_runs(), 7);
  EXPECT_EQ(one.sample.positions, seven.sample.positions);
  EXPECT_EQ(one.evidence->log_evidence, seven.evidence->log_evidence);
  EXPECT_EQ(one.map.position, seven.map.position);
  const MemberRecord map_one = small_fit({{"fast", "true"}}, small_runs(), 1);
  EXPECT_EQ(map_one.map.position, small_fit({{"fast", "true"}}, small_runs(), 7).map.position);
}

TEST(Fit, TheSeedMatters) {
  EXPECT_NE(small_fit().sample.positions, small_fit({{"seed", "2"}}).sample.positions);
}

TEST(Fit, MapOnlyFindsTheMaximumWithoutASample) {
  const MemberRecord found = small_fit({{"fast", "true"}});
  EXPECT_FALSE(found.has_sample());
  EXPECT_TRUE(found.levels.empty());
  ASSERT_EQ(found.sample.size(), 1);
  EXPECT_EQ(found.sample.positions.col(0), found.map.position);
  EXPECT_EQ(found.sample.weights[0], 1.0);
  EXPECT_EQ(found.sample.energies[0], found.map.energy);
  ASSERT_EQ(found.modes.size(), 1u);
  // Both searches stop when H falls by less than 1e-9 a step; they need not end in the same last digits.
  const MemberRecord sampled = small_fit({{"samples", "1000"}});
  EXPECT_NEAR(found.map.energy, sampled.map.energy, 1e-4);
  EXPECT_LE(found.map.energy, sampled.sample.energies.minCoeff() + 1e-4);
}

// Three of twenty inputs matter. Searches from draws alone end where the output is taken for noise; they are what the
// mutant without start points does.
TEST(Fit, FastFindsTheNeedleAmongInertInputs) {
  const Index n = 60, p = 20;
  const Matrix X = make_design({p, n, DesignKind::random, 3});
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = std::sin(3.0 * X(i, 0)) + 2.0 * X(i, 1) * X(i, 2);
  std::vector<std::string> names;
  for (Index d = 0; d < p; ++d) names.push_back("x" + std::to_string(d));
  const OutputRuns data(X, y, names, "y");
  const MemberRecord found = small_fit({{"fast", "true"}, {"prior", "sparse-jointly-robust"}}, data);
  const Vector log_phi = found.map.position.head(p);
  EXPECT_LT(log_phi.head(3).maxCoeff(), 8.0);
  EXPECT_GT(log_phi.tail(p - 3).minCoeff(), 10.0);
  EXPECT_LT(natural_point(found, found.map.position).nugget, 1e-6);
}

TEST(Fit, FastEndsAtAPointWithoutSlope) {
  for (const std::string nugget : {"log-uniform", "fixed(1e-6)"}) {
    const MemberRecord found = small_fit({{"fast", "true"}, {"nugget", nugget}});
    const GpTarget target = make_target(found.data, found.scaling, found.options);
    const auto workspace = target.make_workspace();
    Vector gradient;
    target.energy_and_gradient(found.map.position, *workspace, gradient);
    for (Index k = 0; k < target.dim(); ++k) {
      const double z = found.map.position[k];
      const bool at_wall = z <= target.box()->low[k] || z >= target.box()->high[k];
      if (!at_wall) {
        EXPECT_LT(std::abs(gradient[k]), 1e-2) << nugget << ' ' << k;
      }
    }
  }
}

// Another model's maximum is one more place to begin at: the result is no worse.
TEST(Fit, ALeaderDoesNoHarm) {
  ThreadExecutor executor(2);
  Observer silent;
  const ValidFitOptions options(test::small_options({{"fast", "true"}}));
  const MemberRecord leader = small_fit({{"fast", "true"}, {"correlation", "squared-exponential"}});
  const MemberRecord alone = fit(small_runs(), options, {}, {executor, silent});
  const MemberRecord led = fit(small_runs(), options, {}, {executor, silent}, &leader);
  EXPECT_LE(led.map.energy, alone.map.energy + 1e-6);
}

struct WeightedMoments {
  Vector mean, sd;
};

WeightedMoments moments(const PosteriorSample& sample) {
  const Vector mean = sample.positions * sample.weights;
  const Matrix squares = (sample.positions.colwise() - mean).array().square();
  return {mean, (squares * sample.weights).array().sqrt()};
}

TEST(Fit, DrawsFromEveryLevelAreOfTheSamePosterior) {
  const std::vector<Setting> settings = {{"sampler", "annealed"}, {"samples", "2000"}, {"nugget", "fixed(1e-6)"}};
  std::vector<Setting> last_only = settings;
  last_only.push_back({"draws-from", "last-level"});
  const MemberRecord last = small_fit(last_only), all = small_fit(settings);
  EXPECT_EQ(all.evidence->log_evidence, last.evidence->log_evidence);
  EXPECT_EQ(all.sample.size(), last.sample.size());
  EXPECT_NEAR(all.sample.weights.sum(), 1.0, 1e-12);
  const WeightedMoments a = moments(last.sample), b = moments(all.sample);
  for (Index d = 0; d < 2; ++d) {
    const auto coordinate = static_cast<std::size_t>(d);
    const double worth = last.diagnostics[coordinate].effective_sample_size;
    // Five standard errors of the last level's mean; the two share draws, so the difference is smaller still.
    EXPECT_NEAR(a.mean[d], b.mean[d], 5.0 * a.sd[d] / std::sqrt(worth)) << d;
  }
  // The mutant: states of all levels with their weights forgotten are far off.
  const GpTarget target = make_target(small_runs(), all.scaling, all.options);
  ThreadExecutor executor(1);
  Observer silent;
  const RecycledSample states = recycle(anneal(target, all.options.annealing, {executor, silent}));
  const double worst = (states.positions.rowwise().mean() - a.mean).cwiseAbs().cwiseQuotient(a.sd).maxCoeff();
  EXPECT_GT(worst, 5.0 / std::sqrt(last.diagnostics[0].effective_sample_size));
}

// One input, nugget fixed: a one-dimensional posterior, integrated by a fine trapezoid rule over the box.
TEST(Fit, EvidenceAndMeanOfOneInputAreThoseOfQuadrature) {
  const OutputRuns both = small_runs(10);
  const OutputRuns data(both.inputs().leftCols(1), both.output(), {"length"}, "weight");
  const std::vector<Setting> settings = {
      {"samples", "2000"}, {"nugget", "fixed(1e-4)"}, {"prior", "log-normal(0,1.5)"}};
  const MemberRecord record = small_fit(settings, data);

  const GpTarget target = make_target(data, record.scaling, record.options);
  constexpr Index kNodes = 4001;
  const Matrix nodes = Vector::LinSpaced(kNodes, -7.0, 7.0).transpose();
  const Vector energies = energies_of(target, nodes);
  const Vector density = (-(energies.array() - energies.minCoeff())).exp();
  const double step = 14.0 / (kNodes - 1);
  const double log_integral = std::log(density.sum() * step) - energies.minCoeff();
  const double true_mean = nodes.row(0).dot(density) / density.sum();

  const double offset = residual_rank(record) * std::log(record.scaling.output_sd());
  const Evidence& evidence = *record.evidence;
  EXPECT_LT(evidence.standard_error, 0.1);
  EXPECT_NEAR(evidence.log_evidence, log_integral - offset, 4.0 * evidence.standard_error);
  const WeightedMoments found = moments(record.sample);
  EXPECT_NEAR(found.mean[0], true_mean, 4.0 * found.sd[0] / std::sqrt(record.diagnostics[0].effective_sample_size));
  // The mutant: the evidence of the standardised output.
  EXPECT_GT(std::abs(evidence.log_evidence - log_integral), 4.0 * evidence.standard_error);
}

TEST(Fit, BothPathsGiveOneEvidence) {
  const MemberRecord from_box = small_fit({{"sampler", "annealed"}, {"samples", "1000"}});
  const MemberRecord from_prior = small_fit({{"sampler", "annealed"}, {"samples", "1000"}, {"path", "prior"}});
  EXPECT_NEAR(from_box.evidence->log_evidence, from_prior.evidence->log_evidence,
              4.0 * std::hypot(from_box.evidence->standard_error, from_prior.evidence->standard_error));
}

TEST(Fit, SaysWhetherTheEvidenceIsNormalised) {
  EXPECT_FALSE(small_fit({{"prior", "reference"}}).evidence->is_normalised);
  EXPECT_TRUE(small_fit({{"prior", "log-uniform"}}).evidence->is_normalised);
}

TEST(Fit, CountsMassNearTheBorder) {
  // The second input is idle, so its length-scale has no upper end but the box.
  const OutputRuns data = small_runs();
  const Vector output = (data.inputs().col(0) / 60.0).array().sin();
  const MemberRecord record = small_fit({{"prior", "log-uniform"},
                                         {"box", "-7,7"},
                                         {"nugget", "fixed(1e-6)"},
                                         {"sampler", "annealed"},
                                         {"draws-from", "last-level"}},
                                        OutputRuns(data.inputs(), output, data.input_names(), "y"));
  EXPECT_GT(record.diagnostics[1].mass_near_high, 0.05);
  EXPECT_LT(record.diagnostics[1].mass_near_low, 0.05);
  const auto row = record.sample.positions.row(1).array();
  EXPECT_NEAR(record.diagnostics[1].mass_near_high, (row > 7.0 - 0.05 * 14.0).cast<double>().mean(), 1e-12);
}

TEST(Fit, DeclaredRangesScaleTheInputs) {
  ThreadExecutor executor(1);
  Observer silent;
  const ValidFitOptions options(test::small_options({{"samples", "60"}}));
  const MemberRecord record = fit(small_runs(), options, {{"length", 0.0, 400.0}}, {executor, silent});
  EXPECT_EQ(record.scaling.low()[0], 0.0);
  EXPECT_EQ(record.scaling.width()[0], 400.0);
}

class StopAt : public Observer {
 public:
  explicit StopAt(Index level) : level_(level) {}
  Verdict on_level(const LevelSummary& report) override {
    last = report.level;
    return report.level == level_ ? Verdict::stop : Verdict::go_on;
  }
  Index last = -1;

 private:
  Index level_;
};

TEST(Fit, StopsWhenTheObserverSaysSo) {
  ThreadExecutor executor(1);
  StopAt observer(1);
  const ValidFitOptions options(test::small_options());
  test::message_of(ErrorCode::interrupted, [&] { fit(small_runs(), options, {}, {executor, observer}); });
  EXPECT_EQ(observer.last, 1);
}

TEST(Fit, StopsWhenTheFlagIsSet) {
  const StopFlag stop{true};
  ThreadExecutor executor(2, &stop);
  Observer silent;
  for (const std::string fast : {"false", "true"}) {
    const ValidFitOptions options(test::small_options({{"fast", fast}}));
    test::message_of(ErrorCode::interrupted, [&] { fit(small_runs(), options, {}, {executor, silent}); });
  }
}

TEST(Fit, RefusesTooFewRuns) {
  test::expect_parts(test::message_of(ErrorCode::bad_data,
                                      [] {
                                        small_fit({{"trend", "linear"}}, small_runs(5));
                                      }),
                     {"5 runs", "6", "linear"});
}

TEST(Fit, RefusesNamesOfNoInput) {
  test::expect_parts(test::message_of(ErrorCode::usage,
                                      [] {
                                        small_fit({{"prior", "mass=decaying;*=decaying"}});
                                      }),
                     {"mass"});
  test::expect_parts(test::message_of(ErrorCode::usage,
                                      [] {
                                        small_fit({{"trend", "terms(mass)"}});
                                      }),
                     {"mass", "length, load"});
}

OutputRuns runs_with_duplicate(double difference) {
  const OutputRuns data = small_runs();
  Matrix inputs = data.inputs();
  Vector output = data.output();
  inputs.row(5) = inputs.row(2);
  output[5] = output[2] + difference;
  return OutputRuns(inputs, output, data.input_names(), data.output_name());
}

TEST(Fit, DuplicateRunsNeedANugget) {
  const std::string message = test::message_of(ErrorCode::bad_data, [] {
    small_fit({{"nugget", "fixed(1e-8)"}}, runs_with_duplicate(0.1));
  });
  test::expect_parts(message, {"3 and 6", "different outputs", "1e-08", "1e-06"});
  for (const std::string nugget : {"log-uniform", "fixed(1e-6)"}) {
    const MemberRecord record = small_fit({{"nugget", nugget}, {"samples", "60"}}, runs_with_duplicate(0.1));
    ASSERT_EQ(record.notices.size(), 1u);
    test::expect_parts(record.notices[0], {"1 set", "different outputs"});
  }
  const MemberRecord equal = small_fit({{"nugget", "fixed(1e-8)"}, {"samples", "60"}}, runs_with_duplicate(0.0));
  ASSERT_EQ(equal.notices.size(), 1u);
  test::expect_parts(equal.notices[0], {"1 set", "equal"});
  test::expect_parts(test::message_of(ErrorCode::bad_data,
                                      [] {
                                        small_fit({{"nugget", "fixed(0)"}}, runs_with_duplicate(0.0));
                                      }),
                     {"equal inputs", "singular"});
}

TEST(Fit, NoticesOfTheDataAreKept) {
  const OutputRuns data = small_runs();
  const OutputRuns noted(data.inputs(), data.output(), data.input_names(), data.output_name(),
                         {"runs.csv", {}, {}, {"2 failed runs were left out"}});
  EXPECT_EQ(small_fit({{"samples", "60"}}, noted).notices, std::vector<std::string>{"2 failed runs were left out"});
}

TEST(InterruptibleTarget, GivesUpOnceAStopIsRequested) {
  StopFlag stop{false};
  const ThreadExecutor executor(1, &stop);
  const FunctionTarget target([](VectorView x) { return -0.5 * x.squaredNorm(); }, Vector::Constant(2, -8.0),
                              Vector::Constant(2, 8.0));
  const InterruptibleTarget interruptible(target, executor);
  const auto workspace = interruptible.make_workspace();
  std::vector<Energy> out(1);
  interruptible.energies(Vector::Zero(2), *workspace, out);
  EXPECT_EQ(out[0].total(), 0.0);
  stop = true;
  EXPECT_THROW(interruptible.energies(Vector::Zero(2), *workspace, out), Error);
}

}  // namespace
}  // namespace ta2s2
