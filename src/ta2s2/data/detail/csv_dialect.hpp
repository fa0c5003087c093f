// Which separator a file uses, judged by its first lines.
#pragma once

#include <string_view>
#include <vector>

#include "ta2s2/data/detail/csv_tokenizer.hpp"

namespace ta2s2::detail {

struct CsvSample {
  char separator = ',';
  CsvRecord header;             // no cells if there is none
  std::vector<CsvRecord> rows;  // the first ones, whole
};

// `head` are the file's first bytes after any byte-order mark; `is_whole` says that there are no others.
CsvSample sample_csv(std::string_view path, std::string_view head, bool is_whole);

}  // namespace ta2s2::detail
