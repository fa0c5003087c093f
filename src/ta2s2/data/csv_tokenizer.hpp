// Bytes to records of cells: quotes, line ends, comments and blank lines. It knows nothing of headers or
// numbers.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace ta2s2::detail {

struct CsvRecord {
  int line = 0;  // where it begins, from 1
  std::vector<std::string> cells;
};

class CsvTokenizer {
 public:
  // Reads `head`, then `rest` (null: nothing more). `path` is for messages. Both views must outlive the
  // tokenizer.
  CsvTokenizer(std::string_view path, char separator, std::string_view head, std::istream* rest);

  // The next record that is neither blank nor a comment; false at the end. Reuses the memory of `record`.
  bool next(CsvRecord& record);

  // Nothing is left to read.
  bool at_end() { return peek() == kEnd; }

 private:
  static constexpr int kEnd = -1;

  int peek();
  int take();
  bool refill();
  bool at_cell_end();
  void skip_spaces();
  void skip_comment();
  void take_line_end();
  bool read_record(CsvRecord& record);
  void read_cell(std::string& cell, int column);
  void read_plain(std::string& cell);
  void read_quoted(std::string& cell, int column);
  [[noreturn]] void fail_at_nul() const;

  std::string_view path_;
  char separator_;
  std::istream* rest_;
  std::string_view bytes_;
  std::size_t position_ = 0;
  std::string buffer_;
  int line_ = 1;
};

// Which separator a file uses, judged by its first lines.
struct CsvSample {
  char separator = ',';
  CsvRecord header;             // no cells if there is none
  std::vector<CsvRecord> rows;  // the first ones, whole
};

// `head` are the file's first bytes after any byte-order mark; `is_whole` says that there are no others.
CsvSample sample_csv(std::string_view path, std::string_view head, bool is_whole);

}  // namespace ta2s2::detail
