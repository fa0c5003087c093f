#include "ta2s2/data/csv_reader.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "ta2s2/base/input_file.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::detail {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

// R writes row names, always distinct, under a header that is one cell shorter than every row. A further cell
// that is empty in every row is a trailing separator instead. `num_names` does not count the header's own.
bool rows_begin_with_labels(const CsvSample& sample, std::size_t num_names) {
  std::set<std::string> labels;
  bool last_is_empty = true;
  for (const CsvRecord& row : sample.rows) {
    if (row.cells.size() <= sample.header.cells.size() || !labels.insert(row.cells[0]).second) return false;
    last_is_empty = last_is_empty && row.cells[num_names].empty();
  }
  return !last_is_empty;
}

std::string num_cells_text(std::size_t count) {
  return counted(static_cast<long long>(count), "cell");
}

}  // namespace

CsvStream::CsvStream(const std::filesystem::path& path) : path_(path.string()) {
  open(path);
  read_head();
  const bool is_whole = head_.size() < kHeadBytes;
  std::string_view text = head_;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const CsvSample sample = sample_csv(path_, text, is_whole);
  separator_ = sample.separator;
  tokenizer_.emplace(path_, separator_, text, is_whole ? nullptr : &file_);
  read_header(sample);
  check_names();
}

void CsvStream::open(const std::filesystem::path& path) {
  InputFile opened = open_input_file(path);
  if (opened.is_directory) throw Error(ErrorCode::bad_file, path_ + ": found a directory, expected a CSV file");
  if (!opened.bytes) {
    const std::string reason = opened.error_number != 0 ? std::strerror(opened.error_number) : "unknown reason";
    throw Error(ErrorCode::bad_file, path_ + ": cannot be opened (" + reason + "), expected a CSV file");
  }
  bytes_ = std::move(opened.bytes);
  file_.rdbuf(bytes_.get());
}

void CsvStream::read_head() {
  head_.resize(kHeadBytes);
  file_.read(head_.data(), static_cast<std::streamsize>(head_.size()));
  if (file_.bad()) throw Error(ErrorCode::bad_file, path_ + ": reading it failed");
  head_.resize(static_cast<std::size_t>(file_.gcount()));
  if (head_.starts_with("\xFF\xFE") || head_.starts_with("\xFE\xFF"))
    fail_at({path_, 1, 1}, "UTF-16 text", "UTF-8 text: save the file as UTF-8 CSV");
}

void CsvStream::read_header(const CsvSample& sample) {
  CsvRecord header;
  if (!tokenizer_->next(header)) fail_at({path_, 1, 1}, "no text", "a line of column names and rows of numbers");
  header_line_ = header.line;
  names_ = std::move(header.cells);
  while (!names_.empty() && names_.back().empty()) names_.pop_back();
  if (names_.empty()) fail_at({path_, header_line_, 1}, "no column name", "a line of column names");
  if (names_.front().empty()) {
    has_row_labels_ = true;
    names_.erase(names_.begin());
  } else {
    has_row_labels_ = rows_begin_with_labels(sample, names_.size());
  }
}

void CsvStream::check_names() const {
  const auto is_numeric = [this](const std::string& name) { return is_number(name, separator_); };
  if (std::all_of(names_.begin(), names_.end(), is_numeric))
    fail_at({path_, header_line_, 1}, "only numbers in the first line",
            "column names: add a header line such as x1,x2,y (a line that starts with # is a comment)");
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t column = 0; column < names_.size(); ++column) {
    const std::string& name = names_[column];
    const Place here = header_place(column);
    if (name.empty()) fail_at(here, "an empty cell", "a column name");
    if (!is_utf8(name)) fail_at(here, "a name that is not UTF-8", "UTF-8 text: save the file as UTF-8 CSV");
    const auto [first, is_new] = seen.emplace(name, column);
    if (!is_new)
      fail_at(here, "the name of column " + std::to_string(header_place(first->second).column) + " again",
              "a different name for each column");
  }
}

bool CsvStream::next() {
  if (!tokenizer_->next(record_)) {
    if (cells_per_row_ == 0)
      fail_at({path_, header_line_ + 1, 1}, "no rows after the header", "at least one row of numbers");
    return false;
  }
  check_row();
  cells_per_row_ = record_.cells.size();
  return true;
}

// As many cells as the first row, and nothing in those that trailing separators add.
void CsvStream::check_row() const {
  const std::size_t found = record_.cells.size();
  const bool is_first = cells_per_row_ == 0;
  const bool has_right_length = is_first ? found >= num_cells() : found == cells_per_row_;
  std::size_t end = num_cells();
  while (end < found && record_.cells[end].empty()) ++end;
  if (has_right_length && end == found) return;

  const std::size_t expected = is_first ? num_cells() : cells_per_row_;
  const std::string separator = separator_ == '\t' ? "tabs" : "'" + std::string(1, separator_) + "'";
  const std::string wanted = num_cells_text(expected) + ", separated by " + separator + ", as in the lines before";
  if (found < expected) fail_at(place(found - num_labels()), num_cells_text(found), wanted);
  if (end == found) end = expected;
  fail_at({path_, record_.line, static_cast<int>(end) + 1},
          num_cells_text(found) + " (a further " + shown(record_.cells[end]) + ")", wanted);
}

Place CsvStream::place(std::size_t column, int line) const {
  const std::string_view name = column < names_.size() ? std::string_view(names_[column]) : std::string_view();
  return {path_, line, static_cast<int>(num_labels() + column) + 1, name};
}

double RowNumbers::finite(std::size_t column, const std::string& hint) {
  const CellNumber number = numbers_.read(stream_.cell(column));
  if (number.kind != CellKind::number) fail(column, number.kind, hint);
  return number.value;
}

bool RowNumbers::finite_or_missing(std::size_t column, double& value) {
  const CellNumber number = numbers_.read(stream_.cell(column));
  if (number.kind == CellKind::missing || number.kind == CellKind::infinite) return false;
  if (number.kind != CellKind::number) fail(column, number.kind, ", or nothing for a failed run");
  value = number.value;
  return true;
}

void RowNumbers::fail(std::size_t column, CellKind kind, const std::string& hint) const {
  const std::string& cell = stream_.cell(column);
  fail_at(stream_.place(column), cell.empty() ? "an empty cell" : shown(cell), expected_for(kind) + hint);
}

}  // namespace ta2s2::detail

namespace ta2s2 {

CsvTable read_csv_table(const std::filesystem::path& path) {
  detail::CsvStream stream(path);
  CsvTable table{stream.path(), stream.separator(), stream.header_line(), stream.names(), stream.has_row_labels(), {}};
  while (stream.next()) {
    CsvRow& row = table.rows.emplace_back();
    row.line = stream.line();
    for (std::size_t column = 0; column < table.names.size(); ++column) row.cells.push_back(stream.cell(column));
  }
  return table;
}

}  // namespace ta2s2
