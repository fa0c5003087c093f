#include "ta2s2/data/load_runs.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "ta2s2/base/text.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

using detail::CsvStream;
using detail::fail_at;
using detail::shown;

constexpr std::size_t kLeastRuns = 3;
constexpr std::size_t kMaxListedLines = 10;

using Columns = std::vector<std::size_t>;

// What a file holds, row after row, before anything is judged.
struct RawRuns {
  std::vector<double> inputs;  // row-major
  std::vector<double> output;
  std::vector<int> lines;
  std::vector<int> failed_lines;
  int last_line = 0;
};

bool is_constant(VectorView values) {
  return (values.array() == values[0]).all();
}

std::string constant_input_notice(const std::string& name, double value) {
  return "input " + shown(name) + " is " + shown(value) + " in every run and was left out";
}

std::string output_column_name(const CsvStream& stream, const std::string& wanted, std::vector<std::string>& notices) {
  if (!wanted.empty()) return wanted;
  const auto& names = stream.names();
  if (contains(names, "y")) return "y";
  notices.push_back("no output was named and no column is called \"y\": the last column, " + shown(names.back()) +
                    ", is taken as the output");
  return names.back();
}

Columns input_columns(const CsvStream& stream, const RunColumns& wanted, std::size_t output) {
  if (!wanted.inputs.empty()) return detail::find_columns(stream, wanted.inputs);
  Columns columns;
  for (std::size_t column = 0; column < stream.names().size(); ++column) {
    const bool is_other = contains(wanted.other_outputs, stream.names()[column]);
    if (column != output && !is_other) columns.push_back(column);
  }
  if (columns.empty()) fail_at(stream.header_place(output), "no other column", "at least one input beside the output");
  return columns;
}

void check_wanted_names(const RunColumns& wanted, const std::string& output) {
  std::set<std::string> seen;
  for (const std::string& name : wanted.inputs) {
    if (name == output) throw Error(ErrorCode::usage, "column " + shown(name) + " cannot be an input and the output");
    if (!seen.insert(name).second) throw Error(ErrorCode::usage, "input " + shown(name) + " is named twice");
  }
}

RawRuns read_runs(CsvStream& stream, const Columns& inputs, std::size_t output, const std::string& hint) {
  RawRuns runs;
  detail::RowNumbers numbers(stream);
  while (stream.next()) {
    runs.last_line = stream.line();
    double value = 0.0;
    if (!numbers.finite_or_missing(output, value)) {
      runs.failed_lines.push_back(stream.line());
      continue;
    }
    for (const std::size_t column : inputs) runs.inputs.push_back(numbers.finite(column, hint));
    runs.output.push_back(value);
    runs.lines.push_back(stream.line());
  }
  return runs;
}

std::string listed_lines(const std::vector<int>& lines) {
  const std::span<const int> first(lines.data(), std::min(lines.size(), kMaxListedLines));
  const std::string text =
      (lines.size() == 1 ? "line " : "lines ") + join(first, ", ", [](int line) { return std::to_string(line); });
  return lines.size() > kMaxListedLines ? text + ", ..." : text;
}

std::string failed_runs_text(const RawRuns& runs) {
  const std::size_t failed = runs.failed_lines.size();
  return std::to_string(failed) + " of " + std::to_string(failed + runs.lines.size()) + " runs " +
         (failed == 1 ? "has no output and was" : "have no output and were") + " left out (" +
         listed_lines(runs.failed_lines) + ")";
}

void check_num_runs(const CsvStream& stream, const RawRuns& runs, std::size_t output, std::size_t least) {
  if (runs.lines.size() >= least) return;
  detail::Place place = stream.header_place(output);
  place.line = runs.last_line;
  const std::string left_out = runs.failed_lines.empty() ? "" : " (" + failed_runs_text(runs) + ")";
  fail_at(place, counted(static_cast<long long>(runs.lines.size()), "usable run") + " up to this line" + left_out,
          "at least " + std::to_string(least));
}

Matrix input_matrix(const RawRuns& runs, std::size_t num_inputs) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(runs.inputs.data(), static_cast<Index>(runs.lines.size()),
                                    static_cast<Index>(num_inputs));
}

void check_output_varies(const CsvStream& stream, VectorView output, std::size_t column, int first_line) {
  if (!is_constant(output)) return;
  detail::Place place = stream.header_place(column);
  place.line = first_line;
  fail_at(place, shown(output[0]) + " here and in every other run", "an output that varies");
}

// The inputs that vary; a notice for each other one.
Columns varying_inputs(const CsvStream& stream, const Matrix& inputs, const Columns& columns, int first_line,
                       std::vector<std::string>& notices) {
  Columns kept;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto values = inputs.col(static_cast<Index>(i));
    if (!is_constant(values)) {
      kept.push_back(i);
    } else {
      notices.push_back(constant_input_notice(stream.names()[columns[i]], values[0]));
    }
  }
  if (kept.empty()) {
    detail::Place place = stream.header_place(columns[0]);
    place.line = first_line;
    fail_at(place, "inputs that are the same here and in every other run", "at least one input that varies");
  }
  return kept;
}

std::vector<std::string> names_of(const CsvStream& stream, const Columns& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : columns) names.push_back(stream.names()[column]);
  return names;
}

std::vector<std::string> unused_columns(const CsvStream& stream, const Columns& inputs, std::size_t output) {
  std::vector<std::string> names;
  for (std::size_t column = 0; column < stream.names().size(); ++column) {
    const bool is_input = std::find(inputs.begin(), inputs.end(), column) != inputs.end();
    if (!is_input && column != output) names.push_back(stream.names()[column]);
  }
  return names;
}

Matrix chosen_columns(const Matrix& inputs, const Columns& kept) {
  Matrix chosen(inputs.rows(), static_cast<Index>(kept.size()));
  for (std::size_t i = 0; i < kept.size(); ++i)
    chosen.col(static_cast<Index>(i)) = inputs.col(static_cast<Index>(kept[i]));
  return chosen;
}

enum class Use { fit, test };

OutputRuns load(const std::filesystem::path& path, const RunColumns& wanted, Use use) {
  CsvStream stream(path);
  RunSource source{stream.path(), {}, {}, {}};
  if (stream.has_row_labels()) source.notices.push_back("column 1 has no name and was left out as row labels");
  const std::string output_name = output_column_name(stream, wanted.output, source.notices);
  check_wanted_names(wanted, output_name);
  const std::size_t output_column = detail::find_column(stream, output_name);
  Columns columns = input_columns(stream, wanted, output_column);

  const std::string hint = wanted.inputs.empty() ? " (name the inputs to use if this column is not one)" : "";
  RawRuns runs = read_runs(stream, columns, output_column, hint);
  check_num_runs(stream, runs, output_column, use == Use::fit ? kLeastRuns : 1);
  if (!runs.failed_lines.empty()) source.notices.push_back(failed_runs_text(runs));

  Matrix inputs = input_matrix(runs, columns.size());
  const Vector output = Eigen::Map<const Vector>(runs.output.data(), static_cast<Index>(runs.output.size()));
  if (use == Use::fit) {
    check_output_varies(stream, output, output_column, runs.lines[0]);
    const Columns kept = varying_inputs(stream, inputs, columns, runs.lines[0], source.notices);
    inputs = chosen_columns(inputs, kept);
    Columns kept_columns;
    for (const std::size_t i : kept) kept_columns.push_back(columns[i]);
    columns = std::move(kept_columns);
  }
  source.lines = std::move(runs.lines);
  source.unused_columns = unused_columns(stream, columns, output_column);
  return OutputRuns(std::move(inputs), output, names_of(stream, columns), output_name, std::move(source));
}

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::bad_data, message);
}

void check_runs(const Matrix& inputs, const Vector& output, const std::string& output_name) {
  if (inputs.rows() < static_cast<Index>(kLeastRuns)) {
    fail("found " + counted(inputs.rows(), "usable run") + ", expected at least " + std::to_string(kLeastRuns));
  }
  if (is_constant(output)) {
    fail("output " + shown(output_name) + ": found " + shown(output[0]) +
         " in every run, expected an output that varies");
  }
}

}  // namespace

OutputRuns load_runs(const std::filesystem::path& path, const RunColumns& columns) {
  return load(path, columns, Use::fit);
}

std::vector<OutputRuns> load_outputs(const std::filesystem::path& path, const RunColumns& columns) {
  const std::vector<std::string> outputs = detail::matching_columns(CsvStream(path), columns.output, columns.inputs);
  if (outputs.size() < 2) return {load_runs(path, {outputs.empty() ? "" : outputs.front(), columns.inputs})};
  std::vector<OutputRuns> runs;
  for (const std::string& output : outputs) runs.push_back(load_runs(path, {output, columns.inputs, outputs}));
  return runs;
}

OutputRuns load_test_runs(const std::filesystem::path& path, const std::vector<std::string>& input_names,
                          const std::string& output_name) {
  return load(path, {output_name, input_names}, Use::test);
}

OutputRuns take_runs(const Matrix& inputs, Vector output, const std::vector<std::string>& input_names,
                     const std::string& output_name) {
  const OutputRuns all(inputs, output, input_names, output_name);
  check_runs(inputs, output, output_name);
  RunSource source;
  std::vector<Index> kept;
  std::vector<std::string> kept_names;
  for (Index d = 0; d < inputs.cols(); ++d) {
    const std::string& name = input_names[static_cast<std::size_t>(d)];
    if (is_constant(inputs.col(d))) {
      source.notices.push_back(constant_input_notice(name, inputs(0, d)));
      source.unused_columns.push_back(name);
    } else {
      kept.push_back(d);
      kept_names.push_back(name);
    }
  }
  if (kept.empty()) fail("found inputs that are the same in every run, expected at least one input that varies");
  return OutputRuns(inputs(Eigen::all, kept), std::move(output), kept_names, output_name, std::move(source));
}

}  // namespace ta2s2
