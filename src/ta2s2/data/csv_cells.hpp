// The number in a cell, the same in every locale, and sentences about cells.
#pragma once

#include <string>
#include <string_view>

namespace ta2s2::detail {

enum class CellKind {
  number,
  missing,       // empty, nan, NA, N/A, null, none
  infinite,      // inf, infinity, or too large for a double
  mixed_marks,   // 1.5 in a file that has written 0,5 before, or the reverse
  not_a_number,  // anything else
};

struct CellNumber {
  CellKind kind = CellKind::missing;
  double value = 0.0;  // of a number, else 0
};

// Reads the cells of one file. A decimal comma is possible where the comma does not separate cells. The first
// mark seen is then the file's: "1.234" among decimal commas is most likely a thousand and not to be guessed
// at.
class CellNumbers {
 public:
  explicit CellNumbers(char separator) : allows_comma_(separator != ',') {}
  CellNumber read(std::string_view cell);

 private:
  bool allows_comma_;
  char mark_ = '\0';
};

// What a cell of this kind should have been, for a message.
std::string expected_for(CellKind kind);

// Is this cell alone a number, missing values not counted?
bool is_number(std::string_view cell, char separator);

// A cell of a file, for a sentence about it. Numbers count from 1; 0 and "" mean unknown and are left out of the
// sentence.
struct Place {
  std::string_view path;
  int line = 0;
  int column = 0;
  std::string_view name = {};
};

// runs.csv, line 7, column 3 "b"
std::string to_text(const Place& place);

// Throws Error{bad_data}: `runs.csv, line 7, column 3 "b": found <found>, expected <expected>`.
[[noreturn]] void fail_at(const Place& place, const std::string& found, const std::string& expected);

// A cell's text in quotes, fit for one line of a terminal: shortened, no control characters, always UTF-8.
std::string shown(std::string_view text);

// The shortest decimal that reads back as the same double.
std::string shown(double value);

// Column names must be UTF-8: they are written again, into JSON among others. Strict: no overlong form, no surrogate,
// nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace ta2s2::detail
