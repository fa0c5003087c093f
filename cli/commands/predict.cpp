#include <cstdlib>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

struct PredictArguments {
  EmulatorChoice model;
  std::string points, output, covariance;
  PredictOptions options = {.quantiles = {0.025, 0.5, 0.975}};
  int threads = 0;
};

void run_predict(const PredictArguments& arguments) {
  if (!arguments.covariance.empty() && arguments.covariance == arguments.output) {
    throw Error(ErrorCode::usage, arguments.covariance + ": found for both -o and --covariance, expected two files");
  }
  const Emulator emulator = arguments.model.load();
  const Context context = make_context({}, arguments.threads);
  const std::vector<std::string> inputs = {arguments.model.path, arguments.points};
  Output output(arguments.output, inputs);
  std::optional<Output> covariance;
  if (!arguments.covariance.empty()) covariance.emplace(arguments.covariance, inputs);
  const std::string warning =
      covariance
          ? emulator.predict_csv(arguments.points, output.stream(), covariance->stream(), arguments.options, context)
          : emulator.predict_csv(arguments.points, output.stream(), arguments.options, context);
  output.prepare();
  if (covariance) covariance->prepare();
  output.commit();
  if (covariance) covariance->commit();
  if (!warning.empty()) print_warnings({warning}, {});
}

}  // namespace

void add_predict_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("predict", "Predict the simulator at new inputs, with intervals");
  const auto arguments = std::make_shared<PredictArguments>();
  add_output_choice(command, arguments->model);
  command.add_option("points", arguments->points, "CSV file with the model's input columns, in any order")->required();
  command.add_option("-o,--out", arguments->output, "CSV file to write; standard output if not given");
  command.add_option("--quantiles", arguments->options.quantiles, "probabilities between 0 and 1, separated by commas")
      ->delimiter(',')
      ->check([](const std::string& text) {
        const double level = std::strtod(text.c_str(), nullptr);
        return level >= 1e-9 && level <= 1.0 - 1e-9 ? "" : "found " + text + ", expected probabilities between 0 and 1";
      })
      ->option_text("NUMBERS [0.025,0.5,0.975]");
  command.add_flag("--latent", arguments->options.latent,
                   "predict the smooth function, without the nugget of a new run");
  command.add_flag("--map", arguments->options.plug_in,
                   "predict with the posterior's maximum alone, as plug-in emulators do");
  command.add_option("--covariance", arguments->covariance, "CSV file for the covariance between all points");
  command
      .add_option("--draws", arguments->options.draws, "joint draws of the output at all points, as further columns")
      ->check(CLI::Range(0, 100'000));
  command.add_option("--seed", arguments->options.seed, "of the joint draws")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_threads(command, arguments->threads);
  command.footer("Example:\n  ta2s2 predict model.json new.csv --quantiles 0.05,0.95 -o predictions.csv");
  command.callback([arguments] { run_predict(*arguments); });
}

}  // namespace ta2s2::cli
