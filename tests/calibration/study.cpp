#include "calibration/study.hpp"

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2::calibration {
namespace {

// Problems of one study are fitted under different seeds, and two studies' seeds do not meet.
constexpr std::uint64_t kSeedsPerStudy = 1'000'000;

RankedProblem rank_problem(const StudyOptions& options, Index index) {
  SimulatedProblem problem = simulate_problem(options.simulate, options.seed, index);
  FitOptions fit_options = options.fit;
  fit_options.annealing.seed = options.seed * kSeedsPerStudy + static_cast<std::uint64_t>(index);
  ThreadExecutor one_thread(1);
  Observer silent;
  const MemberRecord record = fit(problem.runs, ValidFitOptions(fit_options), problem.ranges, {one_thread, silent});
  if (options.shape_offset != 0.0) problem.z.tail(1).array() += options.shape_offset;
  return {problem.runs.num_runs(), problem.runs.num_inputs(), posterior_ranks(problem, record)};
}

}  // namespace

StudyOptions default_study() {
  StudyOptions options;
  // Length-scales sqrt(phi) from 0.08 to 1.6 in 95%: from runs that hardly know each other to a nearly linear function.
  // Set as a user sets it, so that the box is that of this prior and not that of the default one.
  apply_settings(options.simulate, {{"prior", "log-normal(-2,1.5)"}});
  options.fit = options.simulate;
  return options;
}

StudyOptions study_of_shapes() {
  StudyOptions options;
  apply_settings(options.simulate, {{"model", "single"}, {"correlation", "rational-quadratic"}});
  options.fit = options.simulate;
  return options;
}

std::vector<RankedProblem> run_study(const StudyOptions& options, Executor& executor) {
  std::vector<RankedProblem> problems(static_cast<std::size_t>(options.num_problems));
  const std::vector<double> costs(problems.size(), 1.0);
  executor.map(costs, [&](Index index, int) {
    problems[static_cast<std::size_t>(index)] = rank_problem(options, index);
    return Payload{};
  });
  return problems;
}

std::map<std::string, std::vector<double>> ranks_by_quantity(const std::vector<RankedProblem>& problems) {
  std::map<std::string, std::vector<double>> ranks;
  for (const RankedProblem& problem : problems) {
    for (const Rank& rank : problem.ranks) ranks[rank.quantity].push_back(rank.value);
  }
  return ranks;
}

}  // namespace ta2s2::calibration
