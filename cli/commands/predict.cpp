#include "ta2s2/workflow/predict.hpp"

#include "commands.hpp"
#include "console.hpp"
#include "output.hpp"
#include "ta2s2/base/error.hpp"
#include "ta2s2/data/load_points.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/csv_writer.hpp"
#include "ta2s2/io/model_file.hpp"

namespace ta2s2::cli {
namespace {

struct PredictArguments {
  std::string model, points, output, covariance;
  std::vector<double> quantiles = {0.025, 0.5, 0.975};
  bool latent = false, map = false;
  Index num_draws = 0;
  std::uint64_t seed = 1;
  int threads = 0;
};

// All pairs of points are needed at once for a covariance or a joint draw.
constexpr Index kMostJointPoints = 5000;

Matrix load_joint_points(const PredictArguments& arguments, const FitRecord& record) {
  Matrix points = load_points(arguments.points, record.data.input_names());
  if (points.rows() > kMostJointPoints) {
    throw Error(ErrorCode::usage, arguments.points + ": found " + std::to_string(points.rows()) +
                                      " points, expected at most " + std::to_string(kMostJointPoints) +
                                      " with --covariance or --draws, which look at all pairs of them");
  }
  return points;
}

std::vector<std::string> column_names(const FitRecord& record, const PredictArguments& arguments) {
  std::vector<std::string> names = record.data.input_names();
  const std::string& y = record.data.output_name();
  names.insert(names.end(), {y + "_mean", y + "_sd"});
  for (const double level : arguments.quantiles) names.push_back(y + "_q" + format_number(level));
  for (Index i = 1; i <= arguments.num_draws; ++i) names.push_back(y + "_draw" + std::to_string(i));
  return names;
}

Matrix beside(const Matrix& points, const PredictionSummary& summary, const Matrix& draws) {
  Matrix rows(points.rows(), points.cols() + 2 + summary.quantiles.cols() + draws.cols());
  rows << points, summary.mean, summary.sd, summary.quantiles, draws;
  return rows;
}

void write_covariance(const std::string& path, const Matrix& covariance) {
  Output output(path);
  std::vector<std::string> names;
  for (Index i = 1; i <= covariance.cols(); ++i) names.push_back("point" + std::to_string(i));
  write_csv_header(output.stream(), names);
  write_csv_rows(output.stream(), covariance);
  output.commit();
}

// Predictions stream: a block of points is read, predicted and written before the next is read.
void run_predict(const PredictArguments& arguments) {
  const FitRecord record = read_model(arguments.model);
  const Emulator emulator = arguments.map ? make_map_emulator(record) : make_emulator(record);
  const Predict what = arguments.latent ? Predict::latent : Predict::new_run;
  ThreadExecutor executor(arguments.threads, &stop_on_signals());
  const bool is_joint = !arguments.covariance.empty() || arguments.num_draws > 0;
  Output output(arguments.output);
  write_csv_header(output.stream(), column_names(record, arguments));
  if (is_joint) {
    const Matrix points = load_joint_points(arguments, record);
    const PredictionSummary summary = summarise(emulator, points, what, arguments.quantiles, executor);
    const Matrix draws = emulator.joint_draws(points, what, arguments.num_draws, arguments.seed, executor);
    write_csv_rows(output.stream(), beside(points, summary, draws));
    if (!arguments.covariance.empty()) {
      write_covariance(arguments.covariance, emulator.covariance(points, what, executor));
    }
  } else {
    PointReader reader(arguments.points, record.data.input_names());
    Matrix points;
    while (reader.next_block(emulator.block_size(), points)) {
      const PredictionSummary summary = summarise(emulator, points, what, arguments.quantiles, executor);
      write_csv_rows(output.stream(), beside(points, summary, Matrix(points.rows(), 0)));
    }
  }
  output.commit();
}

}  // namespace

void add_predict_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("predict", "Predict the simulator at new inputs, with intervals");
  const auto arguments = std::make_shared<PredictArguments>();
  command.add_option("model", arguments->model, "model file made by `ta2s2 fit`")->required();
  command.add_option("points", arguments->points, "CSV file with the model's input columns, in any order")->required();
  command.add_option("-o,--out", arguments->output, "CSV file to write; standard output if not given");
  command.add_option("--quantiles", arguments->quantiles, "levels between 0 and 1, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(1e-9, 1.0 - 1e-9))
      ->option_text("NUMBERS [0.025,0.5,0.975]");
  command.add_flag("--latent", arguments->latent, "predict the smooth function, without the nugget of a new run");
  command.add_flag("--map", arguments->map, "predict with the posterior's maximum alone, as plug-in emulators do");
  command.add_option("--covariance", arguments->covariance, "CSV file for the covariance between all points");
  command.add_option("--draws", arguments->num_draws, "joint draws of the output at all points, as further columns")
      ->check(CLI::Range(0, 100'000));
  command.add_option("--seed", arguments->seed, "of the joint draws")->capture_default_str();
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  command.footer("Example:\n  ta2s2 predict model.json new.csv --quantiles 0.05,0.95 -o predictions.csv");
  command.callback([arguments] { run_predict(*arguments); });
}

}  // namespace ta2s2::cli
