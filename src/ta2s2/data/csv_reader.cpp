#include "ta2s2/data/csv_reader.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "ta2s2/base/input_file.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::detail {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

// A quote that is never closed would otherwise swallow the rest of a large file.
constexpr std::size_t kMaxCellBytes = std::size_t{1} << 20;

constexpr std::size_t kMaxRows = 200;

// A record that ends where a cut head ends may be cut itself and is not looked at.
bool next_whole(CsvTokenizer& tokenizer, bool is_whole, CsvRecord& record) {
  return tokenizer.next(record) && (is_whole || !tokenizer.at_end());
}

CsvSample sample_with(char separator, std::string_view path, std::string_view head, bool is_whole) {
  CsvSample sample{separator, {}, {}};
  CsvTokenizer tokenizer(path, separator, head, nullptr);
  CsvRecord record;
  try {
    if (next_whole(tokenizer, is_whole, record)) sample.header = record;
    while (sample.rows.size() < kMaxRows && next_whole(tokenizer, is_whole, record)) sample.rows.push_back(record);
  } catch (const Error&) {
    // A fault under this separator: judge by what came before it. The real pass reports it if it is the
    // file's own.
  }
  return sample;
}

// More is better: a header that is split at all, rows as long as the header, columns.
std::tuple<bool, std::size_t, std::size_t> score(const CsvSample& sample) {
  const std::size_t columns = sample.header.cells.size();
  std::size_t fit = 0;
  for (const CsvRecord& row : sample.rows) {
    if (row.cells.size() == columns) fit += 2;
    if (row.cells.size() == columns + 1 || row.cells.size() + 1 == columns) fit += 1;
  }
  return {columns > 1, fit, columns};
}

}  // namespace

CsvTokenizer::CsvTokenizer(std::string_view path, char separator, std::string_view head, std::istream* rest)
    : path_(path), separator_(separator), rest_(rest), bytes_(head) {}

bool CsvTokenizer::next(CsvRecord& record) {
  for (;;) {
    skip_spaces();
    const int byte = peek();
    if (byte == kEnd) return false;
    if (byte == '#') {
      skip_comment();
    } else if (read_record(record)) {
      return true;
    }
  }
}

// False for a record without content: a blank line, or one of separators only, as spreadsheets write them.
bool CsvTokenizer::read_record(CsvRecord& record) {
  record.line = line_;
  std::size_t count = 0;
  bool has_content = false;
  do {
    if (count > 0) take();
    if (count == record.cells.size()) record.cells.emplace_back();
    std::string& cell = record.cells[count++];
    cell.clear();
    skip_spaces();
    has_content = has_content || !at_cell_end();
    read_cell(cell, static_cast<int>(count));
  } while (peek() == static_cast<unsigned char>(separator_));
  take_line_end();
  record.cells.resize(count);
  return has_content;
}

void CsvTokenizer::read_cell(std::string& cell, int column) {
  if (peek() == '"') {
    read_quoted(cell, column);
  } else {
    read_plain(cell);
  }
}

void CsvTokenizer::read_plain(std::string& cell) {
  while (!at_cell_end()) cell += static_cast<char>(take());
  cell.erase(cell.find_last_not_of(" \t") + 1);
}

void CsvTokenizer::read_quoted(std::string& cell, int column) {
  const Place opened{path_, line_, column};
  take();
  for (;;) {
    if (peek() == kEnd || cell.size() > kMaxCellBytes) fail_at(opened, "a quote that is not closed", "a closing quote");
    if (peek() == '\n' || peek() == '\r') {
      take_line_end();
      cell += '\n';
      continue;
    }
    const int byte = take();
    if (byte == '"') {
      if (peek() != '"') break;
      take();
    }
    cell += static_cast<char>(byte);
  }
  const std::size_t first = cell.find_first_not_of(" \t\n");
  cell.erase(cell.find_last_not_of(" \t\n") + 1);
  cell.erase(0, first == std::string::npos ? 0 : first);
  skip_spaces();
  if (!at_cell_end())
    fail_at({path_, line_, column}, "text after a closing quote", "a separator or the end of the line");
}

int CsvTokenizer::peek() {
  if (position_ == bytes_.size() && !refill()) return kEnd;
  return static_cast<unsigned char>(bytes_[position_]);
}

int CsvTokenizer::take() {
  const int byte = peek();
  if (byte == 0) fail_at_nul();
  if (byte != kEnd) ++position_;
  return byte;
}

bool CsvTokenizer::refill() {
  if (rest_ == nullptr) return false;
  buffer_.resize(kBlockBytes);
  rest_->read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (rest_->bad()) throw Error(ErrorCode::bad_file, std::string(path_) + ": reading it failed");
  bytes_ = std::string_view(buffer_).substr(0, static_cast<std::size_t>(rest_->gcount()));
  position_ = 0;
  return !bytes_.empty();
}

bool CsvTokenizer::at_cell_end() {
  const int byte = peek();
  return byte == kEnd || byte == '\n' || byte == '\r' || byte == static_cast<unsigned char>(separator_);
}

void CsvTokenizer::skip_spaces() {
  while (peek() == ' ' || (peek() == '\t' && separator_ != '\t')) take();
}

void CsvTokenizer::skip_comment() {
  while (peek() != kEnd && peek() != '\n' && peek() != '\r') take();
  take_line_end();
}

// LF, CR LF, or CR alone; nothing at the end of the file.
void CsvTokenizer::take_line_end() {
  const int byte = take();
  if (byte == kEnd) return;
  ++line_;
  if (byte == '\r' && peek() == '\n') take();
}

void CsvTokenizer::fail_at_nul() const {
  fail_at({path_, line_}, "a NUL byte", "UTF-8 text (a binary or UTF-16 file must be saved as UTF-8 CSV first)");
}

CsvSample sample_csv(std::string_view path, std::string_view head, bool is_whole) {
  CsvSample best = sample_with(',', path, head, is_whole);
  for (const char separator : {';', '\t'}) {
    CsvSample other = sample_with(separator, path, head, is_whole);
    // Of two that fit alike the comma loses: it also stands in numbers and names.
    const bool is_tie = score(other) == score(best) && other.header.cells.size() > 1;
    if (is_tie || score(other) > score(best)) best = std::move(other);
  }
  return best;
}

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

namespace ta2s2::detail {
namespace {

constexpr std::size_t kMaxListed = 20;

// Levenshtein distance, by rows of the usual table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> columns_of(const CsvStream& stream, const std::string& part,
                                    const std::vector<std::string>& taken) {
  if (contains(stream.names(), part) || part.find_first_of("*?") == std::string::npos) {
    return {stream.names()[find_column(stream, part)]};
  }
  std::vector<std::string> fitting;
  for (const std::string& name : stream.names()) {
    if (fits_pattern(name, part) && !contains(taken, name)) fitting.push_back(name);
  }
  if (fitting.empty()) {
    fail_at({stream.path(), stream.header_line()}, "the columns " + listed(stream.names()),
            "at least one that fits " + shown(part));
  }
  return fitting;
}

}  // namespace

std::size_t find_column(const CsvStream& stream, const std::string& name) {
  const auto& names = stream.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_name(names, name);
  const std::string hint = nearest.empty() ? "" : " (did you mean " + shown(nearest) + "?)";
  fail_at({stream.path(), stream.header_line()}, "the columns " + listed(names), "a column " + shown(name) + hint);
}

std::vector<std::size_t> find_columns(const CsvStream& stream, const std::vector<std::string>& names) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(find_column(stream, name));
  return columns;
}

std::string listed(const std::vector<std::string>& names) {
  const std::span<const std::string> first(names.data(), std::min(names.size(), kMaxListed));
  std::string text = join(first, ", ", [](const std::string& name) { return shown(name); });
  if (names.size() > kMaxListed) text += " and " + std::to_string(names.size() - kMaxListed) + " more";
  return text;
}

std::string nearest_name(const std::vector<std::string>& names, std::string_view wanted) {
  const std::string lower = to_lower(wanted);
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string best;
  for (const std::string& name : names) {
    // One edit turns any single letter into any other: that is no likeness.
    const std::size_t distance = edit_distance(to_lower(name), lower);
    if (distance < best_distance && distance < std::max(name.size(), lower.size())) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
      if (fits_pattern(name.substr(skipped), pattern.substr(1))) return true;
    }
    return false;
  }
  if (name.empty() || (pattern.front() != '?' && pattern.front() != name.front())) return false;
  return fits_pattern(name.substr(1), pattern.substr(1));
}

std::vector<std::string> matching_columns(const CsvStream& stream, const std::string& text,
                                          const std::vector<std::string>& taken) {
  if (text.empty()) return {};
  if (contains(stream.names(), text)) return {text};
  std::vector<std::string> columns;
  for (const std::string& part : split(text, ',')) {
    for (const std::string& name : columns_of(stream, part, taken)) add_once(columns, name);
  }
  return columns;
}

}  // namespace ta2s2::detail
