// One Markov move on one chain at one temperature. Knows nothing of other chains, of threads, of who shares its block.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ta2s2/sample.hpp"
#include "ta2s2/smc/level_plan.hpp"

namespace ta2s2 {

// The coroutine type of moves and chains: it suspends when it needs an energy and goes on when the energy is there.
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

// How a move asks for an energy: `const Energy e = co_await energy(candidate);`, or, of a target that has gradients,
// `co_await energy.with_gradient(candidate, gradient)`. One request object per lane; the driver (block_driver.hpp)
// answers a block of lanes at once.
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
  // `gradient` becomes dH / dposition; it must live as long.
  Awaiter with_gradient(const Vector& candidate, Vector& gradient) {
    gradient_ = &gradient;
    return (*this)(candidate);
  }

  // The driver's side.
  bool pending() const { return candidate_ != nullptr; }
  bool wants_gradient() const { return gradient_ != nullptr; }
  Vector& gradient() const { return *gradient_; }
  const Vector& candidate() const { return *candidate_; }
  std::int64_t num_answered() const { return num_answered_; }
  void answer(const Energy& energy) {
    answer_ = energy;
    candidate_ = nullptr;
    gradient_ = nullptr;
    ++num_answered_;
    waiting_.resume();
  }

 private:
  const Vector* candidate_ = nullptr;
  Vector* gradient_ = nullptr;
  std::coroutine_handle<> waiting_;
  Energy answer_;
  std::int64_t num_answered_ = 0;
};

struct ChainState {
  Vector position;
  Energy energy;
  Vector gradient = {};  // of H; empty where no move has asked for it
  Index num_moves = 0;   // that the chain has made on its level
};

// Where a move ended. A kernel that mixes several moves says which one it was, by index into part_names().
struct Step {
  ChainState state;
  int part = 0;
  bool moved = false;
  double acceptance = 0.0;  // the probability of having moved, where a move knows it
};

class Move {
 public:
  virtual ~Move() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::string> part_names() const { return {name()}; }
  // True if the tempered density is left invariant. `published` says no: it is kept to reproduce the paper.
  virtual bool is_exact() const { return true; }

  // True of a kernel that must move in the target's own coordinates.
  virtual bool keeps_to_the_box() const { return false; }

  // What the plan must hold for this kernel.
  virtual bool needs_mixture() const { return false; }
  virtual bool needs_markers() const { return false; }
  virtual bool needs_marker_mixture() const { return false; }
  // Index of the part whose acceptance steers walk_scale between levels, or -1.
  virtual int walk_part() const { return -1; }

  // Draws from `stream` only. The plan, the request and the stream outlive the task.
  virtual ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                               Stream& stream) const = 0;
};

// c0 of the paper (after (4.9)): 2.38 / sqrt(d).
double proposal_spread(Index dim);

// Chances of the exact kernel's three moves; they sum to one. The mixture's moves go farthest for an evaluation; the
// walk frees a chain from where the mixture has hardly any density (docs/exactness.md has the measurements).
struct MoveShares {
  double walk = 0.2;
  double independence = 0.4;
  double slice = 0.4;
};

struct MoveOptions {
  std::string name = "exact";
  PublishedOptions published;
  MoveShares shares;
};

std::vector<std::string> move_names();
std::unique_ptr<Move> make_move(const MoveOptions& options);

}  // namespace ta2s2
