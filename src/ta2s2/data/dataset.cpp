#include "ta2s2/dataset.hpp"

#include <cmath>
#include <map>
#include <optional>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/data/input_scale.hpp"
#include "ta2s2/data/load_runs.hpp"

namespace ta2s2 {

struct Dataset::State {
  std::vector<OutputRuns> outputs;
  std::vector<InputRange> ranges;
  Columns columns;
};

Dataset::Dataset(std::vector<OutputRuns> outputs, std::vector<InputRange> ranges, Columns columns)
    : state_(std::make_shared<const State>(State{std::move(outputs), std::move(ranges), std::move(columns)})) {}

Dataset Dataset::read_csv(const std::filesystem::path& file, const Columns& columns) {
  std::vector<OutputRuns> outputs = load_outputs(file, {columns.outputs, columns.inputs});
  return {std::move(outputs), columns.ranges.empty() ? std::vector<InputRange>{} : read_ranges(columns.ranges),
          columns};
}

Dataset Dataset::from_arrays(MatrixView inputs, MatrixView outputs, const std::vector<std::string>& input_names,
                             const std::vector<std::string>& output_names, std::vector<InputRange> ranges,
                             Columns columns) {
  std::vector<OutputRuns> runs;
  for (std::size_t k = 0; k < output_names.size(); ++k) {
    runs.push_back(take_runs(inputs, outputs.col(static_cast<Index>(k)), input_names, output_names[k]));
  }
  return {std::move(runs), std::move(ranges), std::move(columns)};
}

const std::vector<OutputRuns>& Dataset::by_output() const {
  return state_->outputs;
}

std::vector<std::string> Dataset::input_names() const {
  std::vector<std::string> names;
  for (const OutputRuns& runs : state_->outputs) {
    for (const std::string& name : runs.input_names()) add_once(names, name);
  }
  return names;
}

std::vector<std::string> Dataset::output_names() const {
  std::vector<std::string> names;
  for (const OutputRuns& runs : state_->outputs) names.push_back(runs.output_name());
  return names;
}

const Matrix& Dataset::inputs(std::size_t output) const {
  return state_->outputs.at(output).inputs();
}

const Vector& Dataset::output(std::size_t output) const {
  return state_->outputs.at(output).output();
}

const std::vector<InputRange>& Dataset::ranges() const {
  return state_->ranges;
}

const Columns& Dataset::columns() const {
  return state_->columns;
}

std::vector<std::string> Dataset::notices() const {
  std::vector<std::string> notices;
  for (const OutputRuns& runs : state_->outputs) {
    for (const std::string& notice : runs.notices()) add_once(notices, notice);
  }
  return notices;
}

std::string Dataset::fingerprint() const {
  if (state_->outputs.size() == 1) return state_->outputs.front().fingerprint();
  Fnv1a hash;
  for (const OutputRuns& runs : state_->outputs) hash.add_text(runs.fingerprint());
  return hash.hex();
}

namespace {

using detail::fail_at;
using detail::Place;
using detail::shown;

// The one column whose name is among `spellings`, if there is one.
std::optional<std::size_t> look_for_spelled(const CsvTable& table, const std::vector<std::string>& spellings) {
  std::optional<std::size_t> found;
  for (std::size_t column = 0; column < table.names.size(); ++column) {
    const std::string name = to_lower(table.names[column]);
    if (!contains(spellings, name)) continue;
    if (found)
      fail_at({table.path, table.header_line, table.column_number(column), table.names[column]},
              "a second such column after " + shown(table.names[*found]), "one column of " + detail::listed(spellings));
    found = column;
  }
  return found;
}

std::size_t find_spelled(const CsvTable& table, const std::vector<std::string>& spellings) {
  if (const std::optional<std::size_t> found = look_for_spelled(table, spellings)) return *found;
  fail_at({table.path, table.header_line}, "the columns " + detail::listed(table.names),
          "a column " + shown(spellings[0]) + " (the columns are name, min, max, and perhaps scale)");
}

Place place_of(const CsvTable& table, const CsvRow& row, std::size_t column) {
  return {table.path, row.line, table.column_number(column), table.names[column]};
}

double read_bound(const CsvTable& table, const CsvRow& row, std::size_t column, detail::CellNumbers& numbers) {
  const std::string& cell = row.cells[column];
  const detail::CellNumber number = numbers.read(cell);
  if (number.kind != detail::CellKind::number)
    fail_at(place_of(table, row, column), cell.empty() ? "an empty cell" : shown(cell), expected_for(number.kind));
  return number.value;
}

InputScale read_scale(const CsvTable& table, const CsvRow& row, std::optional<std::size_t> column) {
  if (!column || row.cells[*column].empty()) return InputScale::linear;
  const std::string& cell = row.cells[*column];
  const std::optional<InputScale> scale = find_input_scale(cell);
  if (!scale) fail_at(place_of(table, row, *column), shown(cell), "linear or log");
  return *scale;
}

}  // namespace

std::vector<InputRange> read_ranges(const std::filesystem::path& path) {
  const CsvTable table = read_csv_table(path);
  const std::size_t name = find_spelled(table, {"name"});
  const std::size_t low = find_spelled(table, {"min", "low", "lower"});
  const std::size_t high = find_spelled(table, {"max", "high", "upper"});
  const std::optional<std::size_t> scale = look_for_spelled(table, {"scale"});
  detail::CellNumbers numbers(table.separator);
  std::map<std::string, int> line_of_name;
  std::vector<InputRange> ranges;
  for (const CsvRow& row : table.rows) {
    const InputRange range{row.cells[name], read_bound(table, row, low, numbers), read_bound(table, row, high, numbers),
                           read_scale(table, row, scale), to_text(place_of(table, row, low))};
    const Place named = place_of(table, row, name);
    if (range.name.empty()) fail_at(named, "an empty cell", "the name of an input");
    if (!detail::is_utf8(range.name)) fail_at(named, "a name that is not UTF-8", "UTF-8 text");
    const auto [first, is_new] = line_of_name.emplace(range.name, row.line);
    if (!is_new)
      fail_at(named, shown(range.name) + " again after line " + std::to_string(first->second), "each input once");
    if (!(range.low < range.high) || !std::isfinite(range.high - range.low))
      fail_at(place_of(table, row, high), "a range from " + shown(range.low) + " to " + shown(range.high),
              "a maximum above the minimum");
    ranges.push_back(range);
  }
  return ranges;
}

namespace {

constexpr Index kBlockRows = 4096;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

struct PointReader::State {
  State(const std::filesystem::path& path, const std::vector<std::string>& input_names)
      : stream(path), numbers(stream), columns(detail::find_columns(stream, input_names)) {}

  detail::CsvStream stream;
  detail::RowNumbers numbers;
  std::vector<std::size_t> columns;
  std::vector<double> values;  // of one block, row-major
  std::vector<int> lines;
};

PointReader::PointReader(const std::filesystem::path& path, const std::vector<std::string>& input_names)
    : state_(std::make_unique<State>(path, input_names)) {}
PointReader::PointReader(PointReader&&) noexcept = default;
PointReader& PointReader::operator=(PointReader&&) noexcept = default;
PointReader::~PointReader() = default;

bool PointReader::next_block(Index max_rows, Matrix& block) {
  State& state = *state_;
  state.values.clear();
  state.lines.clear();
  Index rows = 0;
  for (; rows < max_rows && state.stream.next(); ++rows) {
    for (const std::size_t column : state.columns) state.values.push_back(state.numbers.finite(column));
    state.lines.push_back(state.stream.line());
  }
  block = Eigen::Map<const RowMajor>(state.values.data(), rows, static_cast<Index>(state.columns.size()));
  return rows > 0;
}

const std::vector<int>& PointReader::lines() const {
  return state_->lines;
}

Matrix read_points(const std::filesystem::path& path, const std::vector<std::string>& input_names) {
  PointReader reader(path, input_names);
  std::vector<double> values;
  Index rows = 0;
  for (Matrix block; reader.next_block(kBlockRows, block); rows += block.rows()) {
    const RowMajor ordered = block;
    values.insert(values.end(), ordered.data(), ordered.data() + ordered.size());
  }
  return Eigen::Map<const RowMajor>(values.data(), rows, static_cast<Index>(input_names.size()));
}

}  // namespace ta2s2
