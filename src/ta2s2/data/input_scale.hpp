// How an input is measured: its words, its map to the axis along which the model is scaled, and which input has which.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// The words stand in the order of the enumerators.
const std::vector<std::string>& words_of(InputScale);
// Any letter case is allowed; the result is empty if there is no such scale.
std::optional<InputScale> find_input_scale(std::string_view word);

// These map the user's units to the axis of the scale, and back. A logarithm needs a positive value.
double on_scale(InputScale scale, double value);
double from_scale(InputScale scale, double value);

// The declared range of each of these inputs, or else the range of the runs, each with its scale: that of the first
// rule that fits the input, or else the declared one. A range or rule that fits no column is an Error{usage}; a run
// outside its declared range, and a value that its scale does not have, are an Error{bad_data}.
std::vector<InputRange> find_ranges(const OutputRuns& data, const std::vector<InputRange>& declared,
                                    const std::vector<InputScaleRule>& rules);

// Error{bad_data} if the scale is log and the range holds a value that is not positive.
void require_positive(const InputRange& range);

namespace detail {

// Throws Error{bad_data}: `<where>: found -1, expected a positive number, because ...`.
[[noreturn]] void fail_not_positive(const std::string& where, double value);

}  // namespace detail

}  // namespace ta2s2
