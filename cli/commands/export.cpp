#include "commands.hpp"
#include "console.hpp"
#include "model_choice.hpp"
#include "netcdf.hpp"
#include "output.hpp"
#include "ta2s2/workflow/inference_data.hpp"

namespace ta2s2::cli {
namespace {

// Models do not mix: a length-scale means something else with another correlation.
MemberRecord chosen_fit(const ModelChoice& choice) {
  if (!choice.model.empty()) return read_fit(choice);
  const OutputRecord output = read_output(choice);
  const MemberRecord& fit = heaviest_member(output);
  if (!is_single(output)) {
    print_notices({"an average over " + std::to_string(output.members.size()) + " models: this is the posterior of " +
                   member_label(fit.options) + ", which weighs most; --model names another"},
                  {});
  }
  return fit;
}

void run_export(const ModelChoice& model, const std::string& path) {
  const MemberRecord record = chosen_fit(model);
  Output output(path, {model.path});
  output.stream() << to_netcdf(inference_data(record));
  output.commit();
}

}  // namespace

void add_export_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("export", "Write the posterior as NetCDF, which ArviZ opens");
  const auto model = std::make_shared<ModelChoice>();
  const auto path = std::make_shared<std::string>();
  add_fit_choice(command, *model);
  command.add_option("-o,--out", *path, "NetCDF file to write; standard output if not given");
  command.footer(
      "Of an average, the model that weighs most, unless --model names another.\n"
      "Example:\n  ta2s2 export model.json -o posterior.nc");
  command.callback([model, path] { run_export(*model, *path); });
}

}  // namespace ta2s2::cli
