#include "ta2s2/data/input_scale.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

using detail::shown;

[[noreturn]] void refuse_name(const std::string& what, const std::string& name, const OutputRuns& data) {
  const std::string nearest = detail::nearest_name(data.input_names(), name);
  throw Error(ErrorCode::usage, what + shown(name) + ", expected one of the inputs " +
                                    detail::listed(data.input_names()) +
                                    (nearest.empty() ? "" : " (did you mean " + shown(nearest) + "?)"));
}

void check_known(const OutputRuns& data, const std::vector<InputRange>& ranges) {
  for (const InputRange& range : ranges) {
    if (contains(data.input_names(), range.name) || contains(data.unused_columns(), range.name)) continue;
    refuse_name("a range is declared for ", range.name, data);
  }
}

// Inputs that were left out are known: of several outputs, another one may use them.
void check_known(const OutputRuns& data, const std::vector<InputScaleRule>& rules) {
  for (const InputScaleRule& rule : rules) {
    const auto fits = [&](const std::string& name) { return detail::fits_pattern(name, rule.pattern); };
    if (std::ranges::any_of(data.input_names(), fits) || std::ranges::any_of(data.unused_columns(), fits)) continue;
    refuse_name("--input-scale: found ", rule.pattern, data);
  }
}

void check_inside(const OutputRuns& data, Index input, const InputRange& range) {
  for (Index run = 0; run < data.num_runs(); ++run) {
    const double value = data.inputs()(run, input);
    if (value >= range.low && value <= range.high) continue;
    throw Error(ErrorCode::bad_data, data.where(run) + ", column " + shown(range.name) + ": found " + shown(value) +
                                         ", expected a value in its declared range, " + shown(range.low) + " to " +
                                         shown(range.high));
  }
}

void check_positive(const OutputRuns& data, Index input, const std::string& name) {
  for (Index run = 0; run < data.num_runs(); ++run) {
    const double value = data.inputs()(run, input);
    if (!(value > 0.0)) detail::fail_not_positive(data.where(run) + ", column " + shown(name), value);
  }
}

InputScale scale_for(const std::string& name, InputScale declared, const std::vector<InputScaleRule>& rules) {
  for (const InputScaleRule& rule : rules) {
    if (detail::fits_pattern(name, rule.pattern)) return rule.scale;
  }
  return declared;
}

InputRange find_range(const OutputRuns& data, Index input, const std::vector<InputRange>& declared,
                      const std::vector<InputScaleRule>& rules) {
  const std::string& name = data.input_names()[static_cast<std::size_t>(input)];
  const auto found = std::ranges::find(declared, name, &InputRange::name);
  const bool is_declared = found != declared.end();
  const auto values = data.inputs().col(input);
  InputRange range = is_declared ? *found : InputRange{name, values.minCoeff(), values.maxCoeff()};
  range.scale = scale_for(name, range.scale, rules);
  if (is_declared) {
    require_positive(range);
    check_inside(data, input, range);
  } else if (range.scale == InputScale::log) {
    check_positive(data, input, name);
  }
  return range;
}

}  // namespace

const std::vector<std::string>& words_of(InputScale) {
  static const std::vector<std::string> words = {"linear", "log"};
  return words;
}

std::optional<InputScale> find_input_scale(std::string_view word) {
  const std::vector<std::string>& words = words_of(InputScale{});
  const auto found = std::ranges::find(words, to_lower(word));
  if (found == words.end()) return std::nullopt;
  return static_cast<InputScale>(found - words.begin());
}

double on_scale(InputScale scale, double value) {
  return scale == InputScale::log ? std::log(value) : value;
}

double from_scale(InputScale scale, double value) {
  return scale == InputScale::log ? std::exp(value) : value;
}

std::vector<InputRange> find_ranges(const OutputRuns& data, const std::vector<InputRange>& declared,
                                    const std::vector<InputScaleRule>& rules) {
  check_known(data, declared);
  check_known(data, rules);
  std::vector<InputRange> ranges;
  for (Index input = 0; input < data.num_inputs(); ++input) ranges.push_back(find_range(data, input, declared, rules));
  return ranges;
}

void require_positive(const InputRange& range) {
  if (range.scale != InputScale::log || range.low > 0.0) return;
  detail::fail_not_positive(range.where.empty() ? "the range declared for " + shown(range.name) : range.where,
                            range.low);
}

namespace detail {

void fail_not_positive(const std::string& where, double value) {
  throw Error(ErrorCode::bad_data,
              where + ": found " + shown(value) + ", expected a positive number, because this input has a log scale");
}

}  // namespace detail

}  // namespace ta2s2
