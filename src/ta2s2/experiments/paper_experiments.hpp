// The three experiments of the paper's section 5, as tables.
#pragma once

#include "ta2s2/experiments/test_problem.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// A model that every system samples.
struct PriorGroup {
  std::string name;
  std::vector<Setting> settings;
  bool is_papers = true;  // else this program's own defaults, which only its default kernel samples
};

struct PaperExperiment {
  std::string name;
  std::vector<PriorGroup> priors;
  bool has_designs = true;  // else there are only the runs that were published
  // Designs count from 1. `data` is the folder that holds published runs.
  TestProblem (*problem)(int design, const std::filesystem::path& data);
};

const std::vector<PaperExperiment>& paper_experiments();

// The paper's model but for the length-scales' prior: squared exponential, no mean, nugget uniform.
std::vector<Setting> paper_model();

}  // namespace ta2s2
