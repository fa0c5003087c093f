// Numbers that a person would type.
#pragma once

namespace ta2s2::detail {

// A decimal number within a millionth of `width` or little more from `value`, and within [low, low + width] as that was
// declared: the sum itself may be beyond it by rounding.
double short_decimal(double value, double low, double width);

}  // namespace ta2s2::detail
