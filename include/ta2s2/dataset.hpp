// Runs of a simulator: what was put in and what came out, in the user's units; and points to predict at.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

class OutputRuns;

/// How an input is measured before the model sees it: as it is, or by its logarithm.
enum class InputScale { linear, log };

/// The range that a user declares for an input: the emulator is meant for all of it.
struct InputRange {
  std::string name;                       ///< of the input
  double low = 0.0;                       ///< the least value
  double high = 1.0;                      ///< the greatest value
  InputScale scale = InputScale::linear;  ///< a setting input-scale that names the input wins
  std::string where = {};                 ///< the place of `low`, for messages; it may be empty
};

/// The scale of all inputs whose names fit.
struct InputScaleRule {
  std::string pattern;                    ///< a name, where * stands for any letters and ? for one
  InputScale scale = InputScale::linear;  ///< of these inputs
};

/// Ranges from a CSV file with the columns name, min (or low, lower), max (or high, upper) and perhaps scale (linear or
/// log; an empty cell means linear), in any letter case and order. Error{bad_data} unless they are finite, low < high,
/// the names are unique and not empty, and the scales are known.
std::vector<InputRange> read_ranges(const std::filesystem::path& file);

/// Which columns of a file are used.
struct Columns {
  /// One name, or names and patterns with * and ?, separated by commas: "drag,lift*". Nothing: the column "y" if there
  /// is one, otherwise the last column.
  std::string outputs = {};
  /// Nothing: every column that is no output.
  std::vector<std::string> inputs = {};
  /// A CSV file with declared ranges (read_ranges). Nothing: the ranges of the runs.
  std::string ranges = {};
};

/// Runs with one or several outputs, checked when they are made: finite inputs, unique names, enough runs, no output
/// that never changes. Otherwise Error{bad_data}, with file, line and column. Copies share the numbers.
class Dataset {
 public:
  /// Runs from a CSV file with a header. A run whose output is empty, NaN or infinite has failed: it is left out for
  /// that output alone, with a notice. Inputs that never change are left out, with a notice.
  static Dataset read_csv(const std::filesystem::path& file, const Columns& columns = {});

  /// Runs in memory, judged in the same way: a row for each run, a column for each input and each output.
  static Dataset from_arrays(MatrixView inputs, MatrixView outputs, const std::vector<std::string>& input_names,
                             const std::vector<std::string>& output_names, std::vector<InputRange> ranges = {},
                             Columns columns = {});

  /// For the library's own use: the runs of each output.
  Dataset(std::vector<OutputRuns> outputs, std::vector<InputRange> ranges, Columns columns);
  /// For the library's own use.
  const std::vector<OutputRuns>& by_output() const;

  /// Names of the inputs that vary, over all outputs.
  std::vector<std::string> input_names() const;
  /// Names of the outputs, in the order in which they were asked for.
  std::vector<std::string> output_names() const;
  /// The inputs of one output's runs, a row for each run.
  const Matrix& inputs(std::size_t output = 0) const;
  /// One output of these runs.
  const Vector& output(std::size_t output = 0) const;
  /// The declared ranges; nothing: those of the runs.
  const std::vector<InputRange>& ranges() const;
  /// As they were given.
  const Columns& columns() const;
  /// What the user should know: runs and columns that were left out.
  std::vector<std::string> notices() const;
  /// A hash of names and numbers, the same on every machine.
  std::string fingerprint() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// New input points from a CSV file, by column name: other columns are ignored, and the order of columns is free. It
/// reads block after block and never holds more than one: files of millions of points are fine. A missing column, and a
/// cell that is missing or no finite number, is an Error{bad_data} with file, line and column.
class PointReader {
 public:
  /// Opens the file and finds the columns.
  PointReader(const std::filesystem::path& file, const std::vector<std::string>& input_names);
  PointReader(PointReader&&) noexcept;             ///< the other one is of no further use
  PointReader& operator=(PointReader&&) noexcept;  ///< the other one is of no further use
  ~PointReader();

  /// The next points, one in each row and at most max_rows; false, and a block without rows, after the last.
  bool next_block(Index max_rows, Matrix& block);

  /// The line in the file of each row of the latest block.
  const std::vector<int>& lines() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All points of a file.
Matrix read_points(const std::filesystem::path& file, const std::vector<std::string>& input_names);

/// One line of CSV that any program reads: commas, LF, cells quoted where they must be.
void write_csv_cells(std::ostream& out, const std::vector<std::string>& cells);
/// A line of column names.
void write_csv_header(std::ostream& out, const std::vector<std::string>& names);
/// A line for each row, with numbers that read back as the same double.
void write_csv_rows(std::ostream& out, MatrixView rows);
/// The same with the label first in every row.
void write_csv_rows(std::ostream& out, const std::string& label, MatrixView rows);
/// The fewest digits that read back as the same double.
std::string csv_number(double value);

}  // namespace ta2s2
