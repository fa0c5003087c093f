// How a move asks for an energy: `const Energy e = co_await energy(candidate);`
// One request object per lane; the driver (chain_growth.cpp) answers a block of lanes at once.
#pragma once

#include <coroutine>
#include <cstdint>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

class EnergyRequest {
 public:
  struct Awaiter {
    EnergyRequest& request;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept { request.waiting_ = waiting; }
    Energy await_resume() const noexcept { return request.answer_; }
  };

  // `candidate` must live until the answer comes; a local of the awaiting coroutine does.
  Awaiter operator()(const Vector& candidate) {
    candidate_ = &candidate;
    return Awaiter{*this};
  }

  // The driver's side.
  bool pending() const { return candidate_ != nullptr; }
  const Vector& candidate() const { return *candidate_; }
  std::int64_t num_answered() const { return num_answered_; }
  void answer(const Energy& energy) {
    answer_ = energy;
    candidate_ = nullptr;
    ++num_answered_;
    waiting_.resume();
  }

 private:
  const Vector* candidate_ = nullptr;
  std::coroutine_handle<> waiting_;
  Energy answer_;
  std::int64_t num_answered_ = 0;
};

}  // namespace ta2s2
