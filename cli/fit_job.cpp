#include "fit_job.hpp"

#include <cstdio>
#include <optional>

#include "commands/commands.hpp"
#include "job.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/io/checkpointed_fit.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "ta2s2/workflow/verdict.hpp"

namespace ta2s2::cli {
namespace {

void print_summary(const FitRecord& record, const std::string& path) {
  std::printf("model           %s\n", path.c_str());
  std::printf("runs            %lld, inputs %lld\n", static_cast<long long>(record.data.num_runs()),
              static_cast<long long>(record.data.num_inputs()));
  if (record.has_sample()) {
    std::printf("sample          %lld draws over %zu levels\n", static_cast<long long>(record.sample.size()),
                record.levels.size());
    std::printf("modes           %zu\n", record.modes.size());
    std::printf("verdict         %s\n", sentence(judge(record)).c_str());
    if (record.evidence) std::printf("log evidence    %s\n", evidence_text(*record.evidence).c_str());
  } else {
    std::printf("point estimate  posterior maximum, energy %.6f\n", record.map.energy);
  }
  std::printf("seconds         %.2f\n", record.times.total_seconds);
  std::printf("next            ta2s2 show %s\n", path.c_str());
}

struct LoadedRuns {
  Dataset data;
  std::vector<InputRange> ranges;
};

FitRecord fit_or_go_on(const FitJob& job, const ValidFitOptions& options, const LoadedRuns& runs, RunContext context) {
  if (options->checkpoint.empty()) return fit(runs.data, options, runs.ranges, context);
  CheckpointFile file(options->checkpoint);
  if (file.exists()) print_notices({"going on from " + options->checkpoint}, job.console);
  const TimeLimit limit(options->time_limit, job.console);
  return fit_with_checkpoints(runs.data, options, runs.ranges, context, file,
                              {std::filesystem::current_path().string(), job.runs, job.model, job.report});
}

}  // namespace

void tell_of_fit(const FitRecord& record, const Output& output, const std::string& path) {
  if (!output.is_standard()) return print_summary(record, path);
  for (const std::string& warning : warnings(record)) std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

void run_fit_job(const FitJob& job, const ValidFitOptions& options) {
  const LoadedRuns runs{load_runs(job.runs, {options->output, options->inputs}),
                        options->ranges.empty() ? std::vector<InputRange>{} : load_ranges(options->ranges)};
  print_notices(runs.data.notices(), job.console);

  Output output(job.model, {job.runs, job.config, options->ranges, options->checkpoint});
  std::optional<Output> report = open_report(job.report, {job.runs, job.config, job.model, options->checkpoint});
  const std::unique_ptr<Executor> executor = make_executor(options->threads, &stop_on_signals());
  ConsoleObserver observer(job.console);
  const FitRecord record = fit_or_go_on(job, options, runs, {*executor, observer});
  const auto num_known = static_cast<std::ptrdiff_t>(runs.data.notices().size());
  print_notices({record.notices.begin() + num_known, record.notices.end()}, job.console);
  write_model(output.stream(), record);
  output.commit();
  if (report) write_report(*report, record, *executor);
  if (!options->checkpoint.empty() && is_first_rank()) CheckpointFile(options->checkpoint).remove();
  if (!job.console.quiet) tell_of_fit(record, output, job.model);
}

}  // namespace ta2s2::cli
