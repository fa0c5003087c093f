// What summaries of results are made of: statistics of small samples, Markdown tables, files.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace ta2s2::lab {

// Linear between order statistics (Hyndman and Fan's type 7), 0 <= level <= 1, at least one value.
double sample_quantile(std::vector<double> values, double level);

struct MeanInterval {
  double mean = 0.0;
  double half_width = 0.0;  // of the central interval; infinite with a single value
};

// Student's t interval of a mean; at least one value.
MeanInterval t_interval(std::span<const double> values, double level = 0.95);

double binomial_error(double share, double trials);

std::string markdown_line(const std::vector<std::string>& cells);
std::string markdown_head(const std::vector<std::string>& cells);

// To so many significant digits; empty if it is NaN.
std::string digits(double value, int count = 4);

using WriteText = std::function<void(std::ostream&)>;

// <stem>.md, for people, and <stem>.csv, for programs, in `folder`: both appear, or neither.
void write_summary_files(const std::filesystem::path& folder, const std::string& stem, const WriteText& write_markdown,
                         const WriteText& write_csv);

}  // namespace ta2s2::lab
