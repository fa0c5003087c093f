#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class NextRunsFormat { csv, json, table };

struct NextRunsArguments {
  EmulatorChoice model;
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

NextRunsTable as_table(const Emulator& emulator, const CriterionSpec& criterion, const NextRuns& next) {
  NextRunsTable table{emulator.input_names(), Matrix(next.points.rows(), next.points.cols() + 3)};
  const std::string y = emulator.output_names().front();
  table.names.insert(table.names.end(), {y + "_mean", y + "_sd", y + "_" + info_of(criterion).column});
  table.rows << next.points, next.mean, next.sd, next.values;
  return table;
}

void write_json(std::ostream& out, const Emulator& emulator, const CriterionSpec& criterion, const NextRuns& next) {
  const std::vector<std::string> names = emulator.input_names();
  Json points = Json::array();
  for (Index i = 0; i < next.points.rows(); ++i) {
    Json inputs = Json::object();
    for (Index d = 0; d < next.points.cols(); ++d) {
      inputs[names[static_cast<std::size_t>(d)]] = next.points(i, d);
    }
    Json point = {{"inputs", inputs}, {"mean", next.mean[i]}, {"sd", next.sd[i]}, {"value", next.values[i]}};
    if (!next.rows.empty()) point["candidate"] = next.rows[static_cast<std::size_t>(i)] + 1;
    points.push_back(std::move(point));
  }
  const CriterionInfo& info = info_of(criterion);
  Json document = {{"output", emulator.output_names().front()},
                   {"criterion", to_text(criterion)},
                   {"value_is", info.meaning},
                   {"draws", next.draws},
                   {"points", points}};
  if (!next.average_variance.empty()) document["average_variance"] = next.average_variance;
  out << document.dump(2) << '\n';
}

void write_table(std::ostream& out, const NextRunsTable& table, const CriterionSpec& criterion, const NextRuns& next) {
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
  const std::vector<double>& variance = next.average_variance;
  if (variance.empty()) return;
  char sentence[96];
  std::snprintf(sentence, sizeof sentence, "That average: %.4g now, %.4g expected after these runs.\n",
                variance.front(), variance.back());
  out << sentence;
}

void write_result(const NextRunsArguments& arguments, const Emulator& emulator, const NextRuns& next, Output& output) {
  const CriterionSpec& criterion = arguments.options.criterion;
  if (arguments.format == NextRunsFormat::json) return write_json(output.stream(), emulator, criterion, next);
  const NextRunsTable table = as_table(emulator, criterion, next);
  if (arguments.format == NextRunsFormat::table) return write_table(output.stream(), table, criterion, next);
  write_csv_header(output.stream(), table.names);
  write_csv_rows(output.stream(), table.rows);
}

void run_next_runs(NextRunsArguments arguments) {
  arguments.options.criterion = parse_criterion(arguments.criterion);
  constexpr Index kMapSize = 101;
  if (!arguments.picture.empty()) arguments.options.map_size = kMapSize;
  const Emulator emulator = arguments.model.load().output(arguments.model.output);
  std::optional<Matrix> candidates;
  if (!arguments.candidates.empty()) candidates = read_points(arguments.candidates, emulator.input_names());
  const std::vector<std::string> inputs = {arguments.model.path, arguments.candidates};
  Output output(arguments.output, inputs);
  std::optional<Output> picture;
  if (!arguments.picture.empty()) picture.emplace(arguments.picture, inputs);
  const NextRuns next =
      emulator.next_runs(arguments.options, candidates, make_context(arguments.console, arguments.threads));
  print_notices(next.notices, arguments.console);
  write_result(arguments, emulator, next, output);
  if (picture) {
    const std::optional<std::string> drawn = emulator.draw_next_runs(next, "criterion " + arguments.criterion);
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
  add_threads(command, arguments->threads);
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n  ta2s2 next-runs model.json --count 5 -o next.csv\n"
      "  ta2s2 next-runs model.json --criterion ei-min --format table");
  command.callback([arguments] { run_next_runs(*arguments); });
}

}  // namespace ta2s2::cli
