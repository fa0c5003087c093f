#include "ta2s2/design.hpp"

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

struct DesignArguments {
  DesignOptions options;
  Index num_inputs = 0;
  std::string ranges, output;
};

std::vector<InputRange> unit_ranges(Index count) {
  std::vector<InputRange> ranges;
  for (Index i = 1; i <= count; ++i) ranges.push_back({"x" + std::to_string(i), 0.0, 1.0});
  return ranges;
}

std::vector<InputRange> ranges_for(const DesignArguments& arguments) {
  if (arguments.ranges.empty()) {
    if (arguments.num_inputs > 0) return unit_ranges(arguments.num_inputs);
    throw Error(ErrorCode::usage,
                "design: found neither --inputs nor --ranges, expected the number of inputs or a file");
  }
  std::vector<InputRange> ranges = read_ranges(arguments.ranges);
  if (arguments.num_inputs > 0 && arguments.num_inputs != static_cast<Index>(ranges.size())) {
    throw Error(ErrorCode::usage, arguments.ranges + ": found " + std::to_string(ranges.size()) + " ranges, expected " +
                                      std::to_string(arguments.num_inputs) + " (--inputs)");
  }
  return ranges;
}

void run_design(DesignArguments arguments) {
  const std::vector<InputRange> ranges = ranges_for(arguments);
  arguments.options.inputs = static_cast<Index>(ranges.size());
  const Matrix design = to_ranges(make_design(arguments.options), ranges);
  Output output(arguments.output, {arguments.ranges});
  std::vector<std::string> names;
  for (const InputRange& range : ranges) names.push_back(range.name);
  write_csv_header(output.stream(), names);
  write_csv_rows(output.stream(), design);
  output.commit();
}

}  // namespace

void add_design_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("design", "Choose where to run the simulator");
  const auto arguments = std::make_shared<DesignArguments>();
  command.add_option("--inputs", arguments->num_inputs, "number of inputs, named x1, x2, ... on [0, 1]")
      ->check(CLI::Range(1, 1000));
  command.add_option(
      "--ranges", arguments->ranges,
      "CSV file with columns name,min,max and perhaps scale (linear or log): the inputs and their ranges");
  command.add_option("--runs", arguments->options.runs, "number of runs")->required()->check(CLI::Range(1, 1'000'000));
  add_word_option<DesignKind>(
      command, "--kind", arguments->options.kind,
      {{"maximin", DesignKind::maximin}, {"random", DesignKind::random}, {"sobol", DesignKind::sobol}},
      "maximin or random Latin hypercube, or sobol sequence");
  command.add_option("--seed", arguments->options.seed, "one seed gives one design")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("-o,--out", arguments->output, "CSV file to write; standard output if not given");
  command.footer("Example:\n  ta2s2 design --ranges ranges.csv --runs 50 -o design.csv");
  command.callback([arguments] { run_design(*arguments); });
}

}  // namespace ta2s2::cli
