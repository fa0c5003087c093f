#include "ta2s2/workflow/plan_fit.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "fit_arguments.hpp"
#include "output.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::cli {
namespace {

struct PlanArguments {
  std::string runs;
  FitSettings settings;
  std::vector<Index> cores;
  bool json = false;
  ConsoleOptions console;
};

struct Machine {
  Index cores;  // that this process may run on
  int threads;  // that a fit with these settings would take
};

Machine this_machine(const FitOptions& options) {
  return {ThreadExecutor(0).num_workers(), ThreadExecutor(options.threads).num_workers()};
}

std::string seconds_text(double seconds) {
  char text[32];
  if (seconds < 1e-3) {
    std::snprintf(text, sizeof text, "%.3g us", 1e6 * seconds);
  } else if (seconds < 1.0) {
    std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  } else if (seconds < 120.0) {
    std::snprintf(text, sizeof text, "%.3g s", seconds);
  } else if (seconds < 7200.0) {
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60.0);
  } else if (seconds < 172800.0) {
    std::snprintf(text, sizeof text, "%.3g h", seconds / 3600.0);
  } else {
    std::snprintf(text, sizeof text, "%.3g days", seconds / 86400.0);
  }
  return text;
}

std::string megabytes_text(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10e6 ? "%.1f MB" : "%.0f MB", bytes / 1e6);
  return text;
}

std::string time_text(const Range& seconds) {
  return seconds_text(seconds.expected) + " (" + seconds_text(seconds.low) + " to " + seconds_text(seconds.high) + ")";
}

void print_range(const char* label, const Range& range) {
  std::printf("%-24s%.0f (%.0f to %.0f)\n", label, range.expected, range.low, range.high);
}

long long shown(Index count) {
  return static_cast<long long>(count);
}

void print_problem(const FitPlan& plan) {
  std::printf("%-24s%lld of %lld inputs, %lld parameters to sample\n", "runs", shown(plan.num_runs),
              shown(plan.num_inputs), shown(plan.dim));
  std::printf("%-24s%s", "one evaluation", seconds_text(plan.evaluation.in_block_seconds).c_str());
  if (plan.lanes > 1) {
    std::printf(" in a block of %lld, %s alone", shown(plan.lanes),
                seconds_text(plan.evaluation.alone_seconds).c_str());
  }
  std::printf(" (measured here)\n");
}

void print_memory(const MemoryUse& memory, int threads) {
  std::printf("%-24s%s per process of %d thread(s); each thread takes %s of it\n", "memory",
              megabytes_text(memory.total(threads)).c_str(), threads, megabytes_text(memory.bytes_per_thread).c_str());
}

std::string cores_text(Index cores, const Machine& machine) {
  const std::string count = std::to_string(cores) + (cores == 1 ? " core" : " cores");
  return cores == machine.cores ? count + " (this machine)" : count;
}

void print_work(const ExpectedWork& work, const Machine& machine) {
  const FitShape& shape = work.shape;
  print_range("levels", work.forecast.levels);
  print_range("evaluations", work.forecast.evaluations);
  std::printf("%-24s%lld of %lld states, in %lld tasks: more than %lld cores have nothing to do\n", "chains per level",
              shown(shape.num_chains()), shown(shape.chain_length()), shown(shape.num_tasks()),
              shown(shape.num_tasks()));
  if (work.num_fits > 1)
    std::printf("%-24s%d, of all outputs and models, two each with --check; each as above, the times below for all\n",
                "fits", work.num_fits);
  for (const WallTime& time : work.times) {
    std::printf("%-24s%s\n", cores_text(time.cores, machine).c_str(), time_text(time.seconds).c_str());
  }
  const Index most = work.times.back().cores;
  if (most > shape.num_tasks()) {
    std::printf("note: %lld cores are all used from --samples %lld on\n", shown(most),
                shown(samples_for_cores(shape, most)));
  }
}

using Json = nlohmann::ordered_json;

Json range_json(const Range& range) {
  return {{"low", range.low}, {"expected", range.expected}, {"high", range.high}};
}

Json work_json(const ExpectedWork& work) {
  Json times = Json::array();
  for (const WallTime& time : work.times) {
    times.push_back({{"cores", time.cores},
                     {"seconds", range_json(time.seconds)},
                     {"samples_for_all_cores", samples_for_cores(work.shape, time.cores)}});
  }
  return {{"fits", work.num_fits},
          {"levels", range_json(work.forecast.levels)},
          {"evaluations", range_json(work.forecast.evaluations)},
          {"mode_evaluations", range_json(work.forecast.mode_evaluations)},
          {"lanes", work.shape.lanes},
          {"chains_per_level", work.shape.num_chains()},
          {"chain_length", work.shape.chain_length()},
          {"tasks_per_level", work.shape.num_tasks()},
          {"times", times}};
}

Json plan_json(const FitPlan& plan, int threads) {
  return {{"runs", plan.num_runs},
          {"inputs", plan.num_inputs},
          {"parameters", plan.dim},
          {"evaluation_seconds",
           {{"in_block", plan.evaluation.in_block_seconds}, {"alone", plan.evaluation.alone_seconds}}},
          {"memory_bytes",
           {{"threads", threads},
            {"total", plan.memory.total(threads)},
            {"shared", plan.memory.shared_bytes},
            {"per_thread", plan.memory.bytes_per_thread}}},
          {"work", plan.work ? work_json(*plan.work) : Json()},
          {"unknown", plan.unknown},
          {"notices", plan.notices}};
}

// One core, this machine's, and what was asked for.
std::vector<Index> cores_to_tell(const PlanArguments& arguments, const Machine& machine) {
  std::vector<Index> cores = {1, machine.cores};
  cores.insert(cores.end(), arguments.cores.begin(), arguments.cores.end());
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return cores;
}

void run_plan(const CLI::App& command, const PlanArguments& arguments) {
  const ValidFitOptions options(gather_options(command, arguments.settings));
  const std::vector<Dataset> outputs = load_outputs(arguments.runs, {options->output, options->inputs});
  const std::vector<InputRange> ranges =
      options->ranges.empty() ? std::vector<InputRange>{} : load_ranges(options->ranges);
  const Machine machine = this_machine(options.get());
  const FitPlan plan =
      plan_fit(outputs.front(), options, ranges, cores_to_tell(arguments, machine), static_cast<int>(outputs.size()));
  print_notices(plan.notices, arguments.console);
  if (arguments.json) {
    Output output("", {});
    output.stream() << plan_json(plan, machine.threads).dump(2) << '\n';
    return output.commit();
  }
  print_problem(plan);
  if (plan.work) print_work(*plan.work, machine);
  print_memory(plan.memory, machine.threads);
  if (!plan.work) std::printf("note: %s\n", plan.unknown.c_str());
}

// Empty if it is one, else the sentence that CLI11 puts after the option's name.
std::string cores_problem(const std::string& text) {
  constexpr Index kMost = 1'000'000;
  Index cores = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, cores);
  if (error == std::errc{} && parsed == end && cores >= 1 && cores <= kMost) return "";
  return "found \"" + text + "\", expected whole numbers from 1 to " + std::to_string(kMost) + ", separated by commas";
}

}  // namespace

void add_plan_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("plan", "Tell what a fit will cost before it is begun");
  const auto arguments = std::make_shared<PlanArguments>();
  command.add_option("runs", arguments->runs, "CSV file with a header and a row per run")->required();
  command.add_option("--cores", arguments->cores, "also tell the time on so many cores; several numbers by commas")
      ->delimiter(',')
      ->check(cores_problem);
  command.add_flag("--json", arguments->json, "print JSON");
  command.add_flag("--quiet,-q", arguments->console.quiet, "say nothing on stderr but errors");
  add_fit_settings(command, arguments->settings);
  command.footer(
      "Times a few evaluations and multiplies by what fits of test functions have needed; nine fits in ten lie in the\n"
      "range that is printed. docs/clusters.md tells how to choose cores.\n"
      "Examples:\n"
      "  ta2s2 plan runs.csv --output y\n"
      "  ta2s2 plan runs.csv --output y --samples 20000 --prior reference --cores 8,64");
  command.callback([&command, arguments] { run_plan(command, *arguments); });
}

}  // namespace ta2s2::cli
