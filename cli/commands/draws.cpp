#include "commands.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/io/csv_writer.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::cli {
namespace {

void run_draws(const ModelChoice& model, const std::string& path) {
  const FitRecord record = read_fit(model);
  Output output(path, {model.path});
  write_csv_header(output.stream(), draw_column_names(record));
  write_csv_rows(output.stream(), draw_rows(record));
  output.commit();
}

}  // namespace

void add_draws_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("draws", "Write the posterior sample as CSV, a row per draw");
  const auto model = std::make_shared<ModelChoice>();
  const auto path = std::make_shared<std::string>();
  add_fit_choice(command, *model);
  command.add_option("-o,--out", *path, "CSV file to write; standard output if not given");
  command.footer("Example:\n  ta2s2 draws model.json -o draws.csv");
  command.callback([model, path] { run_draws(*model, *path); });
}

}  // namespace ta2s2::cli
