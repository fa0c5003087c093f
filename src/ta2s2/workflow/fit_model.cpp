#include "ta2s2/workflow/fit_model.hpp"

#include "ta2s2/exec/run_together.hpp"

namespace ta2s2 {
namespace {

// Says which run a level is of.
class NamedRun final : public Observer {
 public:
  NamedRun(Observer& inner, std::string name) : inner_(inner), name_(std::move(name)) {}

  Verdict on_level(const LevelReport& report) override {
    LevelReport named = report;
    named.run = name_;
    return inner_.on_level(named);
  }

 private:
  Observer& inner_;
  std::string name_;
};

FitOptions options_of_output(const FitOptions& options, const Dataset& data) {
  FitOptions own = options;
  own.output = data.output_name();
  if (own.inputs.empty()) {
    own.inputs = data.input_names();
  }
  return own;
}

}  // namespace

ModelRecord fit_model(const std::vector<Dataset>& outputs, const ValidFitOptions& options,
                      const std::vector<InputRange>& ranges, RunContext context) {
  if (outputs.size() == 1) return {{single_model(fit(outputs.front(), options, ranges, context))}};
  std::vector<std::optional<FitRecord>> fits(outputs.size());
  run_together(context.executor, static_cast<Index>(outputs.size()), [&](Index run, Executor& executor) {
    const Dataset& data = outputs[static_cast<std::size_t>(run)];
    NamedRun observer(context.observer, data.output_name());
    fits[static_cast<std::size_t>(run)] =
        fit(data, ValidFitOptions(options_of_output(options.get(), data)), ranges, {executor, observer});
  });
  ModelRecord model;
  for (std::optional<FitRecord>& record : fits) model.outputs.push_back(single_model(std::move(*record)));
  return model;
}

}  // namespace ta2s2
