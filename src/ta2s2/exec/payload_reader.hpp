// Reads a task's result in the order in which it was packed. A checkpoint may bring any numbers instead of those that
// the task gives, so nothing in a payload is believed: neither its length, nor a count, nor an index.
#pragma once

#include <cstdint>
#include <span>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/executor.hpp"

namespace ta2s2 {

class PayloadReader {
 public:
  explicit PayloadReader(std::span<const double> payload) : left_(payload) {}

  double number() { return numbers(1).front(); }
  std::span<const double> numbers(std::size_t count) {
    if (count > left_.size()) refuse();
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  // A whole number from 0 to `most`.
  std::int64_t count(std::int64_t most = kMostExact) {
    const double next = number();
    if (!(next >= 0.0 && next <= static_cast<double>(most))) refuse();
    const auto whole = static_cast<std::int64_t>(next);
    if (static_cast<double>(whole) != next) refuse();
    return whole;
  }
  // To be called when all has been read.
  void require_end() const {
    if (!left_.empty()) refuse();
  }

 private:
  static constexpr std::int64_t kMostExact = std::int64_t{1} << 53;  // doubles tell all whole numbers up to it apart

  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::bad_file,
                "the checkpoint holds a result that no step of this fit gives; remove it to start "
                "again");
  }

  std::span<const double> left_;
};

}  // namespace ta2s2
