#include "lab/paper.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lab/simulators.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "unit/data/caught_error.hpp"

namespace ta2s2::lab {
namespace {

std::vector<std::string> names(const std::string& list) {
  std::vector<std::string> found;
  for (const System& system : choose_systems(list)) found.push_back(system.name);
  return found;
}

TEST(Systems, AreChosenByName) {
  EXPECT_EQ(names("map, exact"), (std::vector<std::string>{"exact", "map"}));
  EXPECT_EQ(names("all").size(), systems().size());
  EXPECT_LT(names("").size(), systems().size());
  EXPECT_EQ(names("").front(), kReferenceSystem);
}

TEST(Systems, AnUnknownOneIsRefused) {
  const std::string message = test::message_of(ErrorCode::usage, [] { choose_systems("exact,exakt"); });
  test::expect_parts(message, {"--systems", "\"exakt\"", "expected", "exact", "published"});
}

TEST(Systems, AreValidSettings) {
  for (const System& system : systems()) {
    FitOptions options;
    apply_settings(options, system.settings);
    EXPECT_NO_THROW(ValidFitOptions{options}) << system.name;
  }
}

std::filesystem::path example(const std::string& name) {
  return std::filesystem::path(TA2S2_SOURCE_DIR) / "examples" / "data" / (name + ".csv");
}

const PaperExperiment& experiment(const std::string& name) {
  for (const PaperExperiment& found : paper_experiments()) {
    if (found.name == name) return found;
  }
  throw std::logic_error(name);
}

TEST(TestProblem, TheFirstFiveDesignsAreTheShippedOnes) {
  for (const auto& [name, file] : {std::pair("franke", "franke"), std::pair("wing-weight", "wing_weight")}) {
    for (int design = 1; design <= 5; ++design) {
      const TestProblem problem = experiment(name).problem(design, {});
      EXPECT_EQ(problem.train.fingerprint(),
                load_runs(example(file + ("_train_" + std::to_string(design))), {problem.train.output_name(), {}})
                    .fingerprint());
      EXPECT_EQ(problem.test.fingerprint(),
                load_runs(example(file + std::string("_test")), {problem.test.output_name(), {}}).fingerprint());
    }
  }
}

// The shipped outputs were computed in Python: the test functions here are the same.
TEST(TestProblem, ShippedRunsAreRunsOfTheSimulator) {
  for (const auto& [name, file] :
       {std::pair("franke", "franke_train_1"), std::pair("wing-weight", "wing_weight_train_1")}) {
    const Simulator& simulator = find_simulator(name);
    const OutputRuns shipped = shipped_runs(simulator, file).value();
    const OutputRuns again = run_simulator(simulator, shipped.inputs());
    EXPECT_TRUE(again.output().isApprox(shipped.output(), 1e-14)) << name;
  }
}

TEST(TestProblem, LaterDesignsAreLatinHypercubesOfTheirOwn) {
  std::set<std::string> seen;
  for (const char* name : {"franke", "wing-weight"}) {
    const Index num_runs = experiment(name).problem(1, {}).train.num_runs();
    for (int design = 6; design <= 8; ++design) {
      const TestProblem problem = experiment(name).problem(design, {});
      EXPECT_EQ(problem.train.num_runs(), num_runs);
      EXPECT_TRUE(seen.insert(problem.train.fingerprint()).second);
      const InputRange& range = find_simulator(name).inputs.front();
      std::set<int> strata;
      for (const double x : problem.train.inputs().col(0)) {
        strata.insert(static_cast<int>((x - range.low) / (range.high - range.low) * static_cast<double>(num_runs)));
      }
      EXPECT_EQ(strata.size(), static_cast<std::size_t>(num_runs));
    }
  }
}

TEST(TestProblem, TrainingAndTestDesignsDiffer) {
  const Simulator& simulator = find_simulator("branin");
  const OutputRuns train = simulate_training_runs(simulator, 20, 1), test = simulate_test_runs(simulator, 20, 1);
  EXPECT_NE(train.fingerprint(), test.fingerprint());
  EXPECT_EQ(train.fingerprint(), simulate_training_runs(simulator, 20, 1).fingerprint());
}

TEST(TestProblem, MissingRunsAreNamed) {
  const std::string message =
      test::message_of(ErrorCode::bad_file, [] { load_nilson_kuusk("there_is_no_such_folder"); });
  test::expect_parts(message, {"nilson-kuusk", "there_is_no_such_folder", "expected", "agarbuno/ta2s2_codes"});
  test::message_of(ErrorCode::bad_file, [] { load_nilson_kuusk(""); });
}

}  // namespace
}  // namespace ta2s2::lab
