#include "lab/figures.hpp"

#include <cmath>

#include "lab/figure_parts.hpp"
#include "lab/measured_fit.hpp"
#include "lab/paper.hpp"
#include "lab/results.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/report/picture.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2::lab {
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

namespace {

const char* const kNoGnuplot =
    "no figure was drawn: found no gnuplot on the PATH (Debian: gnuplot-nox); the tables are complete without";

std::vector<Figure> figures_of(const std::filesystem::path& folder) {
  std::vector<Figure> figures;
  if (std::filesystem::exists(folder / "results.csv")) {
    figures = crps_figures(FigureTable(folder / "results.csv"));
  }
  for (Figure& figure : scatter_figures(folder)) figures.push_back(std::move(figure));
  if (std::optional<Figure> levels = levels_figure(folder)) figures.push_back(std::move(*levels));
  return figures;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.stream() << text;
  file.commit();
}

// False if there is no gnuplot. The figure appears whole or not at all.
bool draw(const Figure& figure, const std::filesystem::path& folder) {
  const std::filesystem::path kept = folder / "figures", data = kept / (figure.name + ".dat"),
                              script = kept / (figure.script + ".gp"), partial = kept / (figure.name + ".svg");
  write_file(data, figure.data);
  write_file(script, lab_files().at("style.gp") + lab_files().at(figure.script + ".gp"));
  std::vector<std::string> arguments{"-d", "-c", script.string(), data.string(), partial.string()};
  arguments.insert(arguments.end(), figure.arguments.begin(), figure.arguments.end());
  const std::optional<int> status = run_gnuplot(arguments);
  if (!status) return false;
  if (*status != 0) {
    throw Error(ErrorCode::cannot_write, (folder / figure.name).string() +
                                             ".svg: gnuplot could not draw it (exit code " + std::to_string(*status) +
                                             ")");
  }
  std::filesystem::rename(partial, folder / partial.filename());
  return true;
}

}  // namespace

FigureReport draw_figures(const std::filesystem::path& folder) {
  FigureReport report;
  make_folder(folder / "figures");
  for (const Figure& figure : figures_of(folder)) {
    if (!draw(figure, folder)) {
      report.notice = kNoGnuplot;
      break;
    }
    report.drawn.push_back(folder / (figure.name + ".svg"));
  }
  return report;
}

}  // namespace ta2s2::lab
