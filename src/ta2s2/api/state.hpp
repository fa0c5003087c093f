// What an emulator holds: its record, and what is made of it when it is first asked for.
#pragma once

#include <mutex>

#include "ta2s2/emulator.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {

// One output's predictive, and which columns of the points it takes: an input that never changed in the runs of one
// output may have done so in those of another.
struct OutputPredictive {
  Predictive predictive;
  std::vector<Index> columns;

  Matrix inputs(const Matrix& points) const { return points(Eigen::all, columns); }
};

struct Emulator::State {
  explicit State(EmulatorRecord stored) : record(std::move(stored)) {}

  // Error{usage} that lists the outputs if there are several.
  const OutputRecord& only_output() const;
  // One for each output, made once.
  const std::vector<OutputPredictive>& predictives(bool plug_in) const;
  // The record with each output's activity, which files of earlier releases lack: found when first asked for.
  const EmulatorRecord& complete(const Context& context) const;

  const EmulatorRecord record;
  mutable std::mutex mutex, completion_mutex;
  mutable std::optional<std::vector<OutputPredictive>> posteriors, plug_ins;
  mutable std::optional<std::vector<Judgement>> judgements;
  mutable std::optional<EmulatorRecord> completed;
};

// Where each of `wanted` stands in `names`.
// Error unless `values` has a column for each name and every value is finite; `what` begins the message.
void require_columns(MatrixView values, const std::vector<std::string>& names, const std::string& what);
std::vector<Index> columns_of(const std::vector<std::string>& wanted, const std::vector<std::string>& names);

}  // namespace ta2s2
