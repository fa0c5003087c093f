// A target that counts the seconds spent in it, without changing an answer. It stays out of the product: two clock
// readings per block are about 50 ns, which matters only to the account of very small problems.
#pragma once

#include <atomic>
#include <chrono>

#include "ta2s2/sample.hpp"

namespace ta2s2::bench {

class TimedTarget final : public TargetDensity {
 public:
  explicit TimedTarget(const TargetDensity& target) : target_(target) {}

  Index dim() const override { return target_.dim(); }
  std::vector<std::string> names() const override { return target_.names(); }
  const Box* box() const override { return target_.box(); }
  int lanes() const override { return target_.lanes(); }
  Vector draw_start(Stream& stream) const override { return target_.draw_start(stream); }

  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<TimedWorkspace>(*this); }

  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    auto& own = static_cast<TimedWorkspace&>(workspace);
    const auto begin = Clock::now();
    target_.energies(points, *own.inner, out);
    own.spent += Clock::now() - begin;
    own.points += points.cols();
  }

  // Summed over threads, of workspaces that have been given back.
  double seconds() const { return 1e-9 * static_cast<double>(nanoseconds_.load()); }
  std::int64_t evaluations() const { return evaluations_.load(); }

 private:
  using Clock = std::chrono::steady_clock;

  // A thread's own count, added to the target's when it is given back.
  struct TimedWorkspace final : Workspace {
    explicit TimedWorkspace(const TimedTarget& target) : owner(target), inner(target.target_.make_workspace()) {}
    ~TimedWorkspace() override {
      owner.nanoseconds_ += std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
      owner.evaluations_ += points;
    }

    const TimedTarget& owner;
    std::unique_ptr<Workspace> inner;
    Clock::duration spent{};
    Index points = 0;
  };

  const TargetDensity& target_;
  mutable std::atomic<std::int64_t> nanoseconds_{0};
  mutable std::atomic<std::int64_t> evaluations_{0};
};

}  // namespace ta2s2::bench
