#include "ta2s2/experiments/figure_data.hpp"

#include <cmath>

#include "ta2s2/experiments/measured_fit.hpp"
#include "ta2s2/experiments/paper_experiments.hpp"
#include "ta2s2/io/atomic_file.hpp"
#include "ta2s2/io/csv_writer.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

constexpr Index kGridPoints = 141;  // per side: steps of 0.1

std::vector<Setting> levels_model() {
  std::vector<Setting> settings = paper_model();
  settings.push_back({"prior", "reference"});
  settings.push_back({"nugget", "fixed(1e-12)"});
  return settings;
}

// One column of the grid: all of the second coordinate.
Payload grid_column(const GpTarget& target, double first) {
  const Interval box = kDefaultLogPhiBox;
  Matrix points(2, kGridPoints);
  points.row(0).setConstant(first);
  points.row(1) = Vector::LinSpaced(kGridPoints, box.low, box.high).transpose();
  std::vector<Energy> energies(kGridPoints);
  target.energies(points, *target.make_workspace(), energies);
  Payload totals;
  for (const Energy& energy : energies) totals.push_back(energy.total());
  return totals;
}

}  // namespace

void write_draws(const std::filesystem::path& path, const MemberRecord& record) {
  AtomicFile file(path);
  std::vector<std::string> names = record.sample.names;
  names.insert(names.end(), {"energy", "weight"});
  write_csv_header(file.stream(), names);
  Matrix rows(record.sample.size(), record.sample.positions.rows() + 2);
  rows << record.sample.positions.transpose(), record.sample.energies, record.sample.weights;
  write_csv_rows(file.stream(), rows);
  file.commit();
}

void write_map(const std::filesystem::path& path, const MemberRecord& record) {
  AtomicFile file(path);
  std::vector<std::string> names = record.sample.names;
  names.push_back("energy");
  write_csv_header(file.stream(), names);
  Matrix row(1, record.map.position.size() + 1);
  row << record.map.position.transpose(), record.map.energy;
  write_csv_rows(file.stream(), row);
  file.commit();
}

void write_franke_levels(const std::filesystem::path& path, const OutputRuns& runs, Executor& executor) {
  const GpTarget target = make_target(runs, Scaling::from(runs, {}), options_with(levels_model(), 1));
  const Vector grid = Vector::LinSpaced(kGridPoints, kDefaultLogPhiBox.low, kDefaultLogPhiBox.high);
  const std::vector<Payload> columns =
      executor.map(std::vector<double>(kGridPoints, 1.0), [&](Index i, int) { return grid_column(target, grid[i]); });
  AtomicFile file(path);
  std::vector<std::string> names = target.names();
  names.push_back("energy");
  write_csv_header(file.stream(), names);
  for (Index i = 0; i < kGridPoints; ++i) {
    for (Index j = 0; j < kGridPoints; ++j) {
      const double energy = columns[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      write_csv_cells(file.stream(), {cell(grid[i]), cell(grid[j]), std::isinf(energy) ? "" : cell(energy)});
    }
  }
  file.commit();
}

void write_franke_modes(const std::filesystem::path& path, const OutputRuns& runs, Index num_samples,
                        std::uint64_t seed, Executor& executor) {
  FitOptions options = options_with(levels_model(), seed);
  options.annealing.num_samples = num_samples;
  options.annealing.anneal_to_zero = true;
  write_draws(path, fit_runs(runs, options, executor));
}

}  // namespace ta2s2
