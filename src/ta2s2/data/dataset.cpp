#include "ta2s2/dataset.hpp"

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/data/load_runs.hpp"

namespace ta2s2 {

struct Dataset::State {
  std::vector<OutputRuns> outputs;
  std::vector<InputRange> ranges;
  Columns columns;
};

Dataset::Dataset(std::vector<OutputRuns> outputs, std::vector<InputRange> ranges, Columns columns)
    : state_(std::make_shared<const State>(State{std::move(outputs), std::move(ranges), std::move(columns)})) {}

Dataset Dataset::read_csv(const std::filesystem::path& file, const Columns& columns) {
  std::vector<OutputRuns> outputs = load_outputs(file, {columns.outputs, columns.inputs});
  return {std::move(outputs), columns.ranges.empty() ? std::vector<InputRange>{} : read_ranges(columns.ranges),
          columns};
}

Dataset Dataset::from_arrays(MatrixView inputs, MatrixView outputs, const std::vector<std::string>& input_names,
                             const std::vector<std::string>& output_names, std::vector<InputRange> ranges) {
  std::vector<OutputRuns> runs;
  for (std::size_t k = 0; k < output_names.size(); ++k) {
    runs.push_back(take_runs(inputs, outputs.col(static_cast<Index>(k)), input_names, output_names[k]));
  }
  return {std::move(runs), std::move(ranges), {}};
}

const std::vector<OutputRuns>& Dataset::by_output() const {
  return state_->outputs;
}

std::vector<std::string> Dataset::input_names() const {
  std::vector<std::string> names;
  for (const OutputRuns& runs : state_->outputs) {
    for (const std::string& name : runs.input_names()) add_once(names, name);
  }
  return names;
}

std::vector<std::string> Dataset::output_names() const {
  std::vector<std::string> names;
  for (const OutputRuns& runs : state_->outputs) names.push_back(runs.output_name());
  return names;
}

const Matrix& Dataset::inputs(std::size_t output) const {
  return state_->outputs.at(output).inputs();
}

const Vector& Dataset::output(std::size_t output) const {
  return state_->outputs.at(output).output();
}

const std::vector<InputRange>& Dataset::ranges() const {
  return state_->ranges;
}

const Columns& Dataset::columns() const {
  return state_->columns;
}

std::vector<std::string> Dataset::notices() const {
  std::vector<std::string> notices;
  for (const OutputRuns& runs : state_->outputs) {
    for (const std::string& notice : runs.notices()) add_once(notices, notice);
  }
  return notices;
}

std::string Dataset::fingerprint() const {
  if (state_->outputs.size() == 1) return state_->outputs.front().fingerprint();
  Fnv1a hash;
  for (const OutputRuns& runs : state_->outputs) hash.add_text(runs.fingerprint());
  return hash.hex();
}

}  // namespace ta2s2
