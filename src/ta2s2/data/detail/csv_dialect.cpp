#include "ta2s2/data/detail/csv_dialect.hpp"

#include <tuple>

#include "ta2s2/error.hpp"

namespace ta2s2::detail {

namespace {

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
