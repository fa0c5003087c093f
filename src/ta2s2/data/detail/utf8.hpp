// Is a text UTF-8? Column names must be: they are written again, into JSON among others.
#pragma once

#include <string_view>

namespace ta2s2::detail {

// Strict: no overlong form, no surrogate, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace ta2s2::detail
