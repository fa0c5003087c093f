// What became of a map, as rank 0 tells it to all.
#pragma once

#include <exception>
#include <optional>

#include "ta2s2/exec/detail/packing.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/exec/ranks.hpp"

namespace ta2s2::detail {

// An exception that can travel. Error keeps its code; of any other only the text remains.
struct TaskError {
  std::optional<int> code;
  std::string sentence;

  static TaskError from(const std::exception_ptr& error);
  [[noreturn]] void raise() const;
};

struct MapOutcome {
  bool is_stopped = false;
  std::optional<TaskError> error = std::nullopt;
  std::vector<Payload> results = {};  // in task order, if neither
};

void put_error(Bytes& bytes, const TaskError& error);
TaskError take_error(Unpacker& unpacker);

// On rank 0.
void broadcast_outcome(Ranks& ranks, const MapOutcome& outcome);
// Elsewhere; `first` is the broadcast's first message.
MapOutcome receive_outcome(Ranks& ranks, Message first, std::size_t num_tasks);

}  // namespace ta2s2::detail
