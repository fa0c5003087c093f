#include "targets/franke_posterior.hpp"

#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

constexpr Index kNone = -1;

std::shared_ptr<const QuadratureTarget> make(int design, const FitOptions& options, std::vector<Index> num_cells,
                                             Index finer) {
  const std::string csv = "/examples/data/franke_golden_" + std::to_string(design) + ".csv";
  const OutputRuns data = load_runs(TA2S2_SOURCE_DIR + csv, {"y", {}});
  auto target = std::make_shared<const GpTarget>(make_target(data, Scaling::from(data), options));
  if (finer != kNone) num_cells[static_cast<std::size_t>(finer)] *= 2;
  Grid grid{target->space().low(), target->space().high(), std::move(num_cells)};
  return std::make_shared<const QuadratureTarget>(std::move(target), std::move(grid));
}

}  // namespace

std::shared_ptr<const QuadratureTarget> franke_posterior_2d(int design, Index finer) {
  FitOptions options;
  apply_settings(options, {{"correlation", "squared-exponential"},
                           {"trend", "none"},
                           {"nugget", "fixed(1e-6)"},
                           {"prior", "log-uniform"},
                           {"box", "-7,7"}});
  return make(design, options, {160, 160}, finer);
}

std::shared_ptr<const QuadratureTarget> franke_posterior_3d(int design, Index finer) {
  FitOptions options;
  options.box = {-5.0, 4.0};
  options.nugget_box = {-20.0, 6.0};
  return make(design, options, {52, 52, 40}, finer);
}

std::shared_ptr<const QuadratureTarget> franke_posterior_2d(int design) {
  return franke_posterior_2d(design, kNone);
}

std::shared_ptr<const QuadratureTarget> franke_posterior_3d(int design) {
  return franke_posterior_3d(design, kNone);
}

}  // namespace ta2s2
