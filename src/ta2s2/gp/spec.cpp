#include "ta2s2/gp/spec.hpp"

#include <charconv>
#include <cmath>

namespace ta2s2 {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  const auto last = text.find_last_not_of(" \t");
  return std::string(text.substr(first, last - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    parts.push_back(trimmed(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::optional<Spec> parse_spec(std::string_view text) {
  const std::string whole = trimmed(text);
  const auto open = whole.find('(');
  Spec spec{trimmed(whole.substr(0, open)), {}};
  if (spec.name.empty() || spec.name.find_first_of("),") != std::string::npos) return std::nullopt;
  if (open == std::string::npos) return spec;
  if (whole.back() != ')') return std::nullopt;
  spec.arguments = split(std::string_view(whole).substr(open + 1, whole.size() - open - 2), ',');
  for (const auto& argument : spec.arguments) {
    if (argument.empty()) return std::nullopt;
  }
  return spec;
}

std::string format_number(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

std::string format_spec(const std::string& name, const std::vector<double>& arguments) {
  if (arguments.empty()) return name;
  std::string text = name + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) text += ",";
    text += format_number(arguments[i]);
  }
  return text + ")";
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
  std::string message = "'" + trimmed(text) + "' is not a " + kind + "; choose one of ";
  for (std::size_t i = 0; i < allowed.size(); ++i) message += (i > 0 ? ", " : "") + allowed[i];
  return Error(ErrorCode::usage, message);
}

}  // namespace ta2s2
