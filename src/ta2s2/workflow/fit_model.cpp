#include "ta2s2/workflow/fit_model.hpp"

#include <iterator>
#include <optional>

#include "ta2s2/exec/run_together.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/named_run.hpp"
#include "ta2s2/workflow/prior_constant.hpp"

namespace ta2s2 {
namespace {

// One fit: an output, a model, and what its levels are called.
struct FitTask {
  const OutputRuns* data;
  ValidFitOptions options;
  std::string name;
};

FitOptions options_of_output(const FitOptions& options, const OutputRuns& data, std::size_t num_outputs) {
  FitOptions own = options;
  if (num_outputs == 1) return own;
  own.output = data.output_name();
  if (own.inputs.empty()) own.inputs = data.input_names();
  return own;
}

std::vector<FitTask> tasks_of(const std::vector<OutputRuns>& outputs, const FitOptions& options) {
  std::vector<FitTask> tasks;
  for (const OutputRuns& data : outputs) {
    const std::vector<ValidFitOptions> models = models_of(options_of_output(options, data, outputs.size()));
    for (const ValidFitOptions& model : models) {
      tasks.push_back({&data, model, run_name(data.output_name(), model.get(), outputs.size(), models.size())});
    }
  }
  return tasks;
}

// Those of the first outputs come first, and an output's by its models. Evidences that are to be compared are those of
// normalised priors.
std::vector<MemberRecord> fit_all(const std::vector<FitTask>& tasks, const std::vector<InputRange>& ranges, bool by_evidence,
                                  Execution context) {
  std::vector<std::optional<MemberRecord>> fits(tasks.size());
  run_together(context.executor, static_cast<Index>(tasks.size()), [&](Index run, Executor& executor) {
    const auto place = static_cast<std::size_t>(run);
    const FitTask& task = tasks[place];
    NamedRun observer(context.observer, task.name);
    fits[place] = fit(*task.data, task.options, ranges, {executor, observer});
    if (by_evidence) normalise_evidence(*fits[place], {executor, observer});
  });
  std::vector<MemberRecord> records;
  for (std::optional<MemberRecord>& record : fits) records.push_back(std::move(*record));
  return records;
}

OutputRecord weigh(std::vector<MemberRecord> fits, Weighting weighting, Executor& executor) {
  if (fits.size() == 1) return single_member(std::move(fits.front()));
  OutputRecord output{std::move(fits), {}, weighting};
  output.weights = model_weights(output.members, weighting, executor);
  return output;
}

}  // namespace

EmulatorRecord fit_model(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                         const std::vector<InputRange>& ranges, Execution context) {
  const bool by_evidence = options->model == ModelUse::average && options->weighting == Weighting::evidence;
  std::vector<MemberRecord> fits = fit_all(tasks_of(outputs, options.get()), ranges, by_evidence, context);
  const std::size_t num_models = fits.size() / outputs.size();
  EmulatorRecord model;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto first = std::make_move_iterator(fits.begin() + static_cast<std::ptrdiff_t>(k * num_models));
    model.outputs.push_back(
        weigh({first, first + static_cast<std::ptrdiff_t>(num_models)}, options->weighting, context.executor));
    model.outputs.back().left_out = find_left_out_facts(model.outputs.back(), context.executor);
  }
  return model;
}

}  // namespace ta2s2
