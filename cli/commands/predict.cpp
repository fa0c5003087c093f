#include "ta2s2/workflow/predict.hpp"

#include <algorithm>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "job.hpp"
#include "output.hpp"
#include "ta2s2/base/error.hpp"
#include "ta2s2/data/load_points.hpp"
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

void write_covariance(std::ostream& out, const Matrix& covariance) {
  std::vector<std::string> names;
  for (Index i = 1; i <= covariance.cols(); ++i) names.push_back("point" + std::to_string(i));
  write_csv_header(out, names);
  write_csv_rows(out, covariance);
}

void check_arguments(const PredictArguments& arguments) {
  if (!arguments.covariance.empty() && arguments.covariance == arguments.output) {
    throw Error(ErrorCode::usage, arguments.covariance + ": found for both -o and --covariance, expected two files");
  }
  std::vector<double> sorted = arguments.quantiles;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error(ErrorCode::usage, "--quantiles: found " + format_number(*twice) + " twice, expected each level once");
  }
}

struct Prediction {
  const PredictArguments& arguments;
  const FitRecord& record;
  const Emulator& emulator;
  Predict what;
  Executor& executor;
};

// All points at once: covariance and joint draws need every pair of them.
void predict_jointly(const Prediction& job, Output& output, Output* covariance) {
  const Matrix points = load_joint_points(job.arguments, job.record);
  const PredictionSummary summary = summarise(job.emulator, points, job.what, job.arguments.quantiles, job.executor);
  const Matrix draws =
      job.emulator.joint_draws(points, job.what, job.arguments.num_draws, job.arguments.seed, job.executor);
  write_csv_header(output.stream(), column_names(job.record, job.arguments));
  write_csv_rows(output.stream(), beside(points, summary, draws));
  if (covariance) write_covariance(covariance->stream(), job.emulator.covariance(points, job.what, job.executor));
}

// A block of points is read, predicted and written before the next is read.
void predict_in_blocks(const Prediction& job, Output& output) {
  PointReader reader(job.arguments.points, job.record.data.input_names());
  Matrix points;
  bool has_header = false;
  while (reader.next_block(job.emulator.block_size(), points)) {
    const PredictionSummary summary = summarise(job.emulator, points, job.what, job.arguments.quantiles, job.executor);
    if (!has_header) write_csv_header(output.stream(), column_names(job.record, job.arguments));
    has_header = true;
    write_csv_rows(output.stream(), beside(points, summary, Matrix(points.rows(), 0)));
  }
}

void run_predict(const PredictArguments& arguments) {
  check_arguments(arguments);
  const FitRecord record = read_model(arguments.model);
  const Emulator emulator = arguments.map ? make_map_emulator(record) : make_emulator(record);
  const std::unique_ptr<Executor> executor = make_executor(arguments.threads, &stop_on_signals());
  const std::vector<std::string> inputs = {arguments.model, arguments.points};
  Output output(arguments.output, inputs);
  std::optional<Output> covariance;
  if (!arguments.covariance.empty()) covariance.emplace(arguments.covariance, inputs);

  const Prediction job{arguments, record, emulator, arguments.latent ? Predict::latent : Predict::new_run, *executor};
  if (covariance || arguments.num_draws > 0) {
    predict_jointly(job, output, covariance ? &*covariance : nullptr);
  } else {
    predict_in_blocks(job, output);
  }
  output.prepare();
  if (covariance) covariance->prepare();
  output.commit();
  if (covariance) covariance->commit();
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
      ->check([](const std::string& text) {
        const double level = std::strtod(text.c_str(), nullptr);
        return level >= 1e-9 && level <= 1.0 - 1e-9 ? "" : "found " + text + ", expected levels between 0 and 1";
      })
      ->option_text("NUMBERS [0.025,0.5,0.975]");
  command.add_flag("--latent", arguments->latent, "predict the smooth function, without the nugget of a new run");
  command.add_flag("--map", arguments->map, "predict with the posterior's maximum alone, as plug-in emulators do");
  command.add_option("--covariance", arguments->covariance, "CSV file for the covariance between all points");
  command.add_option("--draws", arguments->num_draws, "joint draws of the output at all points, as further columns")
      ->check(CLI::Range(0, 100'000));
  command.add_option("--seed", arguments->seed, "of the joint draws")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  command.footer("Example:\n  ta2s2 predict model.json new.csv --quantiles 0.05,0.95 -o predictions.csv");
  command.callback([arguments] { run_predict(*arguments); });
}

}  // namespace ta2s2::cli
