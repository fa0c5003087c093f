#include "ta2s2/emulator/map_estimate.hpp"

#include <nlopt.h>

#include <algorithm>
#include <array>
#include <exception>

#include "ta2s2/base/error.hpp"

namespace ta2s2 {
namespace {

struct Search {
  const TargetDensity& target;
  std::unique_ptr<Workspace> workspace;
  MapEstimate best;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr failure = nullptr;

  double energy(const Vector& position) {
    std::array<Energy, 1> out;
    target.energies(position, *workspace, out);
    ++best.evaluations;
    return out[0].total();
  }
};

// NLopt is written in C: an exception goes round it.
double energy_or_stop(Search& search, const Vector& position) {
  try {
    return search.energy(position);
  } catch (...) {
    search.failure = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return kInfinity;
  }
}

// NLopt wants finite numbers: an impossible point is merely very bad.
constexpr double kImpossibleEnergy = 1e100;

double objective(unsigned dim, const double* x, double*, void* data) {
  auto& search = *static_cast<Search*>(data);
  const Vector position = Eigen::Map<const Vector>(x, static_cast<Index>(dim));
  const double energy = energy_or_stop(search, position);
  if (energy < search.best.energy) {
    search.best.energy = energy;
    search.best.position = position;
  }
  return std::min(energy, kImpossibleEnergy);
}

}  // namespace

MapEstimate refine(const TargetDensity& target, const Box& box, const Vector& start) {
  Search search{.target = target, .workspace = target.make_workspace(), .best = {start, kInfinity, 0}};
  search.best.energy = search.energy(start);
  const auto dim = static_cast<unsigned>(start.size());
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(nlopt_create(NLOPT_LN_SBPLX, dim),
                                                                         &nlopt_destroy);
  search.optimiser = optimiser.get();
  nlopt_set_lower_bounds(optimiser.get(), box.low.data());
  nlopt_set_upper_bounds(optimiser.get(), box.high.data());
  nlopt_set_min_objective(optimiser.get(), &objective, &search);
  nlopt_set_initial_step1(optimiser.get(), 0.3);
  nlopt_set_xtol_abs1(optimiser.get(), 1e-5);
  nlopt_set_ftol_abs(optimiser.get(), 1e-9);
  nlopt_set_maxeval(optimiser.get(), 500 + 250 * static_cast<int>(dim));
  Vector x = start.cwiseMax(box.low).cwiseMin(box.high);
  double value = 0.0;
  const nlopt_result result = nlopt_optimize(optimiser.get(), x.data(), &value);
  if (search.failure) std::rethrow_exception(search.failure);
  // A roundoff-limited search has still found its best point; anything else below zero is our mistake.
  if (result < 0 && result != NLOPT_ROUNDOFF_LIMITED) {
    throw Error(ErrorCode::internal, "the search for the MAP failed (NLopt result " + std::to_string(result) + ")");
  }
  return search.best;
}

}  // namespace ta2s2
