// Learning curves of one test function and one seed: scores against the number of runs, as CSV rows on standard output.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "lab/results.hpp"
#include "lab/simulators.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/next_runs.hpp"

namespace ta2s2 {
namespace {

struct Study {
  std::string function = "franke", method = "imse";
  std::vector<std::string> settings;  // of a fit: "correlation=matern52"
  std::uint64_t seed = 1;
  Index first = 20, batch = 5, last = 60;
  int threads = 0;
};

constexpr Index kTestRuns = 500;
constexpr std::uint64_t kTestSeed = 20'261'117;
// The mean of so many draws adds at most a hundredth of the variance between draws to the squared error.
constexpr Index kDrawsToScore = 100;
constexpr Index kDrawsToChoose = 50;  // half of what next-runs takes, to save time
constexpr Index kRunsToKnow = 120;
const std::map<std::string, DesignKind> kOneShot = {{"lhs", DesignKind::random}, {"maximin", DesignKind::maximin}};

std::vector<Setting> settings_of(const Study& study) {
  std::vector<Setting> settings;
  for (const std::string& text : study.settings) {
    const std::size_t equals = text.find('=');
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return settings;
}

class LearningCurve {
 public:
  explicit LearningCurve(const Study& study)
      : study_(study),
        options_(lab::options_with(settings_of(study), study.seed)),
        simulator_(lab::find_simulator(study.function)),
        executor_(study.threads),
        test_(runs_at(design(kTestRuns, DesignKind::sobol, kTestSeed))) {}

  // A new design for every number of runs.
  void one_shot(DesignKind kind) {
    for (Index runs = study_.first; runs <= study_.last; runs += study_.batch) {
      report(emulator_of(design(runs, kind, study_.seed)));
    }
  }

  void adaptive() {
    Matrix points = design(study_.first, DesignKind::maximin, study_.seed);
    Predictive predictive = emulator_of(points);
    report(predictive);
    while (points.rows() < study_.last) {
      points = with_next(points, predictive, study_.method, study_.batch);
      predictive = emulator_of(points);
      report(predictive);
    }
  }

  // What placing alone could do: all but the first runs chosen at once by imse, with the hyper-parameters that far more
  // runs would tell.
  void foreknowing() {
    const Matrix points = design(study_.first, DesignKind::maximin, study_.seed);
    const OutputRecord few = fit_to(points), many = fit_to(design(kRunsToKnow, DesignKind::maximin, study_.seed));
    std::vector<Predictive> members;
    for (std::size_t i = 0; i < few.members.size(); ++i) {
      members.push_back(make_predictive(few.members[i], many.members[i].sample));
    }
    report(
        emulator_of(with_next(points, Predictive::average(members, many.weights), "imse", study_.last - study_.first)));
  }

 private:
  Matrix design(Index runs, DesignKind kind, std::uint64_t seed) const {
    return to_ranges(make_design({simulator_.num_inputs(), runs, kind, seed}), simulator_.inputs);
  }
  OutputRuns runs_at(const Matrix& points) const { return lab::run_simulator(simulator_, points); }

  OutputRecord fit_to(const Matrix& points) {
    Observer silent;
    return fit_model({runs_at(points)}, ValidFitOptions(options_), simulator_.inputs, {executor_, silent})
        .outputs.front();
  }
  Predictive emulator_of(const Matrix& points) { return make_predictive(fit_to(points)); }

  Matrix with_next(const Matrix& points, const Predictive& predictive, const std::string& criterion, Index count) {
    const NextRunsOptions options{
        .count = count, .criterion = parse_criterion(criterion), .draws = kDrawsToChoose, .seed = study_.seed};
    Matrix more(points.rows() + count, points.cols());
    more << points, next_runs(predictive, options, std::nullopt, executor_).points;
    return more;
  }

  void report(const Predictive& predictive) {
    Stream stream({study_.seed, Purpose::thinning, 0, 1, 0});
    const Scores scores = validate(predictive.thinned(kDrawsToScore, stream), test_, executor_);
    std::printf("%s,%s,%llu,%lld,%.6g,%.6g\n", study_.function.c_str(), study_.method.c_str(),
                static_cast<unsigned long long>(study_.seed), static_cast<long long>(predictive.num_runs()),
                scores.rmse, scores.crps);
    std::fflush(stdout);
  }

  const Study& study_;
  FitOptions options_;
  const lab::Simulator& simulator_;
  ThreadExecutor executor_;
  OutputRuns test_;
};

}  // namespace
}  // namespace ta2s2

int main(int argc, char** argv) {
  ta2s2::Study study;
  CLI::App app("Learning curves of one test function and one seed");
  app.add_option("--function", study.function);
  app.add_option("--method", study.method, "lhs, maximin, foreknown, or a criterion of `ta2s2 next-runs`");
  app.add_option("--set", study.settings, "of the fits, such as model=average");
  app.add_option("--seed", study.seed);
  app.add_option("--first", study.first);
  app.add_option("--batch", study.batch);
  app.add_option("--last", study.last);
  app.add_option("--threads", study.threads);
  CLI11_PARSE(app, argc, argv);
  ta2s2::LearningCurve curve(study);
  if (const auto kind = ta2s2::kOneShot.find(study.method); kind != ta2s2::kOneShot.end()) {
    curve.one_shot(kind->second);
  } else {
    study.method == "foreknown" ? curve.foreknowing() : curve.adaptive();
  }
}
