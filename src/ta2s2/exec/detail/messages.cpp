#include "ta2s2/exec/detail/messages.hpp"

#include <stdexcept>
#include <utility>

#include "ta2s2/error.hpp"

namespace ta2s2::detail {
namespace {

constexpr char kOutcome = 'm', kResults = 'r';

// Results travel several to a message, which must stay below MPI's 2^31 bytes.
constexpr std::size_t kMessageBytes = std::size_t{1} << 24;

}  // namespace

TaskError TaskError::from(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return {static_cast<int>(known.code()), known.what()};
  } catch (const std::exception& other) {
    return {std::nullopt, other.what()};
  } catch (...) {
    return {std::nullopt, "a task threw something that is no exception"};
  }
}

void TaskError::raise() const {
  if (code) throw Error(static_cast<ErrorCode>(*code), sentence);
  throw std::runtime_error(sentence);
}

void put_error(Bytes& bytes, const TaskError& error) {
  put(bytes, error.code.has_value());
  put(bytes, error.code.value_or(0));
  put_text(bytes, error.sentence);
}

TaskError take_error(Unpacker& unpacker) {
  TaskError error;
  const bool has_code = unpacker.number<bool>();
  const int code = unpacker.number<int>();
  if (has_code) error.code = code;
  error.sentence = unpacker.text();
  return error;
}

void broadcast_outcome(Ranks& ranks, const MapOutcome& outcome) {
  Bytes head;
  put(head, outcome.is_stopped);
  put(head, outcome.error.has_value());
  if (outcome.error) put_error(head, *outcome.error);
  ranks.broadcast(kOutcome, std::move(head));
  Bytes part;
  for (std::size_t task = 0; task < outcome.results.size(); ++task) {
    put_numbers(part, outcome.results[task]);
    if (part.size() < kMessageBytes && task + 1 < outcome.results.size()) continue;
    ranks.broadcast(kResults, std::exchange(part, {}));
  }
}

MapOutcome receive_outcome(Ranks& ranks, Message first, std::size_t num_tasks) {
  const Bytes head = ranks.pass_on(kOutcome, std::move(first.bytes));
  Unpacker unpacker(head);
  MapOutcome outcome;
  outcome.is_stopped = unpacker.number<bool>();
  if (unpacker.number<bool>()) outcome.error = take_error(unpacker);
  if (outcome.is_stopped || outcome.error) return outcome;
  while (outcome.results.size() < num_tasks) {
    const Bytes part = ranks.broadcast(kResults, {});
    for (Unpacker results(part); !results.at_end();) outcome.results.push_back(results.numbers());
  }
  return outcome;
}

}  // namespace ta2s2::detail
