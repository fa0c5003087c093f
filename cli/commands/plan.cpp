#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/compare.hpp"

namespace ta2s2::cli {
namespace {

struct PlanArguments {
  std::string runs;
  FitArguments settings;
  std::vector<Index> cores;
  bool json = false;
  ConsoleOptions console;
};

struct Machine {
  Index cores;  // that this process may run on
  int threads;  // that a fit with these settings would take
};

Machine this_machine(int threads) {
  return {threads_in_use(0), threads_in_use(threads)};
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

std::string evaluation_text(const PlannedModel& model) {
  const std::string in_block = seconds_text(model.evaluation.in_block_seconds);
  if (model.lanes == 1) return in_block;
  return in_block + " in a block of " + std::to_string(model.lanes) + ", " +
         seconds_text(model.evaluation.alone_seconds) + " alone";
}

void print_problem(const FitPlan& plan) {
  for (const PlannedModel& model : plan.models) {
    if (!model.name.empty()) std::printf("%s%s\n", &model == &plan.models.front() ? "" : "\n", model.name.c_str());
    std::printf("%-24s%lld of %lld inputs, %lld parameters to sample\n", "runs", shown(model.num_runs),
                shown(model.num_inputs), shown(model.dim));
    std::printf("%-24s%s (measured here)\n", "one evaluation", evaluation_text(model).c_str());
    if (!plan.work) continue;
    const FitForecast& forecast = plan.work->forecasts[static_cast<std::size_t>(&model - plan.models.data())];
    print_range("levels", forecast.levels);
    print_range("evaluations", forecast.evaluations);
    if (forecast.gradients.expected > 0.0) print_range("gradients", forecast.gradients);
    std::printf("%-24s%lld of %lld states, in %lld tasks\n", "chains per level", shown(model.shape.num_chains()),
                shown(model.shape.chain_length()), shown(model.shape.num_tasks()));
  }
}

void print_memory(const MemoryUse& memory, int threads) {
  std::printf("%-24s%s per process of %d thread(s); each thread takes %s of it\n", "memory",
              megabytes_text(memory.total(threads)).c_str(), threads, megabytes_text(memory.bytes_per_thread).c_str());
}

std::string cores_text(Index cores, const Machine& machine) {
  const std::string count = std::to_string(cores) + (cores == 1 ? " core" : " cores");
  return cores == machine.cores ? count + " (this machine)" : count;
}

void print_work(const FitPlan& plan, const Machine& machine) {
  const ExpectedWork& work = *plan.work;
  if (plan.models.size() > 1 || work.num_rounds > 1) {
    std::printf("\n%-24s%zu model(s) side by side%s; below is the time of all\n", "fits", plan.models.size(),
                work.num_rounds > 1 ? ", more than once each for --check or to find a prior's constant" : "");
  }
  std::printf("%-24smore than %lld have nothing to do\n", "cores", shown(work.num_tasks));
  for (const WallTime& time : work.times) {
    std::printf("%-24s%s\n", cores_text(time.cores, machine).c_str(), time_text(time.seconds).c_str());
  }
  const Index most = work.times.back().cores;
  const Index samples = most > work.num_tasks ? samples_for_cores(plan, most) : 0;
  if (samples > 0) std::printf("note: %lld cores are all used from --samples %lld on\n", shown(most), shown(samples));
}

using Json = nlohmann::ordered_json;

Json range_json(const Range& range) {
  return {{"low", range.low}, {"expected", range.expected}, {"high", range.high}};
}

// What one round of a model takes.
Json model_json(const PlannedModel& model, const FitForecast* forecast) {
  Json json = {{"name", model.name},
               {"runs", model.num_runs},
               {"inputs", model.num_inputs},
               {"parameters", model.dim},
               {"evaluation_seconds",
                {{"in_block", model.evaluation.in_block_seconds},
                 {"alone", model.evaluation.alone_seconds},
                 {"with_gradient", model.evaluation.gradient_seconds}}},
               {"lanes", model.lanes}};
  if (forecast == nullptr) return json;
  json.update({{"levels", range_json(forecast->levels)},
               {"evaluations", range_json(forecast->evaluations)},
               {"gradients", range_json(forecast->gradients)},
               {"mode_evaluations", range_json(forecast->mode_evaluations)},
               {"chains_per_level", model.shape.num_chains()},
               {"chain_length", model.shape.chain_length()},
               {"tasks_per_level", model.shape.num_tasks()}});
  return json;
}

Json models_json(const FitPlan& plan) {
  Json models = Json::array();
  for (std::size_t k = 0; k < plan.models.size(); ++k) {
    models.push_back(model_json(plan.models[k], plan.work ? &plan.work->forecasts[k] : nullptr));
  }
  return models;
}

// Levels and evaluations are those of the first model; tasks and times of all together.
Json work_json(const FitPlan& plan) {
  if (!plan.work) return {};
  Json times = Json::array();
  for (const WallTime& time : plan.work->times) {
    times.push_back({{"cores", time.cores},
                     {"seconds", range_json(time.seconds)},
                     {"samples_for_all_cores", samples_for_cores(plan, time.cores)}});
  }
  const FitForecast& first = plan.work->forecasts.front();
  const FitShape& shape = plan.models.front().shape;
  return {{"fits", static_cast<int>(plan.models.size()) * plan.work->num_rounds},
          {"levels", range_json(first.levels)},
          {"evaluations", range_json(first.evaluations)},
          {"gradients", range_json(first.gradients)},
          {"mode_evaluations", range_json(first.mode_evaluations)},
          {"lanes", shape.lanes},
          {"chains_per_level", shape.num_chains()},
          {"chain_length", shape.chain_length()},
          {"tasks_per_level", plan.work->num_tasks},
          {"times", times}};
}

Json plan_json(const FitPlan& plan, int threads) {
  const PlannedModel& first = plan.models.front();
  return {{"runs", first.num_runs},
          {"inputs", first.num_inputs},
          {"parameters", first.dim},
          {"evaluation_seconds",
           {{"in_block", first.evaluation.in_block_seconds}, {"alone", first.evaluation.alone_seconds}}},
          {"models", models_json(plan)},
          {"memory_bytes",
           {{"threads", threads},
            {"total", plan.memory.total(threads)},
            {"shared", plan.memory.shared_bytes},
            {"per_thread", plan.memory.bytes_per_thread}}},
          {"work", work_json(plan)},
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
  const FitRequest request = gather_request(command, arguments.settings);
  check_settings(request);
  const Dataset runs = Dataset::read_csv(arguments.runs, request.columns);
  const Machine machine = this_machine(request.context.threads);
  const FitPlan plan = plan_fit(runs, request.settings, cores_to_tell(arguments, machine));
  print_notices(plan.notices, arguments.console);
  if (arguments.json) {
    Output output("", {});
    output.stream() << plan_json(plan, machine.threads).dump(2) << '\n';
    return output.commit();
  }
  print_problem(plan);
  if (plan.work) print_work(plan, machine);
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
  CLI::App& command = *app.add_subcommand("plan", "Estimate what a fit will cost before you start it");
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
      "range that is printed. Several outputs, and the models of an average, are fitted side by side: each is told "
      "of,\n"
      "and times are those of all together. docs/clusters.md tells how to choose cores.\n"
      "Examples:\n"
      "  ta2s2 plan runs.csv --output y\n"
      "  ta2s2 plan runs.csv --output y --samples 20000 --prior reference --cores 8,64");
  command.callback([&command, arguments] { run_plan(command, *arguments); });
}

}  // namespace ta2s2::cli
