#include "fit_job.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "commands/commands.hpp"
#include "job.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/io/checkpointed_fit.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::cli {
namespace {

void print_judgement(const Judgement& judgement) {
  std::printf("judgement       %s\n", judgement_line(judgement).c_str());
}

void print_summary(const MemberRecord& record, const Judgement& judgement, const std::string& path) {
  std::printf("model           %s\n", path.c_str());
  std::printf("runs            %lld, inputs %lld\n", static_cast<long long>(record.data.num_runs()),
              static_cast<long long>(record.data.num_inputs()));
  if (record.has_sample()) {
    std::printf("sample          %lld draws over %zu levels\n", static_cast<long long>(record.sample.size()),
                record.levels.size());
    std::printf("modes           %zu\n", record.modes.size());
    if (record.evidence) std::printf("log evidence    %s\n", evidence_text(*record.evidence).c_str());
  } else {
    std::printf("point estimate  posterior maximum, energy %.6f\n", record.map.energy);
  }
  print_judgement(judgement);
  std::printf("seconds         %.2f\n", record.times.total_seconds);
  std::printf("next            ta2s2 show %s\n", path.c_str());
}

void print_weights_line(const OutputRecord& output) {
  if (is_single(output)) return;
  std::printf("models         ");
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    std::printf("%s %s %.3f", k > 0 ? "," : "", member_label(output.members[k].options).c_str(), output.weights[k]);
  }
  std::printf(" (weights by %s)\n", output.weighting.c_str());
}

void print_summary(const EmulatorRecord& model, const std::vector<Judgement>& judgements, const std::string& path) {
  if (is_single(model)) return print_summary(model.outputs.front().members.front(), judgements.front(), path);
  std::printf("model           %s\n", path.c_str());
  double seconds = 0.0;
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const OutputRecord& output = model.outputs[k];
    const OutputRuns& data = output.members.front().data;
    if (model.outputs.size() > 1) std::printf("output          %s\n", output.name().c_str());
    std::printf("runs            %lld, inputs %lld\n", static_cast<long long>(data.num_runs()),
                static_cast<long long>(data.num_inputs()));
    print_weights_line(output);
    print_judgement(judgements[k]);
    for (const MemberRecord& fit : output.members) seconds = std::max(seconds, fit.times.total_seconds);
  }
  std::printf("seconds         %.2f\nnext            ta2s2 show %s\n", seconds, path.c_str());
}

// Each sentence once: outputs of the same runs share most of theirs.
std::vector<std::string> each_once(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> sentences;
  for (const std::vector<std::string>& list : lists) {
    for (const std::string& sentence : list) {
      if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) sentences.push_back(sentence);
    }
  }
  return sentences;
}

std::vector<std::string> notices_of_runs(const std::vector<OutputRuns>& outputs) {
  std::vector<std::vector<std::string>> lists;
  for (const OutputRuns& data : outputs) lists.push_back(data.notices());
  return each_once(lists);
}

// But for those of the runs, which were printed before.
std::vector<std::string> notices_of_fits(const EmulatorRecord& model) {
  std::vector<std::vector<std::string>> lists;
  for (const OutputRecord& output : model.outputs) {
    for (const MemberRecord& fit : output.members) {
      const auto num_known = static_cast<std::ptrdiff_t>(fit.data.notices().size());
      lists.push_back({fit.notices.begin() + num_known, fit.notices.end()});
    }
  }
  return each_once(lists);
}

struct LoadedRuns {
  std::vector<OutputRuns> outputs;
  std::vector<InputRange> ranges;
};

EmulatorRecord fit_or_go_on(const FitJob& job, const ValidFitOptions& options, const LoadedRuns& runs,
                            Execution context) {
  if (options->checkpoint.empty()) return fit_model(runs.outputs, options, runs.ranges, context);
  CheckpointFile file(options->checkpoint);
  if (file.exists()) print_notices({"going on from " + options->checkpoint}, job.console);
  const TimeLimit limit(options->time_limit, job.console);
  return fit_with_checkpoints(runs.outputs, options, runs.ranges, context, file,
                              {std::filesystem::current_path().string(), job.runs, job.model, job.report});
}

}  // namespace

void tell_of_fit(const EmulatorRecord& model, const std::vector<Judgement>& judgements, const Output& output,
                 const std::string& path) {
  if (!output.is_standard()) print_summary(model, judgements, path);
  print_warnings(judgements);
}

void run_fit_job(const FitJob& job, const ValidFitOptions& options) {
  const LoadedRuns runs{load_outputs(job.runs, {options->output, options->inputs}),
                        options->ranges.empty() ? std::vector<InputRange>{} : read_ranges(options->ranges)};
  print_notices(notices_of_runs(runs.outputs), job.console);

  Output output(job.model, {job.runs, job.config, options->ranges, options->checkpoint});
  std::optional<Output> report = open_report(job.report, {job.runs, job.config, job.model, options->checkpoint});
  const std::unique_ptr<Executor> executor = make_executor(options->threads, &stop_on_signals());
  ConsoleObserver observer(job.console);
  const EmulatorRecord model = fit_or_go_on(job, options, runs, {*executor, observer});
  print_notices(notices_of_fits(model), job.console);
  write_model(output.stream(), model);
  output.commit();
  if (report) write_report(*report, model, *executor);
  if (!options->checkpoint.empty() && is_first_rank()) CheckpointFile(options->checkpoint).remove();
  const std::vector<Judgement> judgements = judge_all(model, *executor);
  if (!job.console.quiet) tell_of_fit(model, judgements, output, job.model);
  require_not_bad(judgements, job.is_strict);
}

}  // namespace ta2s2::cli
