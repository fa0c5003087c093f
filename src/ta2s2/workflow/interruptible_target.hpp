// A target that gives up once a stop is requested: for searches that no executor runs.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {

class InterruptibleTarget final : public TargetDensity {
 public:
  InterruptibleTarget(const TargetDensity& target, const Executor& executor) : target_(target), executor_(executor) {}

  Index dim() const override { return target_.dim(); }
  std::vector<std::string> names() const override { return target_.names(); }
  const Box* box() const override { return target_.box(); }
  int lanes() const override { return target_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override { return target_.make_workspace(); }
  Vector draw_start(Stream& stream) const override { return target_.draw_start(stream); }

  // Error{interrupted} if a stop was requested.
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    executor_.throw_if_stopped();
    target_.energies(points, workspace, out);
  }

 private:
  const TargetDensity& target_;
  const Executor& executor_;
};

}  // namespace ta2s2
