#include "ta2s2/experiments/detail/levels_figure.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ta2s2/experiments/detail/draws_table.hpp"
#include "ta2s2/experiments/detail/figure_table.hpp"

namespace ta2s2::detail {
namespace {

constexpr std::size_t kPointsPerPanel = 800;

// Energies above the least one, a blank line after each scan, as gnuplot reads a grid.
std::string grid_text(const FigureTable& table) {
  const std::string &first = table.names()[0], &second = table.names()[1];
  const std::vector<double> energies = table.numbers("energy");
  double least = INFINITY;
  for (const double energy : energies) least = std::fmin(least, energy);  // which passes over NaN
  std::ostringstream text;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (row > 0 && table.number(row, first) != table.number(row - 1, first)) text << '\n';
    text << table.text(row, first) << ' ' << table.text(row, second) << ' ' << energies[row] - least << '\n';
  }
  return text.str();
}

std::string points_text(const LengthScaleDraws& draws) {
  std::ostringstream text;
  for (const std::size_t row : thinned_rows(draws, kPointsPerPanel)) {
    text << draws.values[0][row] << ' ' << draws.values[1][row] << '\n';
  }
  return text.str();
}

}  // namespace

std::optional<Figure> levels_figure(const std::filesystem::path& folder) {
  const std::filesystem::path levels = folder / "franke_levels.csv", modes = folder / "franke_modes.csv",
                              draws = folder / "draws_franke_reference_exact.csv";
  const auto exists = [](const std::filesystem::path& path) { return std::filesystem::exists(path); };
  if (!exists(levels) || !exists(modes) || !exists(draws)) return std::nullopt;
  const LengthScaleDraws sample = read_length_scale_draws(draws);
  const std::string data = grid_text(FigureTable(levels)) + "\n\n" + points_text(sample) + "\n\n" +
                           points_text(read_length_scale_draws(modes));
  return Figure{"franke_levels",
                "levels",
                data,
                {"franke, reference prior: level curves of the negative log posterior",
                 "log φ of " + sample.inputs.at(0), "log φ of " + sample.inputs.at(1)}};
}

}  // namespace ta2s2::detail
