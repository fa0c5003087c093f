#include "commands.hpp"
#include "model_choice.hpp"
#include "netcdf.hpp"
#include "output.hpp"
#include "ta2s2/workflow/inference_data.hpp"

namespace ta2s2::cli {
namespace {

void run_export(const ModelChoice& model, const std::string& path) {
  const FitRecord record = read_fit(model);
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
  command.footer("Example:\n  ta2s2 export model.json -o posterior.nc");
  command.callback([model, path] { run_export(*model, *path); });
}

}  // namespace ta2s2::cli
