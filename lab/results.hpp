// Results as a CSV file that grows: rows are there as soon as they are known, and a later run goes on where this one
// ended. What summaries of them are made of: statistics of small samples, Markdown tables, files.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "lab/simulators.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::lab {

using ResultRow = std::vector<std::string>;

// The first `num_keys` columns name a row. Each append is flushed; a last line that was cut short (a killed run, a full
// disk) is removed when the file is opened again. Error{cannot_write} if it cannot be written, Error{bad_data} if it
// holds other columns.
class ResultFile {
 public:
  ResultFile(std::filesystem::path path, ResultRow columns, std::size_t num_keys);

  const std::filesystem::path& path() const { return path_; }
  const ResultRow& columns() const { return columns_; }
  const std::vector<ResultRow>& rows() const { return rows_; }

  // Null if no row has this key.
  const ResultRow* find(const ResultRow& key) const;
  void append(const ResultRow& row);

 private:
  void read();
  void remember(ResultRow row);

  std::filesystem::path path_;
  ResultRow columns_;
  std::size_t num_keys_;
  std::vector<ResultRow> rows_;
  std::map<ResultRow, std::size_t> row_of_key_;
  std::ofstream stream_;
};

// Error{cannot_write} if there is no such folder and none can be made.
void make_folder(const std::filesystem::path& folder);

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Results by the names of their columns. A view: the file must outlive it.
class ResultTable {
 public:
  explicit ResultTable(const ResultFile& results) : results_(&results) {}

  const std::vector<ResultRow>& rows() const { return results_->rows(); }
  const std::string& text(const ResultRow& row, const std::string& column) const;
  double number(const ResultRow& row, const std::string& column) const;  // NaN for an empty cell
  // Those of the rows that have one.
  std::vector<double> numbers(const std::vector<const ResultRow*>& rows, const std::string& column) const;

 private:
  const ResultFile* results_;
};

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

// One fit of an experiment and what it scores.

FitOptions options_with(const std::vector<Setting>& settings, std::uint64_t seed);

MemberRecord fit_runs(const OutputRuns& runs, const FitOptions& options, Executor& executor);

// Scores of the sample thinned to at most `count` draws.
Scores score_thinned(const MemberRecord& record, Index count, const OutputRuns& test, Executor& executor);

double total_evaluations(const MemberRecord& record);

// Of everything that a fit's scores depend on but its seed and chance: program, settings and runs.
std::string fingerprint(const FitOptions& options, const TestProblem& problem);

// A number as a cell; an empty one if it is NaN.
std::string cell(double value);

// How an experiment tells what it does.
struct FitProgress {
  Index number = 0, total = 0;  // of this fit among those to do
  std::string what;             // "franke, reference, exact, design 1, seed 1"
  double seconds = 0.0;         // of the fit
};

class ExperimentObserver {
 public:
  virtual ~ExperimentObserver() = default;
  virtual void on_fit(const FitProgress&) {}
  virtual void on_notice(const std::string&) {}  // a sentence that the user should see
};

}  // namespace ta2s2::lab
