// The test functions against values of the same formulas, written again with mpmath, and their published minima.
#include <gtest/gtest.h>

#include <set>

#include "golden/golden_file.hpp"
#include "lab/simulators.hpp"

namespace ta2s2 {
namespace {

TEST(TestFunctions, EqualIndependentValuesOnTheirPublishedRanges) {
  const golden::Json file = golden::load("test_functions.json");
  std::set<std::string> covered;
  for (const auto& entry : file.at("functions")) {
    const lab::Simulator& simulator = lab::find_simulator(entry.at("name"));
    SCOPED_TRACE(simulator.name);
    covered.insert(simulator.name);
    const Matrix ranges = golden::to_matrix(entry.at("ranges"));
    ASSERT_EQ(ranges.rows(), simulator.num_inputs());
    for (Index d = 0; d < ranges.rows(); ++d) {
      EXPECT_DOUBLE_EQ(simulator.inputs[static_cast<std::size_t>(d)].low, ranges(d, 0));
      EXPECT_DOUBLE_EQ(simulator.inputs[static_cast<std::size_t>(d)].high, ranges(d, 1));
    }
    const OutputRuns runs = lab::run_simulator(simulator, golden::to_matrix(entry.at("X")));
    const Vector truth = golden::to_vector(entry.at("y"));
    // A few dozen roundings, of terms that may be some hundred times their sum (piston, Goldstein-Price).
    for (Index i = 0; i < truth.size(); ++i) {
      EXPECT_NEAR(runs.output()[i], truth[i], 1e-12 * std::max(1.0, std::abs(truth[i])));
    }
  }
  EXPECT_EQ(covered.size(), lab::simulators().size()) << "a function has no golden value";
}

struct PublishedMinimum {
  std::string simulator;
  Vector where;
  double value;
  double error;  // half a unit of the last published digit, or of what the published place leaves
};

TEST(TestFunctions, HaveTheirPublishedMinima) {
  const std::vector<PublishedMinimum> published = {
      {"branin", Vector{{-3.14159265358979, 12.275}}, 0.397887, 5e-7},
      {"branin", Vector{{9.42478, 2.475}}, 0.397887, 5e-7},
      {"goldstein-price", Vector{{0.0, -1.0}}, 3.0, 1e-13},
      {"hartmann3", Vector{{0.114614, 0.555649, 0.852547}}, -3.86278, 5e-6},
      {"hartmann6", Vector{{0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573}}, -3.32237, 5e-6},
      {"forrester", Vector{{0.757249}}, -6.02074, 5e-6},
  };
  for (const PublishedMinimum& minimum : published) {
    EXPECT_NEAR(lab::find_simulator(minimum.simulator).run(minimum.where), minimum.value, minimum.error)
        << minimum.simulator;
  }
}

}  // namespace
}  // namespace ta2s2
