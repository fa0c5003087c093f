// What ranks send each other: numbers and texts as bytes, how a map ended, and how long to wait for a message.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/exec/ranks.hpp"
#include "ta2s2/exec/transport.hpp"

namespace ta2s2::detail {

template <class Number>
void put(Bytes& bytes, const Number& number) {
  static_assert(std::is_trivially_copyable_v<Number>);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

inline void put_numbers(Bytes& bytes, const std::vector<double>& numbers) {
  put(bytes, numbers.size());
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

inline void put_text(Bytes& bytes, std::string_view text) {
  put(bytes, text.size());
  bytes.append(text);
}

// Takes numbers and texts in the order in which they were put.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  template <class Number>
  Number number() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  std::vector<double> numbers() {
    std::vector<double> numbers(number<std::size_t>());
    const std::string_view bytes = take(numbers.size() * sizeof(double));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

  std::string text() { return std::string(take(number<std::size_t>())); }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::length_error("a message between ranks is shorter than it says");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

// How long to sleep between two looks for messages: a quarter of the time that nothing has come. A look is cheap, but
// waking up for it takes the core from a worker: at most a few hundred times a second.
class Patience {
 public:
  void something_came() { since_ = Clock::now(); }

  std::chrono::microseconds pause() const {
    const auto idle = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - since_);
    return std::clamp<std::chrono::microseconds>(idle / 4, kShortest, kLongest);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kShortest{50}, kLongest{5000};

  Clock::time_point since_ = Clock::now();
};

// An exception that can travel. Error keeps its code; of any other only the text remains.
struct TaskError {
  std::optional<int> code;
  std::string sentence;

  static TaskError from(const std::exception_ptr& error);
  [[noreturn]] void raise() const;
};

// What became of a map, as rank 0 tells it to all.
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
