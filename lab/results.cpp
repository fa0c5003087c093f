#include "lab/results.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2::lab {
namespace {

ResultRow key_of(const ResultRow& row, std::size_t num_keys) {
  return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(num_keys)};
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(ErrorCode::cannot_write, path.string() + ": cannot be written: " + what);
}

// How many bytes of the text are whole lines.
std::size_t whole_lines(const std::string& text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? 0 : end + 1;
}

}  // namespace

ResultFile::ResultFile(std::filesystem::path path, ResultRow columns, std::size_t num_keys)
    : path_(std::move(path)), columns_(std::move(columns)), num_keys_(num_keys) {
  read();
  stream_.open(path_, std::ios::binary | std::ios::app);
  if (!stream_) fail(path_, "it cannot be opened");
  if (std::filesystem::file_size(path_) == 0) write_csv_cells(stream_, columns_);
  if (!stream_.flush()) fail(path_, "the disk may be full");
}

void ResultFile::read() {
  if (!std::filesystem::exists(path_)) return;
  const std::string text = read_text_file(path_).value_or("");
  const std::size_t end = whole_lines(text);
  if (end < text.size()) {
    std::error_code error;
    std::filesystem::resize_file(path_, end, error);
    if (error) fail(path_, error.message());
  }
  if (end == 0) return;
  std::ostringstream header;
  write_csv_cells(header, columns_);
  if (!text.starts_with(header.str())) {
    throw Error(ErrorCode::bad_data, path_.string() + ", line 1: found other columns than this program writes; " +
                                         "expected another folder");
  }
  if (end == header.str().size()) return;  // no row yet
  for (const CsvRow& row : read_csv_table(path_).rows) remember(row.cells);
}

void ResultFile::remember(ResultRow row) {
  row_of_key_[key_of(row, num_keys_)] = rows_.size();
  rows_.push_back(std::move(row));
}

const ResultRow* ResultFile::find(const ResultRow& key) const {
  const auto found = row_of_key_.find(key);
  return found == row_of_key_.end() ? nullptr : &rows_[found->second];
}

void ResultFile::append(const ResultRow& row) {
  write_csv_cells(stream_, row);
  if (!stream_.flush()) fail(path_, "the disk may be full");
  remember(row);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    fail(folder, error ? error.message() : "it is no folder");
  }
}

const std::string& ResultTable::text(const ResultRow& row, const std::string& column) const {
  const ResultRow& columns = results_->columns();
  return row.at(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin()));
}

double ResultTable::number(const ResultRow& row, const std::string& column) const {
  const std::string& digits = text(row, column);
  if (digits.empty()) return kNoNumber;
  try {
    return parse_number(digits, "column " + column);
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_data, results_->path().string() + ": " + error.what());
  }
}

std::vector<double> ResultTable::numbers(const std::vector<const ResultRow*>& rows, const std::string& column) const {
  std::vector<double> values;
  for (const ResultRow* row : rows) {
    const double value = number(*row, column);
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

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

FitOptions options_with(const std::vector<Setting>& settings, std::uint64_t seed) {
  FitOptions options;
  apply_settings(options, settings);
  options.annealing.seed = seed;
  return options;
}

MemberRecord fit_runs(const OutputRuns& runs, const FitOptions& options, Executor& executor) {
  Observer silent;
  return fit(runs, ValidFitOptions(options), {}, {executor, silent});
}

Scores score_thinned(const MemberRecord& record, Index count, const OutputRuns& test, Executor& executor) {
  // Chain 1: the fit itself thinned with chain 0.
  Stream stream({record.options.annealing.seed, Purpose::thinning, 0, 1, 0});
  const ThinnedDraws thinned = thin(record.sample.weights, count, stream);
  MemberRecord few = record;
  few.sample.positions = record.sample.positions(Eigen::all, thinned.kept);
  few.sample.energies = record.sample.energies(thinned.kept);
  few.sample.weights = thinned.weights;
  return validate(make_predictive(few), test, executor);
}

double total_evaluations(const MemberRecord& record) {
  double sum = 0.0;
  for (const LevelSummary& level : record.levels) sum += static_cast<double>(level.evaluations);
  return sum;
}

std::string fingerprint(const FitOptions& options, const TestProblem& problem) {
  Fnv1a hash;
  hash.add_text(version());
  for (const Setting& setting : recorded_settings(options)) {
    if (setting.name == "seed") continue;
    hash.add_text(setting.name);
    hash.add_text(setting.text);
  }
  hash.add_text(problem.train.fingerprint());
  hash.add_text(problem.test.fingerprint());
  return hash.hex();
}

std::string cell(double value) {
  return std::isnan(value) ? "" : format_number(value);
}

}  // namespace ta2s2::lab
