#include "ta2s2/data/output_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {

namespace {

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::bad_data, message);
}

}  // namespace

OutputRuns::OutputRuns(Matrix inputs, Vector output, std::vector<std::string> input_names, std::string output_name,
                       RunSource source)
    : inputs_(std::move(inputs)),
      output_(std::move(output)),
      input_names_(std::move(input_names)),
      output_name_(std::move(output_name)),
      source_(std::move(source)) {
  check_sizes();
  check_names();
  check_numbers();
}

void OutputRuns::check_sizes() const {
  if (inputs_.rows() < 1 || inputs_.cols() < 1) fail("found no runs or no inputs, expected at least one of each");
  if (output_.size() != inputs_.rows())
    fail("found " + std::to_string(output_.size()) + " outputs for " + std::to_string(inputs_.rows()) +
         " runs, expected one each");
  if (static_cast<Index>(input_names_.size()) != inputs_.cols())
    fail("found " + std::to_string(input_names_.size()) + " names for " + std::to_string(inputs_.cols()) +
         " inputs, expected one each");
  if (!lines().empty() && static_cast<Index>(lines().size()) != inputs_.rows())
    fail("found " + std::to_string(lines().size()) + " line numbers for " + std::to_string(inputs_.rows()) +
         " runs, expected one each");
}

void OutputRuns::check_names() const {
  std::set<std::string> seen{output_name_};
  if (output_name_.empty()) fail("found an output without a name, expected one");
  for (const std::string& name : input_names_) {
    if (name.empty()) fail("found an input without a name, expected one");
    if (!seen.insert(name).second) fail("found the name " + detail::shown(name) + " twice, expected different names");
  }
}

void OutputRuns::check_numbers() const {
  for (Index run = 0; run < num_runs(); ++run) {
    for (Index input = 0; input < num_inputs(); ++input) {
      if (std::isfinite(inputs_(run, input))) continue;
      fail(where(run) + ", column " + detail::shown(input_names_[static_cast<std::size_t>(input)]) + ": found " +
           detail::shown(inputs_(run, input)) + ", expected a finite number");
    }
    if (!std::isfinite(output_[run]))
      fail(where(run) + ", column " + detail::shown(output_name_) + ": found " + detail::shown(output_[run]) +
           ", expected a finite number");
  }
}

int OutputRuns::line_of(Index run) const {
  return lines().empty() ? static_cast<int>(run) + 1 : lines()[static_cast<std::size_t>(run)];
}

std::string OutputRuns::where(Index run) const {
  const std::string number = std::to_string(line_of(run));
  if (lines().empty()) return "run " + number;
  return path().empty() ? "line " + number : path() + ", line " + number;
}

std::string OutputRuns::fingerprint() const {
  Fnv1a hash;
  hash.add_word(static_cast<std::uint64_t>(num_runs()));
  hash.add_word(static_cast<std::uint64_t>(num_inputs()));
  for (const std::string& name : input_names_) hash.add_text(name);
  hash.add_text(output_name_);
  for (Index run = 0; run < num_runs(); ++run) {
    for (Index input = 0; input < num_inputs(); ++input) hash.add_number(inputs_(run, input));
    hash.add_number(output_[run]);
  }
  return hash.hex();
}

namespace {

// Runs in lexicographic order of their inputs, those with equal inputs in their own order.
std::vector<Index> runs_sorted_by_inputs(const Matrix& inputs) {
  std::vector<Index> order(static_cast<std::size_t>(inputs.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    for (Index input = 0; input < inputs.cols(); ++input) {
      if (inputs(a, input) != inputs(b, input)) return inputs(a, input) < inputs(b, input);
    }
    return false;
  });
  return order;
}

}  // namespace

DuplicateRuns find_duplicate_runs(const OutputRuns& data) {
  const std::vector<Index> order = runs_sorted_by_inputs(data.inputs());
  DuplicateRuns found;
  Index earliest = data.num_runs();  // the second run of the first differing pair
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    const Index first = order[begin];
    for (end = begin + 1; end < order.size(); ++end) {
      const Index run = order[end];
      if (data.inputs().row(run) != data.inputs().row(first)) break;
      if (data.output()[run] == data.output()[first] || run >= earliest) continue;
      earliest = run;
      found.differing_outputs = true;
      found.first_line = data.line_of(first);
      found.second_line = data.line_of(run);
    }
    if (end - begin > 1) ++found.groups;
  }
  return found;
}

}  // namespace ta2s2
