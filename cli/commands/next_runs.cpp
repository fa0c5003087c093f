#include "ta2s2/workflow/next_runs.hpp"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "console_flags.hpp"
#include "job.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/report/picture.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class NextRunsFormat { csv, json, table };

struct NextRunsArguments {
  ModelChoice model;
  std::string candidates, output, picture, criterion = "imse";
  NextRunsOptions options;
  NextRunsFormat format = NextRunsFormat::csv;
  int threads = 0;
  ConsoleOptions console;
};

// What the columns of a result are called, and its numbers.
struct NextRunsTable {
  std::vector<std::string> names;
  Matrix rows;
};

NextRunsTable as_table(const OutputRuns& data, const CriterionSpec& criterion, const NextRunsReport& report) {
  NextRunsTable table{data.input_names(), Matrix(report.runs.points.rows(), data.num_inputs() + 3)};
  const std::string& y = data.output_name();
  table.names.insert(table.names.end(), {y + "_mean", y + "_sd", y + "_" + info_of(criterion).column});
  table.rows << report.runs.points, report.predicted.mean, report.predicted.sd, report.runs.values;
  return table;
}

void write_json(std::ostream& out, const OutputRuns& data, const CriterionSpec& criterion,
                const NextRunsReport& report) {
  Json points = Json::array();
  for (Index i = 0; i < report.runs.points.rows(); ++i) {
    Json inputs = Json::object();
    for (Index d = 0; d < data.num_inputs(); ++d) {
      inputs[data.input_names()[static_cast<std::size_t>(d)]] = report.runs.points(i, d);
    }
    Json point = {{"inputs", inputs},
                  {"mean", report.predicted.mean[i]},
                  {"sd", report.predicted.sd[i]},
                  {"value", report.runs.values[i]}};
    if (!report.runs.rows.empty()) point["candidate"] = report.runs.rows[static_cast<std::size_t>(i)] + 1;
    points.push_back(std::move(point));
  }
  const CriterionInfo& info = info_of(criterion);
  Json document = {
      {"output", data.output_name()},
      {"criterion", info.name == criterion.name ? info.name : format_spec(criterion.name, {criterion.level})},
      {"value_is", info.meaning},
      {"draws", report.runs.draws},
      {"points", points}};
  if (!report.runs.average_variance.empty()) document["average_variance"] = report.runs.average_variance;
  out << document.dump(2) << '\n';
}

void write_table(std::ostream& out, const NextRunsTable& table, const CriterionSpec& criterion,
                 const NextRunsReport& report) {
  const auto cell = [&](const std::string& text, std::size_t width) {
    out << std::string(text.size() < width ? width - text.size() : 0, ' ') << text;
  };
  const auto width = [](const std::string& name) { return std::max<std::size_t>(name.size() + 2, 13); };
  cell("", 3);
  for (const std::string& name : table.names) cell(name, width(name));
  out << '\n';
  for (Index i = 0; i < table.rows.rows(); ++i) {
    cell(std::to_string(i + 1), 3);
    for (Index j = 0; j < table.rows.cols(); ++j) {
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", table.rows(i, j));
      cell(number, width(table.names[static_cast<std::size_t>(j)]));
    }
    out << '\n';
  }
  out << table.names.back() << ": " << info_of(criterion).meaning << ".\n";
  const std::vector<double>& variance = report.runs.average_variance;
  if (variance.empty()) return;
  char sentence[96];
  std::snprintf(sentence, sizeof sentence, "That average: %.4g now, %.4g expected after these runs.\n",
                variance.front(), variance.back());
  out << sentence;
}

void write_result(const NextRunsArguments& arguments, const OutputRuns& data, const NextRunsReport& report,
                  Output& output) {
  const CriterionSpec& criterion = arguments.options.criterion;
  if (arguments.format == NextRunsFormat::json) return write_json(output.stream(), data, criterion, report);
  const NextRunsTable table = as_table(data, criterion, report);
  if (arguments.format == NextRunsFormat::table) return write_table(output.stream(), table, criterion, report);
  write_csv_header(output.stream(), table.names);
  write_csv_rows(output.stream(), table.rows);
}

PointChosen say_progress(const NextRunsArguments& arguments) {
  const ConsoleOptions& console = arguments.console;
  const bool is_on = console.progress == Progress::plain || (console.progress == Progress::automatic && isatty(2) != 0);
  if (console.quiet || !is_on) return nullptr;
  return [count = arguments.options.count](Index chosen) {
    std::fprintf(stderr, "next-runs: %lld of %lld chosen\n", static_cast<long long>(chosen),
                 static_cast<long long>(count));
  };
}

std::optional<Matrix> load_candidates(const NextRunsArguments& arguments, const OutputRuns& data) {
  if (arguments.candidates.empty()) return std::nullopt;
  return read_points(arguments.candidates, data.input_names());
}

void run_next_runs(NextRunsArguments arguments) {
  arguments.options.criterion = parse_criterion(arguments.criterion);
  constexpr Index kMapSize = 101;
  if (!arguments.picture.empty()) arguments.options.map_size = kMapSize;
  const OutputRecord record = read_output(arguments.model);
  const OutputRuns& data = record.members.front().data;
  const std::optional<Matrix> candidates = load_candidates(arguments, data);
  const std::vector<std::string> inputs = {arguments.model.path, arguments.candidates};
  Output output(arguments.output, inputs);
  std::optional<Output> picture;
  if (!arguments.picture.empty()) picture.emplace(arguments.picture, inputs);
  const std::unique_ptr<Executor> executor = make_executor(arguments.threads, &stop_on_signals());
  const NextRunsReport report =
      next_runs(make_predictive(record), arguments.options, candidates, *executor, say_progress(arguments));
  print_notices(report.notices, arguments.console);
  write_result(arguments, data, report, output);
  if (picture) {
    const std::optional<std::string> drawn = draw_next_runs(data, report.runs, "criterion " + arguments.criterion);
    if (!drawn) {
      throw Error(ErrorCode::cannot_write, arguments.picture +
                                               ": found no gnuplot on the PATH, expected it for a picture (Debian: "
                                               "gnuplot-nox)");
    }
    picture->stream() << *drawn;
    picture->prepare();
  }
  output.prepare();
  if (picture) picture->commit();
  output.commit();
}

std::string criteria_help() {
  std::string names;
  for (const CriterionInfo& info : criteria()) names += (names.empty() ? "" : ", ") + info.name;
  return "what the runs are for: " + names;
}

}  // namespace

void add_next_runs_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("next-runs", "Choose where to run the simulator next");
  const auto arguments = std::make_shared<NextRunsArguments>();
  add_output_choice(command, arguments->model);
  command.add_option("--count", arguments->options.count, "number of runs, chosen together")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--criterion", arguments->criterion, criteria_help())->capture_default_str();
  command.add_option(
      "--candidates", arguments->candidates,
      "CSV file with the model's input columns: choose among its rows instead of anywhere in the ranges");
  command.add_option("-o,--out", arguments->output, "file to write; standard output if not given");
  add_word_option<NextRunsFormat>(
      command, "--format", arguments->format,
      {{"csv", NextRunsFormat::csv}, {"json", NextRunsFormat::json}, {"table", NextRunsFormat::table}},
      "csv (input columns first, ready to run), json, or table (to read)");
  command.add_option("--picture", arguments->picture,
                     "SVG file for a picture of the criterion, with one or two inputs; needs gnuplot");
  command.add_option("--draws", arguments->options.draws, "posterior draws that the criterion is averaged over")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command.add_option("--seed", arguments->options.seed, "of the search and of the chosen draws")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n  ta2s2 next-runs model.json --count 5 -o next.csv\n"
      "  ta2s2 next-runs model.json --criterion ei-min --format table");
  command.callback([arguments] { run_next_runs(*arguments); });
}

}  // namespace ta2s2::cli
