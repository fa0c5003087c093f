// The paper's figures: the tables that they are drawn from, as plain CSV, and their drawing by gnuplot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::lab {

// Sampling positions, energy and weight, a row per draw; and the maximum, one row without a weight.
void write_draws(const std::filesystem::path& path, const MemberRecord& record);
void write_map(const std::filesystem::path& path, const MemberRecord& record);

// The paper's first figure: H, up to a constant, of the paper's model with the reference prior and the nugget at its
// lower bound, over [-7, 7]^2 (an empty cell where there is no density), and draws of a run on it that cools down
// towards zero.
void write_franke_levels(const std::filesystem::path& path, const OutputRuns& runs, Executor& executor);
void write_franke_modes(const std::filesystem::path& path, const OutputRuns& runs, Index num_samples,
                        std::uint64_t seed, Executor& executor);

struct FigureReport {
  std::vector<std::filesystem::path> drawn;
  std::string notice;  // why nothing was drawn; empty if all was
};

// From results.csv: crps_<experiment>.svg over the seeds of design 1 and crps_<experiment>_designs.svg over designs.
// From draws_<experiment>_<prior>_<system>.csv and map_<experiment>_<prior>*.csv: scatter_<experiment>_<prior>.svg.
// From franke_levels.csv, franke_modes.csv and the draws of `exact`: franke_levels.svg. What has no table has no
// figure. The prepared data and the scripts stay in the subfolder figures/, to be drawn again in another style. Without
// gnuplot nothing is drawn, and a notice says so. Error{bad_data} for a table that cannot be understood,
// Error{cannot_write} if gnuplot fails.
FigureReport draw_figures(const std::filesystem::path& folder);

// A figure before it is drawn: a script, the data that it plots and the words that it is told.
struct Figure {
  std::string name;                    // of the SVG, without its ending
  std::string script;                  // crps, scatter or levels
  std::string data;                    // as gnuplot reads it
  std::vector<std::string> arguments;  // of the script, after the data and the SVG
};

// A small CSV table with its cells by the names of their columns.
class FigureTable {
 public:
  explicit FigureTable(const std::filesystem::path& path) : table_(read_csv_table(path)) {}

  std::size_t size() const { return table_.rows.size(); }
  const std::vector<std::string>& names() const { return table_.names; }
  bool has(const std::string& column) const;
  // Error{bad_data} for a column that is not there, and for a cell that is no number; NaN for an empty cell.
  const std::string& text(std::size_t row, const std::string& column) const;
  double number(std::size_t row, const std::string& column) const;
  std::vector<double> numbers(const std::string& column) const;

 private:
  std::size_t index_of(const std::string& column) const;

  CsvTable table_;
};

// How a system looks in every figure: by colour, and by a mark for those who do not see it.
struct SystemStyle {
  int colour;  // 0xRRGGBB
  int mark;    // gnuplot's point type
  int hollow;  // the same mark without its filling, if it has one
};

SystemStyle style_of(const std::string& system);

// Each name once, those with a style of their own first.
std::vector<std::string> in_order_of_style(const std::vector<std::string>& systems);

// Draws of the length-scales as a figure needs them: few, and of equal weight.
struct LengthScaleDraws {
  std::vector<std::string> inputs;
  std::vector<std::vector<double>> values;  // per input, log phi of each draw
  std::vector<double> weights;              // sum to one

  std::size_t size() const { return weights.size(); }
};

// Columns log_phi_<input>, and weight if there is one; other columns are not read.
LengthScaleDraws read_length_scale_draws(const std::filesystem::path& path);

// At most `count` rows, each drawn as often as its weight says, evenly through the file.
std::vector<std::size_t> thinned_rows(const LengthScaleDraws& draws, std::size_t count);

double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, double level);

// Box plots of the CRPS by system: per experiment one over the seeds of design 1 and, if there are other designs, one
// over designs.
std::vector<Figure> crps_figures(const FigureTable& results);

// Strips of draws of each length-scale, with the maximum in black: one per experiment and prior of which there are
// files draws_<experiment>_<prior>_<system>.csv.
std::vector<Figure> scatter_figures(const std::filesystem::path& folder);

// Level curves of the negative log posterior over two length-scales, with draws on top. None unless there are
// franke_levels.csv, franke_modes.csv and draws_franke_reference_exact.csv.
std::optional<Figure> levels_figure(const std::filesystem::path& folder);

}  // namespace ta2s2::lab
