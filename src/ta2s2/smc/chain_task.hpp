// The coroutine type of moves and chains: it suspends when it needs an energy and goes on when the energy is there.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

// Starts suspended. Either awaited by another ChainTask, which it resumes when it ends, or started by a driver.
template <typename Result>
class ChainTask {
 public:
  struct promise_type {
    std::optional<Result> result;
    std::exception_ptr error;
    std::coroutine_handle<> awaiter = std::noop_coroutine();

    ChainTask get_return_object() { return ChainTask(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept { return ResumeAwaiter{}; }
    void return_value(Result value) { result.emplace(std::move(value)); }
    void unhandled_exception() { error = std::current_exception(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  ChainTask() = default;
  ChainTask(ChainTask&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ChainTask& operator=(ChainTask&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~ChainTask() {
    if (handle_) handle_.destroy();
  }

  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  Result take_result() {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return std::move(*handle_.promise().result);
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
    handle_.promise().awaiter = awaiter;
    return handle_;
  }
  Result await_resume() { return take_result(); }

 private:
  struct ResumeAwaiter {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle finished) noexcept { return finished.promise().awaiter; }
    void await_resume() noexcept {}
  };

  explicit ChainTask(Handle handle) : handle_(handle) {}
  Handle handle_ = nullptr;
};

// How a move asks for an energy: `const Energy e = co_await energy(candidate);`
// One request object per lane; the driver (chain_growth.cpp) answers a block of lanes at once.
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
