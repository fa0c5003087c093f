#include "ta2s2/report/detail/judged_runs.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/predictive/scores.hpp"

namespace ta2s2::detail {
namespace {

JudgedRun judge_run(const StudentMixture& prediction, Index index, double observed) {
  JudgedRun run{index + 1,
                observed,
                prediction.mean(),
                std::sqrt(prediction.variance()),
                prediction.quantile(0.025),
                prediction.quantile(0.975)};
  const PointScores scores = score_point(prediction, observed);
  run.crps = scores.crps;
  run.negative_log_density = scores.negative_log_density;
  run.interval_score = scores.interval_score_95;
  run.pit = scores.pit;
  return run;
}

Payload pack(const JudgedRun& run) {
  return {static_cast<double>(run.number), run.observed,       run.mean, run.sd, run.low, run.high, run.crps,
          run.negative_log_density,        run.interval_score, run.pit};
}

JudgedRun unpack(const Payload& p) {
  return {static_cast<Index>(p[0]), p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]};
}

std::vector<JudgedRun> judge_each(Index count, const std::function<JudgedRun(Index)>& judge, Executor& executor) {
  const std::vector<double> costs(static_cast<std::size_t>(count), 1.0);
  std::vector<JudgedRun> judged;
  const auto task = [&](Index i, int) { return pack(judge(i)); };
  for (const Payload& payload : executor.map(costs, task)) judged.push_back(unpack(payload));
  return judged;
}

double mean_of(const std::vector<JudgedRun>& runs, const std::function<double(const JudgedRun&)>& value) {
  double sum = 0.0;
  for (const JudgedRun& run : runs) sum += value(run);
  return sum / static_cast<double>(runs.size());
}

}  // namespace

std::vector<JudgedRun> judge_validation(const Predictive& predictive, MatrixView inputs, const Vector& outputs,
                                        Executor& executor) {
  std::vector<JudgedRun> judged;
  const Index block_size = predictive.block_size();
  for (Index first = 0; first < inputs.rows(); first += block_size) {
    const Index count = std::min(block_size, inputs.rows() - first);
    const MixtureBlock block = predictive.mixtures(inputs.middleRows(first, count), Predict::new_run, executor);
    const auto judge = [&](Index i) { return judge_run(block.at(i), first + i, outputs[first + i]); };
    const std::vector<JudgedRun> part = judge_each(count, judge, executor);
    judged.insert(judged.end(), part.begin(), part.end());
  }
  return judged;
}

std::vector<JudgedRun> judge_left_out(const LeftOutRuns& runs, const Vector& outputs, Executor& executor) {
  std::vector<Index> known;
  for (Index i = 0; i < runs.num_runs(); ++i) {
    if (runs.is_known[static_cast<std::size_t>(i)]) known.push_back(i);
  }
  const auto judge = [&](Index i) {
    const Index run = known[static_cast<std::size_t>(i)];
    return judge_run(runs.at(run), run, outputs[run]);
  };
  return judge_each(static_cast<Index>(known.size()), judge, executor);
}

RunScores total_scores(const std::vector<JudgedRun>& runs) {
  const auto squared_error = [](const JudgedRun& run) { return std::pow(run.observed - run.mean, 2); };
  return {static_cast<Index>(runs.size()),
          std::sqrt(mean_of(runs, squared_error)),
          mean_of(runs, [](const JudgedRun& run) { return run.crps; }),
          mean_of(runs, [](const JudgedRun& run) { return run.negative_log_density; }),
          mean_of(runs, [](const JudgedRun& run) { return run.interval_score; }),
          mean_of(runs, [](const JudgedRun& run) { return run.is_covered(0.95) ? 1.0 : 0.0; })};
}

Index num_covered(const std::vector<JudgedRun>& runs, double level) {
  return std::count_if(runs.begin(), runs.end(), [&](const JudgedRun& run) { return run.is_covered(level); });
}

}  // namespace ta2s2::detail
