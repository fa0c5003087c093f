#include "ta2s2/workflow/add_runs_to_model.hpp"

#include <algorithm>
#include <functional>

#include "ta2s2/exec/run_together.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/named_run.hpp"
#include "ta2s2/workflow/prior_constant.hpp"

namespace ta2s2 {
namespace {

using UpdateFit = std::function<MemberRecord(const MemberRecord& fit, const OutputRuns& added, Execution context)>;

// One fit to continue: where it stands, and what its levels are called.
struct FitTask {
  std::size_t output, place;
  std::string name;
};

std::vector<FitTask> tasks_of(const EmulatorRecord& model) {
  std::vector<FitTask> tasks;
  for (std::size_t output = 0; output < model.outputs.size(); ++output) {
    const OutputRecord& record = model.outputs[output];
    for (std::size_t place = 0; place < record.members.size(); ++place) {
      const FitOptions& options = record.members[place].options;
      tasks.push_back({output, place, run_name(record.name(), options, model.outputs.size(), record.members.size())});
    }
  }
  return tasks;
}

bool is_weighed_by_evidence(const OutputRecord& output) {
  return output.weighting == Weighting::evidence;
}

EmulatorRecord update_all(const EmulatorRecord& model, const std::vector<OutputRuns>& added, const UpdateFit& update,
                          Execution context) {
  EmulatorRecord updated = model;
  const std::vector<FitTask> tasks = tasks_of(model);
  run_together(context.executor, static_cast<Index>(tasks.size()), [&](Index run, Executor& executor) {
    const FitTask& task = tasks[static_cast<std::size_t>(run)];
    NamedRun observer(context.observer, task.name);
    MemberRecord& fit = updated.outputs[task.output].members[task.place];
    fit = update(model.outputs[task.output].members[task.place], added[task.output], {executor, observer});
    if (is_weighed_by_evidence(updated.outputs[task.output])) normalise_evidence(fit, {executor, observer});
  });
  for (OutputRecord& output : updated.outputs) {
    if (!is_single(output)) {
      output.weights = model_weights(output.members, *output.weighting, context.executor);
    }
    output.left_out = find_left_out_facts(output, context.executor);
  }
  return updated;
}

using Sentences = std::vector<std::string>;

// The last sentence of a continued fit is its summary.
Sentences new_sentences(const MemberRecord& before, const MemberRecord& after) {
  if (!after.history) return after.notices;
  return {after.notices.begin() + static_cast<std::ptrdiff_t>(before.notices.size()), after.notices.end() - 1};
}

bool is_in(const Sentences& sentences, const std::string& sentence) {
  return std::find(sentences.begin(), sentences.end(), sentence) != sentences.end();
}

std::string named(const std::string& name, const std::string& sentence) {
  return name.empty() ? sentence : name + ": " + sentence;
}

}  // namespace

Sentences notices_of_update(const EmulatorRecord& before, const EmulatorRecord& after) {
  const std::vector<FitTask> tasks = tasks_of(after);
  std::vector<Sentences> lists;
  for (const FitTask& task : tasks) {
    lists.push_back(
        new_sentences(before.outputs[task.output].members[task.place], after.outputs[task.output].members[task.place]));
  }
  Sentences notices;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    for (const std::string& sentence : lists[k]) {
      const bool is_everyones =
          std::all_of(lists.begin(), lists.end(), [&](const Sentences& list) { return is_in(list, sentence); });
      if (!is_everyones) notices.push_back(named(tasks[k].name, sentence));
      if (is_everyones && k == 0) notices.push_back(sentence);
    }
  }
  return notices;
}

Sentences summaries_of_update(const EmulatorRecord& after) {
  Sentences summaries;
  for (const FitTask& task : tasks_of(after)) {
    const MemberRecord& fit = after.outputs[task.output].members[task.place];
    if (fit.history) summaries.push_back(named(task.name, fit.notices.back()));
  }
  return summaries;
}

EmulatorRecord add_runs(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                        const AddRunsOptions& options, Execution context) {
  const auto update = [&](const MemberRecord& fit, const OutputRuns& runs, Execution own) {
    return add_runs(fit, runs, options, own);
  };
  return update_all(model, added, update, context);
}

EmulatorRecord fit_all_afresh(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                              const AddRunsOptions& options, Execution context) {
  const auto update = [&](const MemberRecord& fit, const OutputRuns& runs, Execution own) {
    return fit_all_afresh(fit, runs, options, own);
  };
  return update_all(model, added, update, context);
}

}  // namespace ta2s2
