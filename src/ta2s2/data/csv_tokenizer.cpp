#include "ta2s2/data/csv_tokenizer.hpp"

#include <tuple>

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

}  // namespace ta2s2::detail
