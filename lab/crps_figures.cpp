#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "lab/figures.hpp"
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
  const auto rest = std::ranges::unique(sorted, [&](const Result& a, const Result& b) { return key(a) == key(b); });
  sorted.erase(rest.begin(), rest.end());
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

}  // namespace ta2s2::lab
