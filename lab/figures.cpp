#include "lab/figures.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "lab/paper.hpp"
#include "lab/results.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/execution.hpp"
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
  options.samples = num_samples;
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

bool FigureTable::has(const std::string& column) const {
  return contains(table_.names, column);
}

std::size_t FigureTable::index_of(const std::string& column) const {
  const auto found = std::ranges::find(table_.names, column);
  if (found != table_.names.end()) return static_cast<std::size_t>(found - table_.names.begin());
  throw Error(ErrorCode::bad_data, table_.path + ", line " + std::to_string(table_.header_line) +
                                       ": found no column \"" + column + "\", expected one to draw a figure from");
}

const std::string& FigureTable::text(std::size_t row, const std::string& column) const {
  return table_.rows[row].cells[index_of(column)];
}

double FigureTable::number(std::size_t row, const std::string& column) const {
  const std::string& cell = text(row, column);
  if (cell.empty()) return kNoNumber;
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  throw Error(ErrorCode::bad_data, table_.path + ", line " + std::to_string(table_.rows[row].line) + ", column \"" +
                                       column + "\": found \"" + cell + "\", expected a number");
}

std::vector<double> FigureTable::numbers(const std::string& column) const {
  std::vector<double> values;
  for (std::size_t row = 0; row < size(); ++row) values.push_back(number(row, column));
  return values;
}

namespace {

struct NamedStyle {
  const char* system;
  SystemStyle style;
};

// Okabe and Ito (2008); their yellow darkened to be seen on white, and greys for black, on which no median would show.
constexpr std::array<NamedStyle, 9> kStyles{{
    {"exact", {0x0072B2, 7, 6}},
    {"published", {0xD55E00, 5, 4}},
    {"map", {0x555555, 2, 2}},
    {"plgp", {0xE69F00, 9, 8}},
    {"tmcmc", {0x56B4E9, 11, 10}},
    {"aims", {0x009E73, 13, 12}},
    {"slice", {0xCC79A7, 15, 14}},
    {"elliptical", {0x999999, 3, 3}},
    {"nuts", {0x9A8F00, 1, 1}},
}};
constexpr SystemStyle kOther{0x555555, 1, 1};

std::size_t rank_of(const std::string& system) {
  const auto found = std::ranges::find_if(kStyles, [&](const NamedStyle& style) { return style.system == system; });
  return static_cast<std::size_t>(found - kStyles.begin());
}

}  // namespace

SystemStyle style_of(const std::string& system) {
  const std::size_t rank = rank_of(system);
  return rank < kStyles.size() ? kStyles[rank].style : kOther;
}

std::vector<std::string> in_order_of_style(const std::vector<std::string>& systems) {
  std::vector<std::string> names = once(systems);
  std::ranges::stable_sort(names, {}, rank_of);
  return names;
}

namespace {

const std::string kPrefix = "log_phi_";

std::vector<double> normalised_weights(const FigureTable& table, const std::filesystem::path& path) {
  if (!table.has("weight")) return std::vector<double>(table.size(), 1.0 / static_cast<double>(table.size()));
  std::vector<double> weights = table.numbers("weight");
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0.0))
    throw Error(ErrorCode::bad_data,
                path.string() + ": found weights that sum to " + std::to_string(sum) + ", expected a positive sum");
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

LengthScaleDraws read_length_scale_draws(const std::filesystem::path& path) {
  const FigureTable table(path);
  LengthScaleDraws draws;
  for (const std::string& name : table.names()) {
    if (!name.starts_with(kPrefix)) continue;
    draws.inputs.push_back(name.substr(kPrefix.size()));
    draws.values.push_back(table.numbers(name));
  }
  if (draws.inputs.empty()) {
    throw Error(ErrorCode::bad_data,
                path.string() + ": found no column that begins with " + kPrefix + ", expected one per length-scale");
  }
  draws.weights = normalised_weights(table, path);
  return draws;
}

std::vector<std::size_t> thinned_rows(const LengthScaleDraws& draws, std::size_t count) {
  count = std::min(count, draws.size());
  std::vector<std::size_t> rows;
  double reached = 0.0;
  for (std::size_t row = 0; row < draws.size(); ++row) {
    reached += draws.weights[row];
    while (rows.size() < count && (static_cast<double>(rows.size()) + 0.5) / static_cast<double>(count) < reached) {
      rows.push_back(row);
    }
  }
  return rows;
}

double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, double level) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  double below = 0.0;
  for (const std::size_t i : order) {
    below += weights[i];
    if (below >= level) return values[i];
  }
  return values[order.back()];
}

}  // namespace ta2s2::lab
