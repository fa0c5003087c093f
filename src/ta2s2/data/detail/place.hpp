// Sentences about bad data: where it is, what was found there, what was expected.
#pragma once

#include <string>
#include <string_view>

namespace ta2s2::detail {

// A cell of a file. Numbers count from 1; 0 and "" mean unknown and are left out of the sentence.
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

}  // namespace ta2s2::detail
