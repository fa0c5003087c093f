#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/io/csv_writer.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::cli {
namespace {

void run_draws(const std::string& model, const std::string& path) {
  const FitRecord record = read_model(model);
  Output output(path, {model});
  write_csv_header(output.stream(), draw_column_names(record));
  write_csv_rows(output.stream(), draw_rows(record));
  output.commit();
}

}  // namespace

void add_draws_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("draws", "Write the posterior sample as CSV, a row per draw");
  const auto model = std::make_shared<std::string>();
  const auto path = std::make_shared<std::string>();
  command.add_option("model", *model, "model file made by `ta2s2 fit`")->required();
  command.add_option("-o,--out", *path, "CSV file to write; standard output if not given");
  command.footer("Example:\n  ta2s2 draws model.json -o draws.csv");
  command.callback([model, path] { run_draws(*model, *path); });
}

}  // namespace ta2s2::cli
