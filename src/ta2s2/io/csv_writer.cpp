#include "ta2s2/dataset.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "ta2s2/base/text.hpp"

namespace ta2s2 {
namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",;\t\"\r\n#") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? "\"\"" : std::string(1, letter);
  return text + '"';
}

// Each row begins with `begin`. What is no number is an empty cell.
void write_rows(std::ostream& out, const std::string& begin, MatrixView rows) {
  std::string line;
  std::array<char, 32> digits;
  for (Index i = 0; i < rows.rows(); ++i) {
    line = begin;
    for (Index j = 0; j < rows.cols(); ++j) {
      if (j > 0) line += ',';
      if (std::isnan(rows(i, j))) continue;
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rows(i, j)).ptr;
      line.append(digits.data(), end);
    }
    line += '\n';
    out << line;
  }
}

}  // namespace

std::string csv_number(double value) {
  return format_number(value);
}

void write_csv_cells(std::ostream& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) out << (i > 0 ? "," : "") << quoted(cells[i]);
  out << '\n';
}

void write_csv_header(std::ostream& out, const std::vector<std::string>& names) {
  write_csv_cells(out, names);
}

void write_csv_rows(std::ostream& out, MatrixView rows) {
  write_rows(out, "", rows);
}

void write_csv_rows(std::ostream& out, const std::string& label, MatrixView rows) {
  write_rows(out, quoted(label) + ',', rows);
}

}  // namespace ta2s2
