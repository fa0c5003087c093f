// Words, lists and numbers as people type and read them; the same in every locale.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ta2s2 {

std::string trimmed(std::string_view text);                             // without blanks and tabs at its ends
std::vector<std::string> split(std::string_view text, char separator);  // each part trimmed
std::string to_lower(std::string_view text);                            // of ASCII letters

// text_of(item) of every item, with the separator between them; text_of may be a member: join(criteria(), ", ",
// &Info::name).
template <class List, class TextOf = std::identity>
std::string join(const List& list, std::string_view separator, TextOf text_of = {}) {
  std::string text;
  bool is_first = true;
  for (const auto& item : list) {
    if (!is_first) text += separator;
    is_first = false;
    text += std::invoke(text_of, item);
  }
  return text;
}

bool contains(const std::vector<std::string>& list, std::string_view text);

// Each sentence where it is first said. Outputs of the same runs, for one, share most of their notices.
std::vector<std::string> once(const std::vector<std::string>& sentences);
void add_once(std::vector<std::string>& sentences, const std::string& sentence);

// "1 run", "2 runs".
std::string counted(long long count, const std::string& noun);

std::string format_number(double value);              // the fewest digits that read back as the same double
std::string format_number(double value, int digits);  // so many significant digits, trailing zeros dropped
std::string format_fixed(double value, int decimals);

// "12.3%" of 0.123 and three digits; four between 99% and 100%, where what is missing is the news.
std::string percent(double share, int digits);

}  // namespace ta2s2
