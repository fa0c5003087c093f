// Coroutines that ask for energies, many under way at once, answered in blocks as wide as the target likes.
#pragma once

#include <algorithm>
#include <array>
#include <deque>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

// A coroutine, the energy it waits for, and how far it has still to go.
template <typename Result>
struct UnderWay {
  EnergyRequest request;
  ChainTask<Result> task;
  Index steps_left = 0;
};

// Those with most steps left are answered first, so that all end together and blocks stay full to the last: a block
// that is not costs nearly as much.
class BlockDriver {
 public:
  BlockDriver(const TargetDensity& target, Workspace& workspace, const Executor& executor)
      : target_(target),
        differentiable_(dynamic_cast<const DifferentiableTarget*>(&target)),
        workspace_(workspace),
        executor_(executor) {}

  // The coroutines refer to their requests: `all` must not move them. Each has been started.
  template <typename Result>
  void run(std::deque<UnderWay<Result>>& all) {
    while (true) {
      waiting_.clear();
      for (UnderWay<Result>& own : all) {
        if (own.request.pending()) waiting_.push_back({&own.request, own.steps_left});
      }
      if (waiting_.empty()) return;
      choose_block();
      answer_block();
      executor_.throw_if_stopped();
    }
  }

  const std::array<std::int64_t, kNumImpossible>& impossible() const { return impossible_; }
  std::int64_t num_gradients() const { return num_gradients_; }

 private:
  struct Waiting {
    EnergyRequest* request;
    Index steps_left;
  };

  // A block is of energies alone or of gradients alone: of whatever more of them wait for.
  void choose_block() {
    const auto wants_gradient = [](const Waiting& w) { return w.request->wants_gradient(); };
    const auto num_gradients = std::count_if(waiting_.begin(), waiting_.end(), wants_gradient);
    with_gradients_ = 2 * num_gradients > static_cast<std::ptrdiff_t>(waiting_.size());
    std::erase_if(waiting_, [&](const Waiting& w) { return wants_gradient(w) != with_gradients_; });
    const auto lanes = static_cast<std::size_t>(target_.lanes());
    if (waiting_.size() <= lanes) return;
    std::nth_element(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(lanes) - 1, waiting_.end(),
                     [](const Waiting& a, const Waiting& b) { return a.steps_left > b.steps_left; });
    waiting_.resize(lanes);
  }

  void answer_block() {
    const auto width = static_cast<Index>(waiting_.size());
    block_.resize(target_.dim(), width);
    answers_.resize(waiting_.size());
    for (Index i = 0; i < width; ++i) block_.col(i) = waiting_[static_cast<std::size_t>(i)].request->candidate();
    if (with_gradients_) {
      gradients_.resize(target_.dim(), width);
      differentiable_->energies_and_gradients(block_, workspace_, answers_, gradients_);
      num_gradients_ += width;
    } else {
      target_.energies(block_, workspace_, answers_);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      EnergyRequest& request = *waiting_[i].request;
      ++impossible_[static_cast<std::size_t>(answers_[i].reason)];
      if (with_gradients_) request.gradient() = gradients_.col(static_cast<Index>(i));
      request.answer(answers_[i]);
    }
  }

  const TargetDensity& target_;
  const DifferentiableTarget* differentiable_;
  Workspace& workspace_;
  const Executor& executor_;
  std::array<std::int64_t, kNumImpossible> impossible_{};
  std::int64_t num_gradients_ = 0;
  bool with_gradients_ = false;
  std::vector<Waiting> waiting_;
  Matrix block_, gradients_;
  std::vector<Energy> answers_;
};

}  // namespace ta2s2
