// How long to sleep between two looks for messages: a quarter of the time that nothing has come. A look is cheap, but
// waking up for it takes the core from a worker: at most a few hundred times a second.
#pragma once

#include <algorithm>
#include <chrono>

namespace ta2s2::detail {

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

}  // namespace ta2s2::detail
