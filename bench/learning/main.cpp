// Learning curves of one test function and one seed: scores against the number of runs, as CSV rows on standard output.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "ta2s2/data/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/experiments/measured_fit.hpp"
#include "ta2s2/experiments/simulators.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/next_runs.hpp"

namespace ta2s2 {
namespace {

struct Study {
  std::string function = "franke", method = "imse";
  std::uint64_t seed = 1;
  Index first = 20, batch = 5, last = 60;
  int threads = 0;
};

constexpr Index kTestRuns = 500;
constexpr std::uint64_t kTestSeed = 20'261'117;
constexpr Index kDrawsToScore = 250;

class LearningCurve {
 public:
  explicit LearningCurve(const Study& study)
      : study_(study),
        simulator_(find_simulator(study.function)),
        executor_(study.threads),
        test_(runs_at(design(kTestRuns, DesignKind::sobol, kTestSeed))) {}

  // A new design for every number of runs.
  void one_shot() {
    for (Index runs = study_.first; runs <= study_.last; runs += study_.batch) {
      report(fit_to(design(runs, DesignKind::maximin, study_.seed)));
    }
  }

  void adaptive() {
    Matrix points = design(study_.first, DesignKind::maximin, study_.seed);
    FitRecord record = fit_to(points);
    report(record);
    while (points.rows() < study_.last) {
      const NextRunsOptions options{
          .count = study_.batch, .criterion = parse_criterion(study_.method), .seed = study_.seed};
      const NextRunsReport next = next_runs(make_emulator(record), options, std::nullopt, executor_);
      Matrix more(points.rows() + study_.batch, points.cols());
      more << points, next.runs.points;
      points = more;
      record = fit_to(points);
      report(record);
    }
  }

 private:
  Matrix design(Index runs, DesignKind kind, std::uint64_t seed) const {
    return to_ranges(make_design({simulator_.num_inputs(), runs, kind, seed}), simulator_.inputs);
  }
  Dataset runs_at(const Matrix& points) const { return run_simulator(simulator_, points); }

  FitRecord fit_to(const Matrix& points) {
    Observer silent;
    return fit(runs_at(points), ValidFitOptions(options_with({}, study_.seed)), simulator_.inputs, {executor_, silent});
  }

  void report(const FitRecord& record) {
    const Scores scores = score_thinned(record, kDrawsToScore, test_, executor_);
    std::printf("%s,%s,%llu,%lld,%.6g,%.6g\n", study_.function.c_str(), study_.method.c_str(),
                static_cast<unsigned long long>(study_.seed), static_cast<long long>(record.data.num_runs()),
                scores.rmse, scores.crps);
    std::fflush(stdout);
  }

  const Study& study_;
  const Simulator& simulator_;
  ThreadExecutor executor_;
  Dataset test_;
};

}  // namespace
}  // namespace ta2s2

int main(int argc, char** argv) {
  ta2s2::Study study;
  CLI::App app("Learning curves of one test function and one seed");
  app.add_option("--function", study.function);
  app.add_option("--method", study.method, "lhs, or a criterion of `ta2s2 next-runs`");
  app.add_option("--seed", study.seed);
  app.add_option("--first", study.first);
  app.add_option("--batch", study.batch);
  app.add_option("--last", study.last);
  app.add_option("--threads", study.threads);
  CLI11_PARSE(app, argc, argv);
  ta2s2::LearningCurve curve(study);
  study.method == "lhs" ? curve.one_shot() : curve.adaptive();
}
