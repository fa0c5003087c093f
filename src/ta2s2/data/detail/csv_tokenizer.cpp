#include "ta2s2/data/detail/csv_tokenizer.hpp"

#include "ta2s2/data/detail/place.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::detail {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

// A quote that is never closed would otherwise swallow the rest of a large file.
constexpr std::size_t kMaxCellBytes = std::size_t{1} << 20;

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

}  // namespace ta2s2::detail
