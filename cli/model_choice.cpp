#include "model_choice.hpp"

#include "ta2s2/io/model_file.hpp"

namespace ta2s2::cli {

void add_output_choice(CLI::App& command, ModelChoice& choice) {
  command.add_option("model", choice.path, "model file made by `ta2s2 fit`")->required();
  command.add_option("--output", choice.output, "one output of a model file that holds several");
}

void add_fit_choice(CLI::App& command, ModelChoice& choice) {
  add_output_choice(command, choice);
  command.add_option("--model", choice.model, "one model of an average, as `ta2s2 show` names it");
}

EmulatorRecord read_outputs(const ModelChoice& choice) {
  EmulatorRecord all = read_models(choice.path);
  if (choice.output.empty()) return all;
  return {{find_output(all, choice.output)}};
}

OutputRecord read_output(const ModelChoice& choice) {
  return find_output(read_models(choice.path), choice.output);
}

MemberRecord read_fit(const ModelChoice& choice) {
  const EmulatorRecord all = read_models(choice.path);
  return find_member(find_output(all, choice.output), choice.model);
}

}  // namespace ta2s2::cli
