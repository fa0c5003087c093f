#include "commands.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::cli {
namespace {

void write_draws(std::ostream& out, const MemberRecord& fit) {
  write_csv_header(out, draw_column_names(fit));
  write_csv_rows(out, draw_rows(fit));
}

// All models' draws: each weighs its own weight times its model's, as in a prediction.
void write_draws(std::ostream& out, const OutputRecord& output) {
  if (is_single(output)) return write_draws(out, output.members.front());
  std::vector<std::string> names = draw_column_names(output.members.front());
  names.insert(names.begin(), "model");
  write_csv_header(out, names);
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    Matrix rows = draw_rows(output.members[k]);
    rows.rightCols(1) *= output.weights[k];
    write_csv_rows(out, member_label(output.members[k].options), rows);
  }
}

void run_draws(const ModelChoice& model, const std::string& path) {
  const OutputRecord record = model.model.empty() ? read_output(model) : single_member(read_fit(model));
  Output output(path, {model.path});
  write_draws(output.stream(), record);
  output.commit();
}

}  // namespace

void add_draws_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("draws", "Write the posterior sample as CSV, a row per draw");
  const auto model = std::make_shared<ModelChoice>();
  const auto path = std::make_shared<std::string>();
  add_fit_choice(command, *model);
  command.add_option("-o,--out", *path, "CSV file to write; standard output if not given");
  command.footer(
      "Of an average, the draws of all models, with a column that names the model; their weights sum to one.\n"
      "Examples:\n"
      "  ta2s2 draws model.json -o draws.csv\n"
      "  ta2s2 draws model.json --model matern52 -o draws.csv");
  command.callback([model, path] { run_draws(*model, *path); });
}

}  // namespace ta2s2::cli
