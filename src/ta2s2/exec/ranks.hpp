// The processes of one job as a team: what they say to each other besides tasks, and how they end together.
//
// Every rank runs the same program on the same bytes and so comes to the same waits. Whoever waits polls, with short
// sleeps, so that a failure anywhere is seen by everyone and nobody hangs: a rank that fails tells rank 0, rank 0 tells
// all.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ta2s2/base/input_file.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/exec/transport.hpp"

namespace ta2s2 {

// Thrown where a rank waits once rank 0 has ended the job. It is no std::exception, so that nobody on the way takes it
// for an error of its own.
struct JobEnded {};

// How one rank's work, or the job, came to its end: code 0 is well.
struct Ending {
  int code = 0;
  std::string sentence = {};
};

class Ranks {
 public:
  enum class Kind : int { broadcast, gather, task, result, stop, farewell, ended, close };

  explicit Ranks(Transport& transport) : transport_(transport) {}

  int rank() const { return transport_.rank(); }
  int size() const { return transport_.size(); }
  bool is_first() const { return rank() == 0; }

  void send(int to, Kind kind, Bytes bytes);

  // The next message of these kinds, if it has come. On rank 0: Error, if another rank has failed; elsewhere: JobEnded.
  std::optional<Message> take(std::initializer_list<Kind> kinds);
  Message wait_for(std::initializer_list<Kind> kinds);

  // Rank 0's bytes, on every rank, down a binomial tree. `what` guards against ranks that are not at the same place.
  Bytes broadcast(char what, Bytes bytes);
  // As above for a rank that has taken the message itself.
  Bytes pass_on(char what, Bytes bytes);

  // Every rank's bytes, on rank 0; nothing elsewhere.
  std::vector<Bytes> gather(Bytes bytes);

  // Those of rank 0's words that every rank has, in its order.
  std::vector<std::string> in_common(const std::vector<std::string>& words);

  // Called once by every rank, whatever happened to it. Returns on all with rank 0's ending, or, if that is well, with
  // that of another rank that failed. A job whose ranks do not all arrive in time is aborted.
  Ending end(Ending own);

 private:
  void receive_all();
  std::optional<Message> find(std::initializer_list<Kind> kinds);
  void check_for_the_end();
  void flush();
  Ending collect_farewells(Ending own);

  Transport& transport_;
  std::deque<Message> inbox_;
  bool has_ended_ = false;
};

namespace detail {

// What ranks send each other: numbers and texts as bytes, and how a map ended.

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

}  // namespace detail

// Files that rank 0 reads and all ranks get, a block at a time.
// Every rank opens the same files and reads them alike, as ranks of one program do. `ranks` must outlive the files.
InputFile open_shared_file(Ranks& ranks, const std::filesystem::path& path);

}  // namespace ta2s2
