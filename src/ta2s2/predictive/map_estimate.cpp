#include "ta2s2/predictive/map_estimate.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

// Energies of the columns.
using Evaluate = std::function<std::vector<Energy>(const Matrix&)>;

// NLopt wants finite numbers: an impossible point is merely very bad.
constexpr double kImpossibleEnergy = 1e100;
// Of a difference, in z: its square is the error of a derivative, and H is known to 1e-10 or so.
constexpr double kStep = 3e-4;

struct Search {
  const Evaluate& evaluate;
  const Box& box;
  MapEstimate best;
  bool met_impossible = false;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr failure = nullptr;

  std::vector<double> energies(const Matrix& points) {
    std::vector<double> totals;
    for (const Energy& energy : evaluate(points)) totals.push_back(energy.total());
    best.evaluations += static_cast<int>(totals.size());
    return totals;
  }

  double keep(const Vector& position, double energy) {
    if (energy < best.energy) {
      best.energy = energy;
      best.position = position;
    }
    return std::min(energy, kImpossibleEnergy);
  }

  // By central differences, shorter at the border.
  double energy_and_gradient(const Vector& position, double* gradient) {
    const Index d = position.size();
    Matrix points = position.replicate(1, 2 * d + 1);
    for (Index i = 0; i < d; ++i) {
      points(i, 2 * i) = std::max(position[i] - kStep, box.low[i]);
      points(i, 2 * i + 1) = std::min(position[i] + kStep, box.high[i]);
    }
    const std::vector<double> found = energies(points);
    for (Index i = 0; i < d; ++i) {
      const double below = found[static_cast<std::size_t>(2 * i)], above = found[static_cast<std::size_t>(2 * i + 1)];
      const bool is_known = std::isfinite(below) && std::isfinite(above);
      gradient[i] = is_known ? (above - below) / (points(i, 2 * i + 1) - points(i, 2 * i)) : 0.0;
      met_impossible = met_impossible || !is_known;
    }
    return keep(position, found.back());
  }
};

// NLopt is written in C: an exception goes round it.
double objective(unsigned dim, const double* x, double* gradient, void* data) {
  auto& search = *static_cast<Search*>(data);
  try {
    const Vector position = Eigen::Map<const Vector>(x, static_cast<Index>(dim));
    if (gradient != nullptr) return search.energy_and_gradient(position, gradient);
    return search.keep(position, search.energies(position).front());
  } catch (...) {
    search.failure = std::current_exception();
    nlopt_force_stop(search.optimiser);
    if (gradient != nullptr) std::fill_n(gradient, dim, 0.0);
    return kImpossibleEnergy;
  }
}

nlopt_result run(nlopt_algorithm algorithm, int max_evaluations, Search& search) {
  const auto dim = static_cast<unsigned>(search.best.position.size());
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(nlopt_create(algorithm, dim), &nlopt_destroy);
  search.optimiser = optimiser.get();
  nlopt_set_lower_bounds(optimiser.get(), search.box.low.data());
  nlopt_set_upper_bounds(optimiser.get(), search.box.high.data());
  nlopt_set_min_objective(optimiser.get(), &objective, &search);
  nlopt_set_initial_step1(optimiser.get(), 0.3);
  nlopt_set_xtol_abs1(optimiser.get(), 1e-5);
  nlopt_set_ftol_abs(optimiser.get(), 1e-9);
  nlopt_set_maxeval(optimiser.get(), max_evaluations);
  Vector x = search.best.position.cwiseMax(search.box.low).cwiseMin(search.box.high);
  double value = 0.0;
  const nlopt_result result = nlopt_optimize(optimiser.get(), x.data(), &value);
  if (search.failure) std::rethrow_exception(search.failure);
  return result;
}

MapEstimate refine_by(const Evaluate& evaluate, const Box& box, const Vector& start) {
  Search search{.evaluate = evaluate, .box = box, .best = {start, kInfinity, 0}};
  search.best.energy = search.energies(start).front();
  const int dim = static_cast<int>(start.size());
  const nlopt_result by_gradient = run(NLOPT_LD_SLSQP, 200 + 20 * dim, search);
  if (by_gradient > 0 && !search.met_impossible) return search.best;
  const nlopt_result by_simplices = run(NLOPT_LN_SBPLX, 500 + 250 * dim, search);
  // A roundoff-limited search has still found its best point; anything else below zero is our mistake.
  if (by_simplices < 0 && by_simplices != NLOPT_ROUNDOFF_LIMITED) {
    throw Error(ErrorCode::internal,
                "the search for the MAP failed (NLopt result " + std::to_string(by_simplices) + ")");
  }
  return search.best;
}

}  // namespace

MapEstimate refine(const Box& box, const Vector& start, const PointEvaluator& evaluate) {
  return refine_by(std::ref(evaluate), box, start);
}

MapEstimate refine(const TargetDensity& target, const Box& box, const Vector& start) {
  const auto workspace = target.make_workspace();
  const auto evaluate = [&](const Matrix& points) {
    std::vector<Energy> energies(static_cast<std::size_t>(points.cols()));
    target.energies(points, *workspace, energies);
    return energies;
  };
  return refine_by(evaluate, box, start);
}

}  // namespace ta2s2
