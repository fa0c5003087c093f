// The number in a cell, the same in every locale.
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

}  // namespace ta2s2::detail
