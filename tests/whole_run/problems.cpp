#include "whole_run/problems.hpp"

#include <stdexcept>

#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "targets/banana_target.hpp"
#include "targets/border_target.hpp"
#include "targets/heavy_tails_target.hpp"
#include "targets/normal_modes_target.hpp"
#include "targets/quadrature_target.hpp"
#include "targets/skewed_target.hpp"

namespace ta2s2::whole_run {
namespace {

OutputRuns franke_runs(int design) {
  const std::string csv = "/examples/data/franke_golden_" + std::to_string(design) + ".csv";
  return load_runs(TA2S2_SOURCE_DIR + csv, {"y", {}});
}

FitOptions franke_options(Index dim) {
  FitOptions options;
  if (dim == 2) {
    apply_settings(
        options,
        {{"correlation", "squared-exponential"}, {"trend", "none"}, {"nugget", "fixed(1e-6)"}, {"box", "-7,7"}});
    return options;
  }
  apply_settings(options,
                 {{"correlation", "matern52"}, {"trend", "constant"}, {"nugget", "log-uniform"}, {"box", "-5,4"}});
  options.nugget_box = {-20.0, 6.0};
  return options;
}

template <typename Target>
NamedProblem known(const std::string& name, Target target) {
  auto shared = std::make_shared<const Target>(std::move(target));
  return {name + "_d" + std::to_string(shared->dim()), [shared]() -> Problem { return {shared, shared}; }};
}

NamedProblem franke(Index dim, int design, const std::string& prior) {
  return {"Franke_d" + std::to_string(dim) + "_design" + std::to_string(design) + "_" + prior,
          [=] { return franke_problem(dim, design, prior); }};
}

}  // namespace

Problem franke_problem(Index dim, int design, const std::string& prior, Index fineness) {
  FitOptions options = franke_options(dim);
  apply_settings(options, {{"prior", prior}});
  const OutputRuns data = franke_runs(design);
  auto target = std::make_shared<const GpTarget>(make_target(data, Scaling::from(data), options));
  std::vector<Index> num_cells = dim == 2 ? std::vector<Index>{160, 160} : std::vector<Index>{52, 52, 40};
  for (Index& count : num_cells) count *= fineness;
  const Grid grid{target->space().low(), target->space().high(), std::move(num_cells)};
  return {target, std::make_shared<const QuadratureTarget>(target, grid)};
}

std::vector<NamedProblem> problems() {
  std::vector<NamedProblem> all;
  for (const Index dim : {2, 3}) {
    for (const int design : {1, 2, 3}) {
      for (const std::string prior : {"log-uniform", "jointly-robust"}) all.push_back(franke(dim, design, prior));
    }
  }
  all.push_back(known("Skewed", SkewedTarget(1)));
  all.push_back(known("TwoModes", NormalModesTarget::two(2)));
  all.push_back(known("HeavyTails", HeavyTailsTarget(2)));
  all.push_back(known("Border", BorderTarget(2)));
  all.push_back(known("TwoModes", NormalModesTarget::two(10)));
  all.push_back(known("ThreeModes", NormalModesTarget::three(10)));
  all.push_back(known("Banana", BananaTarget(10)));
  return all;
}

Problem make_problem(const std::string& name) {
  for (const NamedProblem& problem : problems()) {
    if (problem.name == name) return problem.make();
  }
  throw std::out_of_range("no problem is named " + name);
}

}  // namespace ta2s2::whole_run
