#include "lab/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <sstream>

#include "lab/results.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/base/text.hpp"

namespace ta2s2::lab {
namespace {

constexpr std::size_t kFewestForABox = 7;  // fewer values are shown one by one

struct Result {
  std::string system, prior;
  double design = 0.0, seed = 0.0;
  bool is_thinned = false;
  double crps = 0.0;
};

using Results = std::vector<Result>;

std::map<std::string, Results> by_experiment(const FigureTable& table) {
  std::map<std::string, Results> results;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const double crps = table.number(row, "crps");
    if (!std::isfinite(crps)) continue;
    results[table.text(row, "experiment")].push_back({table.text(row, "system"), table.text(row, "prior"),
                                                      table.number(row, "design"), table.number(row, "seed"),
                                                      table.text(row, "sample") != "full", crps});
  }
  return results;
}

Results of_first_design(const Results& results) {
  Results chosen;
  std::ranges::copy_if(results, std::back_inserter(chosen), [](const Result& r) { return r.design == 1.0; });
  return chosen;
}

// One value per design, so that none counts for more: that of its first seed.
Results of_first_seeds(const Results& results) {
  const auto key = [](const Result& r) { return std::tie(r.system, r.prior, r.is_thinned, r.design); };
  Results sorted = results;
  std::ranges::stable_sort(
      sorted, [&](const Result& a, const Result& b) { return key(a) != key(b) ? key(a) < key(b) : a.seed < b.seed; });
  const auto is_same = [&](const Result& a, const Result& b) { return key(a) == key(b); };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  return sorted;
}

// Tukey's: whiskers reach to the last values within 1.5 interquartile ranges of the box, points lie beyond.
struct BoxPlot {
  double low_quartile = kNoNumber, median = kNoNumber, high_quartile = kNoNumber;
  double low_whisker = kNoNumber, high_whisker = kNoNumber;
  std::vector<double> points;
};

BoxPlot box_plot(std::vector<double> values) {
  std::ranges::sort(values);
  BoxPlot plot;
  plot.median = sample_quantile(values, 0.5);
  if (values.size() < kFewestForABox) {
    plot.points = values;
    return plot;
  }
  plot.low_quartile = sample_quantile(values, 0.25);
  plot.high_quartile = sample_quantile(values, 0.75);
  const double reach = 1.5 * (plot.high_quartile - plot.low_quartile);
  const auto is_inside = [&](double v) { return v >= plot.low_quartile - reach && v <= plot.high_quartile + reach; };
  plot.low_whisker = *std::ranges::find_if(values, is_inside);
  plot.high_whisker = *std::find_if(values.rbegin(), values.rend(), is_inside);
  std::ranges::remove_copy_if(values, std::back_inserter(plot.points), is_inside);
  return plot;
}

std::vector<double> values_of(const Results& results, const std::string& prior, const std::string& system,
                              bool is_thinned) {
  std::vector<double> values;
  for (const Result& r : results) {
    if (r.prior == prior && r.system == system && r.is_thinned == is_thinned) values.push_back(r.crps);
  }
  return values;
}

struct Panel {
  std::ostringstream boxes, points;

  void add(double row, const BoxPlot& plot, SystemStyle style, bool is_thinned) {
    boxes << row << ' ' << plot.low_quartile << ' ' << plot.median << ' ' << plot.high_quartile << ' '
          << plot.low_whisker << ' ' << plot.high_whisker << ' ' << style.colour << ' ' << is_thinned << '\n';
    for (const double value : plot.points)
      points << row << ' ' << value << ' ' << style.colour << ' ' << (is_thinned ? style.hollow : style.mark) << '\n';
  }
};

// A block without a line is none to gnuplot, so each ends in lines that lie outside the panel.
std::string text_of(const Panel& panel) {
  return panel.boxes.str() + "9 1 1 1 1 1 0 0\n9 1 1 1 1 1 0 1\n\n\n" + panel.points.str() + "9 1 0 1\n\n\n";
}

std::string panel_text(const Results& results, const std::string& prior, const std::vector<std::string>& systems) {
  Panel panel;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const std::vector<double> full = values_of(results, prior, systems[s], false);
    const std::vector<double> thinned = values_of(results, prior, systems[s], true);
    const double row = -static_cast<double>(s + 1);
    const double shift = full.empty() || thinned.empty() ? 0.0 : 0.22;
    if (!full.empty()) panel.add(row + shift, box_plot(full), style_of(systems[s]), false);
    if (!thinned.empty()) panel.add(row - shift, box_plot(thinned), style_of(systems[s]), true);
  }
  return text_of(panel);
}

std::vector<std::string> priors_of(const Results& results) {
  std::vector<std::string> priors;
  for (const Result& r : results) add_once(priors, r.prior);
  return priors;
}

std::vector<std::string> systems_of(const Results& results) {
  std::vector<std::string> systems;
  for (const Result& r : results) systems.push_back(r.system);
  return in_order_of_style(systems);
}

struct Axis {
  std::string low, high, scale;
};

std::string word(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

// A logarithmic axis shows the rest beside a value far away.
Axis axis_of(const Results& results, const std::string& prior) {
  double low = kInfinity, high = -kInfinity;
  for (const Result& r : results) {
    if (r.prior != prior) continue;
    low = std::min(low, r.crps);
    high = std::max(high, r.crps);
  }
  if (low > 0.0 && high > 3.0 * low) return {word(0.9 * low), word(1.1 * high), "log"};
  const double margin = high > low ? 0.06 * (high - low) : 0.1 * std::abs(high) + 1e-6;
  return {word(low - margin), word(high + margin), "linear"};
}

Figure crps_figure(const std::string& name, const std::string& title, const std::vector<std::string>& priors,
                   const Results& results) {
  const std::vector<std::string> systems = systems_of(results);
  Figure figure{name, "crps", "", {}};
  std::vector<std::string> lows, highs, scales;
  for (const std::string& prior : priors) {
    figure.data += panel_text(results, prior, systems);
    const Axis axis = axis_of(results, prior);
    lows.push_back(axis.low);
    highs.push_back(axis.high);
    scales.push_back(axis.scale);
  }
  figure.arguments = {title,           join(priors, " "), join(systems, " "),
                      join(lows, " "), join(highs, " "),  join(scales, " ")};
  return figure;
}

}  // namespace

std::vector<Figure> crps_figures(const FigureTable& table) {
  std::vector<Figure> figures;
  for (const auto& [experiment, results] : by_experiment(table)) {
    const Results first = of_first_design(results);
    if (!first.empty()) {
      figures.push_back(crps_figure("crps_" + experiment, experiment + ": CRPS over the seeds of one design",
                                    priors_of(first), first));
    }
    if (first.size() < results.size()) {
      figures.push_back(crps_figure("crps_" + experiment + "_designs", experiment + ": CRPS over designs",
                                    priors_of(results), of_first_seeds(results)));
    }
  }
  return figures;
}

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
