#include "lab/summary.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/execution.hpp"

namespace ta2s2::lab {

double sample_quantile(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const double place = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

MeanInterval t_interval(std::span<const double> values, double level) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {mean, kInfinity};
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double t = boost::math::quantile(boost::math::students_t(n - 1.0), 0.5 + level / 2.0);
  return {mean, t * std::sqrt(squares / (n - 1.0) / n)};
}

double binomial_error(double share, double trials) {
  return std::sqrt(share * (1.0 - share) / trials);
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string markdown_head(const std::vector<std::string>& cells) {
  return markdown_line(cells) + markdown_line(std::vector<std::string>(cells.size(), "---"));
}

std::string digits(double value, int count) {
  if (std::isnan(value)) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  return text;
}

void write_summary_files(const std::filesystem::path& folder, const std::string& stem, const WriteText& write_markdown,
                         const WriteText& write_csv) {
  AtomicFile markdown(folder / (stem + ".md")), csv(folder / (stem + ".csv"));
  write_markdown(markdown.stream());
  write_csv(csv.stream());
  markdown.prepare();
  csv.prepare();
  markdown.commit();
  csv.commit();
}

}  // namespace ta2s2::lab
