#include "lab/test_problem.hpp"

#include <sstream>

#include "ta2s2/design.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2::lab {
namespace {

// The upper half of a design's seed. Part of the seed contract: never renumber them.
enum class Role : std::uint64_t { training = 1, test = 2 };

OutputRuns simulate(const Simulator& simulator, Index num_runs, Role role, std::uint64_t design) {
  const std::uint64_t seed = (static_cast<std::uint64_t>(role) << 32) + design;
  const Matrix unit = make_design({simulator.num_inputs(), num_runs, DesignKind::random, seed});
  return run_simulator(simulator, to_ranges(unit, simulator.inputs));
}

}  // namespace

OutputRuns simulate_training_runs(const Simulator& simulator, Index num_runs, std::uint64_t design) {
  return simulate(simulator, num_runs, Role::training, design);
}

OutputRuns simulate_test_runs(const Simulator& simulator, Index num_runs, std::uint64_t design) {
  return simulate(simulator, num_runs, Role::test, design);
}

std::optional<OutputRuns> shipped_runs(const Simulator& simulator, const std::string& file) {
  const auto found = lab_files().find(file + ".csv");
  if (found == lab_files().end()) return std::nullopt;
  std::istringstream lines(found->second);
  std::string line;
  std::getline(lines, line);  // the names of the columns: inputs, then the output
  std::vector<double> numbers;
  while (std::getline(lines, line)) {
    for (const std::string& number : split(line, ',')) numbers.push_back(parse_number(number, file));
  }
  const Index width = simulator.num_inputs() + 1;
  const Eigen::Map<const Matrix> columns(numbers.data(), width, static_cast<Index>(numbers.size()) / width);
  std::vector<std::string> names;
  for (const InputRange& range : simulator.inputs) names.push_back(range.name);
  return OutputRuns(columns.topRows(width - 1).transpose(), columns.row(width - 1).transpose(), names,
                    simulator.output);
}

TestProblem load_nilson_kuusk(const std::filesystem::path& folder) {
  const std::filesystem::path train = folder / "nilson_kuusk" / "train.csv";
  const std::filesystem::path test = folder / "nilson_kuusk" / "test.csv";
  if (folder.empty() || !std::filesystem::exists(train) || !std::filesystem::exists(test)) {
    throw Error(ErrorCode::bad_file,
                "nilson-kuusk: found no nilson_kuusk/train.csv and test.csv" +
                    (folder.empty() ? std::string(" (neither --data nor TA2S2_DATA names a folder)")
                                    : " in " + folder.string()) +
                    "; expected the sample data of the paper's authors (GitHub repository agarbuno/ta2s2_codes), as "
                    "the README says");
  }
  OutputRuns runs = load_runs(train, {"reflectance", {}});
  OutputRuns tests = load_test_runs(test, runs.input_names(), runs.output_name());
  return {std::move(runs), std::move(tests)};
}

}  // namespace ta2s2::lab
