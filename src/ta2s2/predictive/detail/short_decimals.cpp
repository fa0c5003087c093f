#include "ta2s2/predictive/detail/short_decimals.hpp"

#include <cmath>

namespace ta2s2::detail {

double short_decimal(double value, double low, double width) {
  constexpr int kDigits = 6;
  const int places = kDigits - static_cast<int>(std::floor(std::log10(width)));
  // A power of ten that is a whole number is exact, and dividing by it gives the double nearest to the decimal.
  const double power = std::pow(10.0, std::abs(places));
  const auto decimal = [&](double whole) { return places > 0 ? whole / power : whole * power; };
  const double whole = std::round(places > 0 ? value * power : value / power), slack = 1e-12 * width;
  if (decimal(whole) > low + width + slack) return decimal(whole - 1.0);
  if (decimal(whole) < low - slack) return decimal(whole + 1.0);
  return decimal(whole);
}

}  // namespace ta2s2::detail
