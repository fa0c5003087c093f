#include "ta2s2/gp/spec.hpp"

#include <charconv>
#include <cmath>

namespace ta2s2 {

std::optional<ParsedSpec> parse_spec(std::string_view text) {
  const std::string whole = trimmed(text);
  const auto open = whole.find('(');
  ParsedSpec spec{trimmed(whole.substr(0, open)), {}};
  if (spec.name.empty() || spec.name.find_first_of("),") != std::string::npos) return std::nullopt;
  if (open == std::string::npos) return spec;
  if (whole.back() != ')') return std::nullopt;
  spec.arguments = split(std::string_view(whole).substr(open + 1, whole.size() - open - 2), ',');
  for (const auto& argument : spec.arguments) {
    if (argument.empty()) return std::nullopt;
  }
  return spec;
}

std::string format_spec(const std::string& name, const std::vector<double>& arguments) {
  if (arguments.empty()) return name;
  const auto text_of = [](double value) { return format_number(value); };
  return name + "(" + join(arguments, ",", text_of) + ")";
}

double parse_number(const std::string& text, const std::string& purpose) {
  const std::size_t skip = !text.empty() && text.front() == '+' ? 1 : 0;
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + skip, end, value);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) {
    throw Error(ErrorCode::usage, "'" + text + "' in " + purpose + " is not a number");
  }
  return value;
}

void require_positive(double value, const std::string& what) {
  if (value > 0.0) return;
  throw Error(ErrorCode::usage, what + " must be above zero, not " + format_number(value));
}

Error unknown_choice(const std::string& kind, std::string_view text, const std::vector<std::string>& allowed) {
  return Error(ErrorCode::usage, "'" + trimmed(text) + "' is not a " + kind + "; choose one of " + join(allowed, ", "));
}

}  // namespace ta2s2
