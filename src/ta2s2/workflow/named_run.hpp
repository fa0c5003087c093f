// Several runs at once tell one observer of their levels: each by its name.
#pragma once

#include <string>

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// Says which run a level is of.
class NamedRun final : public Observer {
 public:
  NamedRun(Observer& inner, std::string name) : inner_(inner), name_(std::move(name)) {}
  Verdict on_level(const LevelSummary& report) override;

 private:
  Observer& inner_;
  std::string name_;
};

// What tells one model of one output from all others: "drag, matern52"; only what there is more than one of.
std::string run_name(const std::string& output, const FitOptions& model, std::size_t num_outputs,
                     std::size_t num_models);

}  // namespace ta2s2
