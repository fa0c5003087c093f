#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <sstream>

#include "lab/figures.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/base/text.hpp"

namespace ta2s2::lab {
namespace {

constexpr std::size_t kPointsPerFigure = 1900;  // of 100 to 140 bytes each in the SVG
constexpr std::size_t kPointsPerStrip = 200;
constexpr double kHalfStrip = 0.24;

// Of a figure: the files of its systems.
struct Draws {
  std::string experiment, prior;
  std::map<std::string, std::filesystem::path> files;

  std::vector<std::string> systems() const {
    std::vector<std::string> names;
    for (const auto& file : files) names.push_back(file.first);
    return in_order_of_style(names);
  }
};

std::vector<std::string> split_at_underscores(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '_');) parts.push_back(part);
  return parts;
}

std::vector<Draws> find_draws(const std::filesystem::path& folder) {
  std::map<std::pair<std::string, std::string>, Draws> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::vector<std::string> parts = split_at_underscores(entry.path().stem().string());
    if (entry.path().extension() != ".csv" || parts.size() != 4 || parts[0] != "draws") continue;
    Draws& draws = found[{parts[1], parts[2]}];
    draws.experiment = parts[1];
    draws.prior = parts[2];
    draws.files[parts[3]] = entry.path();
  }
  std::vector<Draws> all;
  for (auto& [key, draws] : found) all.push_back(std::move(draws));
  return all;
}

std::optional<std::filesystem::path> find_map(const std::filesystem::path& folder, const Draws& draws) {
  const std::string stem = "map_" + draws.experiment + "_" + draws.prior;
  std::vector<std::filesystem::path> candidates{folder / (stem + ".csv")};
  for (const std::string& system : draws.systems()) candidates.push_back(folder / (stem + "_" + system + ".csv"));
  const auto found = std::ranges::find_if(candidates, [](const auto& path) { return std::filesystem::exists(path); });
  return found != candidates.end() ? std::optional(*found) : std::nullopt;
}

// The golden ratio spreads points over the strip without a pattern and without chance.
double place_in_strip(std::size_t number) {
  const double fraction = std::fmod(static_cast<double>(number) * (std::numbers::phi - 1.0), 1.0);
  return kHalfStrip * (2.0 * fraction - 1.0);
}

std::string panel_text(const LengthScaleDraws& draws, SystemStyle style, std::size_t points_per_strip) {
  std::ostringstream points, quantiles;
  const std::vector<std::size_t> rows = thinned_rows(draws, points_per_strip);
  for (std::size_t d = 0; d < draws.inputs.size(); ++d) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      points << static_cast<double>(d + 1) - 0.06 + place_in_strip(k) << ' ' << draws.values[d][rows[k]] << ' '
             << style.colour << ' ' << style.mark << '\n';
    }
    quantiles << d + 1;
    for (const double level : {0.05, 0.25, 0.75, 0.95}) {
      quantiles << ' ' << weighted_quantile(draws.values[d], draws.weights, level);
    }
    quantiles << '\n';
  }
  return points.str() + "\n\n" + quantiles.str() + "\n\n";
}

std::string map_text(const std::optional<LengthScaleDraws>& map) {
  if (!map) return "-9 0\n";  // outside the panel: an empty block is none to gnuplot
  std::ostringstream text;
  for (std::size_t d = 0; d < map->inputs.size(); ++d) text << d + 1 << ' ' << map->values[d].front() << '\n';
  return text.str();
}

struct Range {
  double low = kInfinity, high = -kInfinity;

  void include(const LengthScaleDraws& draws) {
    for (const std::vector<double>& values : draws.values) {
      const auto [least, most] = std::ranges::minmax(values);
      low = std::min(low, least);
      high = std::max(high, most);
    }
  }
};

// Names that hold a blank would be two words to gnuplot.
std::string as_words(const std::vector<std::string>& names) {
  return join(names, " ", [](std::string name) {
    std::ranges::replace(name, ' ', '_');
    return name;
  });
}

Figure scatter_figure(const std::filesystem::path& folder, const Draws& draws) {
  const std::vector<std::string> systems = draws.systems();
  std::vector<LengthScaleDraws> tables;
  for (const std::string& system : systems) tables.push_back(read_length_scale_draws(draws.files.at(system)));
  const std::vector<std::string>& inputs = tables.front().inputs;
  const std::size_t per_strip = std::min(kPointsPerStrip, kPointsPerFigure / (systems.size() * inputs.size()));

  Figure figure{"scatter_" + draws.experiment + "_" + draws.prior, "scatter", "", {}};
  for (std::size_t s = 0; s < systems.size(); ++s) {
    figure.data += panel_text(tables[s], style_of(systems[s]), std::max<std::size_t>(per_strip, 1));
  }
  std::optional<LengthScaleDraws> map;
  if (const auto path = find_map(folder, draws)) map = read_length_scale_draws(*path);
  figure.data += map_text(map);

  Range range;
  for (const LengthScaleDraws& table : tables) range.include(table);
  if (map) range.include(*map);
  figure.arguments = {draws.experiment + ", " + draws.prior + (draws.prior == "default" ? " settings" : " prior") +
                          ": draws of the length-scales",
                      as_words(systems), as_words(inputs), std::to_string(range.low - 0.4),
                      std::to_string(range.high + 0.4)};
  return figure;
}

}  // namespace

std::vector<Figure> scatter_figures(const std::filesystem::path& folder) {
  std::vector<Figure> figures;
  for (const Draws& draws : find_draws(folder)) figures.push_back(scatter_figure(folder, draws));
  return figures;
}

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

}  // namespace ta2s2::lab
