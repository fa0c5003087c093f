// A context put to work: the threads or ranks that it asks for, and who is told of progress.
#pragma once

#include <thread>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

class Workers {
 public:
  explicit Workers(const Context& context);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  Executor& executor() { return *executor_; }
  Execution execution() { return {*executor_, observer_}; }

 private:
  class Teller final : public Observer {
   public:
    explicit Teller(const Context& context) : context_(context) {}
    Verdict on_level(const LevelSummary& level) override;

   private:
    const Context& context_;
  };

  Teller observer_;
  StopFlag stop_{false};
  std::unique_ptr<Executor> executor_;
  std::jthread watch_;  // raises the flag when the context does, or when its time is over
};

}  // namespace ta2s2
