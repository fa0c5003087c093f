#include "ta2s2/workflow/fit.hpp"

#include <iterator>
#include <optional>

#include "ta2s2/exec/run_together.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2 {
namespace {

// Several runs at once tell one observer of their levels: each by its name.
class NamedRun final : public Observer {
 public:
  NamedRun(Observer& inner, std::string name) : inner_(inner), name_(std::move(name)) {}
  Verdict on_level(const LevelSummary& report) override {
    LevelSummary named = report;
    named.run = name_;
    return inner_.on_level(named);
  }

 private:
  Observer& inner_;
  std::string name_;
};

FitOptions options_of_output(const FitOptions& options, const OutputRuns& data, std::size_t num_outputs) {
  FitOptions own = options;
  if (num_outputs == 1) return own;
  own.output = data.output_name();
  if (own.inputs.empty()) own.inputs = data.input_names();
  return own;
}

// Places of fits that are done side by side. The maximum of an output's first model leads the search for the others',
// so that with `fast` these wait for it; samplers look for themselves.
std::vector<std::vector<std::size_t>> rounds_of(std::size_t num_fits, std::size_t num_models, bool fast) {
  std::vector<std::vector<std::size_t>> rounds(fast && num_models > 1 ? 2 : 1);
  for (std::size_t place = 0; place < num_fits; ++place) {
    (place % num_models == 0 ? rounds.front() : rounds.back()).push_back(place);
  }
  return rounds;
}

// Those of the first outputs come first, and an output's by its models. Evidences that are to be compared are those of
// normalised priors.
std::vector<MemberRecord> fit_all(const std::vector<OutputRuns>& outputs, const FitOptions& options,
                                  const std::vector<InputRange>& ranges, Execution context) {
  const bool by_evidence = options.model == ModelUse::average && options.weighting == Weighting::evidence;
  std::vector<std::pair<const OutputRuns*, ValidFitOptions>> tasks;
  std::vector<std::string> names;
  for (const OutputRuns& data : outputs) {
    const std::vector<ValidFitOptions> models = models_of(options_of_output(options, data, outputs.size()));
    for (const ValidFitOptions& model : models) {
      tasks.emplace_back(&data, model);
      names.push_back(run_name(data.output_name(), model.get(), outputs.size(), models.size()));
    }
  }
  const std::size_t num_models = tasks.size() / outputs.size();
  std::vector<std::optional<MemberRecord>> fits(tasks.size());
  const auto fit_places = [&](const std::vector<std::size_t>& places) {
    std::vector<std::string> chosen;
    for (const std::size_t place : places) chosen.push_back(names[place]);
    run_by_name(chosen, context, [&](std::size_t k, Execution own) {
      const std::size_t place = places[k];
      const std::optional<MemberRecord>& leader = fits[place - place % num_models];
      const auto& [data, model] = tasks[place];
      fits[place] = fit(*data, model, ranges, own, leader ? &*leader : nullptr);
      if (by_evidence) normalise_evidence(*fits[place], own);
    });
  };
  for (const std::vector<std::size_t>& places : rounds_of(tasks.size(), num_models, options.fast)) fit_places(places);
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
  std::vector<MemberRecord> fits = fit_all(outputs, options.get(), ranges, context);
  const auto num_models = static_cast<std::ptrdiff_t>(fits.size() / outputs.size());
  EmulatorRecord model;
  for (auto first = std::make_move_iterator(fits.begin()); first.base() != fits.end(); first += num_models) {
    model.outputs.push_back(weigh({first, first + num_models}, options->weighting, context.executor));
    learn_from_left_out(model.outputs.back(), context.executor);
    model.outputs.back().activity = find_activity(model.outputs.back(), context.executor);
  }
  return model;
}

std::string run_name(const std::string& output, const FitOptions& model, std::size_t num_outputs,
                     std::size_t num_models) {
  const std::string first = num_outputs > 1 ? output : "";
  const std::string label = num_models > 1 ? member_label(model) : "";
  return first + (first.empty() || label.empty() ? "" : ", ") + label;
}

void run_by_name(const std::vector<std::string>& names, Execution context,
                 const std::function<void(std::size_t place, Execution own)>& task) {
  run_together(context.executor, static_cast<Index>(names.size()), [&](Index run, Executor& executor) {
    const auto place = static_cast<std::size_t>(run);
    NamedRun observer(context.observer, names[place]);
    task(place, {executor, observer});
  });
}

}  // namespace ta2s2
