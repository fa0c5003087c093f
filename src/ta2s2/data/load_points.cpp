#include "ta2s2/dataset.hpp"

#include "ta2s2/data/columns.hpp"
#include "ta2s2/data/csv_reader.hpp"

namespace ta2s2 {

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
