#include "gp_cases.hpp"

#include "lab/simulators.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2::bench {
namespace {

const std::vector<Setting> kAsPaper = {
    {"correlation", "squared-exponential"}, {"prior", "log-uniform"}, {"trend", "none"}, {"nugget", "fixed(1e-6)"}};

}  // namespace

const std::vector<GpCase>& training_cases() {
  static const std::vector<GpCase> cases = {
      {"damped sine, 10 runs", "damped-sine", 10, 1, {}},
      {"Franke, 20 runs", "franke", 20, 1, {}},
      {"Franke, 20 runs, paper's model", "franke", 20, 2, kAsPaper},
      {"Branin, 15 runs", "branin", 15, 3, {}},
      {"Ishigami, 40 runs", "ishigami", 40, 4, {}},
      {"Park, 30 runs", "park", 30, 5, {}},
      {"Friedman, 40 runs", "friedman", 40, 6, {}},
      {"Hartmann, 50 runs", "hartmann6", 50, 7, {}},
      {"piston, 50 runs", "piston", 50, 8, {}},
      {"borehole, 60 runs", "borehole", 60, 9, {}},
      {"wing weight, 80 runs", "wing-weight", 80, 10, {}},
  };
  return cases;
}

const std::vector<GpCase>& confirmation_cases() {
  static const std::vector<GpCase> cases = {
      {"Forrester, 8 runs", "forrester", 8, 21, {}},
      {"Currin, 20 runs", "currin", 20, 22, {}},
      {"Franke, 25 runs, paper's model", "franke", 25, 23, kAsPaper},
      {"curved, 30 runs", "dette-pepelyshev-curved", 30, 24, {}},
      {"g function, 40 runs", "g-function", 40, 25, {}},
      {"OTL circuit, 40 runs", "otl-circuit", 40, 26, {}},
      {"robot arm, 60 runs", "robot-arm", 60, 27, {}},
      {"g function 10, 80 runs", "g-function-10", 80, 28, {}},
  };
  return cases;
}

GpTarget make_case(const GpCase& gp_case) {
  const lab::Simulator& simulator = lab::find_simulator(gp_case.simulator);
  const Matrix unit = make_design({simulator.num_inputs(), gp_case.num_runs, DesignKind::random, gp_case.design_seed});
  const OutputRuns data = lab::run_simulator(simulator, to_ranges(unit, simulator.inputs));
  FitOptions options;
  apply_settings(options, gp_case.settings);
  return make_target(data, Scaling::from(data, {}), options);
}

}  // namespace ta2s2::bench
