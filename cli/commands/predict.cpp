#include "ta2s2/workflow/predict.hpp"

#include <algorithm>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "job.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2::cli {
namespace {

struct PredictArguments {
  ModelChoice model;
  std::string points, output, covariance;
  std::vector<double> quantiles = {0.025, 0.5, 0.975};
  bool latent = false, map = false;
  Index num_draws = 0;
  std::uint64_t seed = 1;
  int threads = 0;
};

// All pairs of points are needed at once for a covariance or a joint draw.
constexpr Index kMostJointPoints = 5000;

// One output of the model file, and which columns of the points it takes.
struct PredictedOutput {
  std::string name;
  Predictive predictive;
  std::vector<Index> columns;

  Matrix inputs(const Matrix& points) const { return points(Eigen::all, columns); }
};

// Those of all outputs: an input that never changed in the runs of one may have done so in those of another.
std::vector<std::string> input_names(const EmulatorRecord& model) {
  std::vector<std::string> names;
  for (const OutputRecord& output : model.outputs) {
    for (const std::string& name : output.members.front().data.input_names()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

PredictedOutput prepare(const OutputRecord& output, const std::vector<std::string>& names, bool map) {
  PredictedOutput prepared{output.name(), map ? make_plug_in(output) : make_predictive(output), {}};
  for (const std::string& name : output.members.front().data.input_names()) {
    prepared.columns.push_back(std::find(names.begin(), names.end(), name) - names.begin());
  }
  return prepared;
}

struct Prediction {
  const PredictArguments& arguments;
  std::vector<std::string> input_names;
  std::vector<PredictedOutput> outputs;
  Predict what;
  Executor& executor;

  Index block_size() const {
    Index size = outputs.front().predictive.block_size();
    for (const PredictedOutput& output : outputs) size = std::min(size, output.predictive.block_size());
    return size;
  }
};

Matrix load_joint_points(const Prediction& job) {
  Matrix points = read_points(job.arguments.points, job.input_names);
  if (points.rows() > kMostJointPoints) {
    throw Error(ErrorCode::usage, job.arguments.points + ": found " + std::to_string(points.rows()) +
                                      " points, expected at most " + std::to_string(kMostJointPoints) +
                                      " with --covariance or --draws, which look at all pairs of them");
  }
  return points;
}

std::vector<std::string> column_names(const Prediction& job) {
  std::vector<std::string> names = job.input_names;
  for (const PredictedOutput& output : job.outputs) {
    const std::string& y = output.name;
    names.insert(names.end(), {y + "_mean", y + "_sd"});
    for (const double level : job.arguments.quantiles) names.push_back(y + "_q" + format_number(level));
    for (Index i = 1; i <= job.arguments.num_draws; ++i) names.push_back(y + "_draw" + std::to_string(i));
  }
  return names;
}

// What is said of one output: mean, sd, quantiles, joint draws if there are any.
Matrix columns_of(const Prediction& job, const PredictedOutput& output, const Matrix& points) {
  const Matrix inputs = output.inputs(points);
  const PredictionSummary summary =
      summarise(output.predictive, inputs, job.what, job.arguments.quantiles, job.executor);
  const Index num_draws = job.arguments.num_draws;
  const Matrix draws =
      num_draws == 0 ? Matrix(points.rows(), 0)
                     : output.predictive.joint_draws(inputs, job.what, num_draws, job.arguments.seed, job.executor);
  Matrix columns(points.rows(), 2 + summary.quantiles.cols() + draws.cols());
  columns << summary.mean, summary.sd, summary.quantiles, draws;
  return columns;
}

Matrix rows_of(const Prediction& job, const Matrix& points) {
  Matrix rows = points;
  for (const PredictedOutput& output : job.outputs) {
    const Matrix columns = columns_of(job, output, points);
    rows.conservativeResize(Eigen::NoChange, rows.cols() + columns.cols());
    rows.rightCols(columns.cols()) = columns;
  }
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

// All points at once: covariance and joint draws need every pair of them.
void predict_jointly(const Prediction& job, Output& output, Output* covariance) {
  const Matrix points = load_joint_points(job);
  const Matrix rows = rows_of(job, points);
  write_csv_header(output.stream(), column_names(job));
  write_csv_rows(output.stream(), rows);
  if (!covariance) return;
  const PredictedOutput& only = job.outputs.front();
  write_covariance(covariance->stream(), only.predictive.covariance(only.inputs(points), job.what, job.executor));
}

// A block of points is read, predicted and written before the next is read.
void predict_in_blocks(const Prediction& job, Output& output) {
  PointReader reader(job.arguments.points, job.input_names);
  Matrix points;
  bool has_header = false;
  while (reader.next_block(job.block_size(), points)) {
    const Matrix rows = rows_of(job, points);
    if (!has_header) write_csv_header(output.stream(), column_names(job));
    has_header = true;
    write_csv_rows(output.stream(), rows);
  }
}

Prediction prepare(const PredictArguments& arguments, const EmulatorRecord& model, Executor& executor) {
  Prediction job{arguments, input_names(model), {}, arguments.latent ? Predict::latent : Predict::new_run, executor};
  for (const OutputRecord& output : model.outputs) {
    job.outputs.push_back(prepare(output, job.input_names, arguments.map));
  }
  if (job.outputs.size() > 1 && !arguments.covariance.empty()) {
    throw Error(ErrorCode::usage, arguments.model.path + ": found " + std::to_string(job.outputs.size()) +
                                      " outputs, expected --output and one of them beside --covariance");
  }
  return job;
}

void run_predict(const PredictArguments& arguments) {
  check_arguments(arguments);
  const EmulatorRecord model = read_outputs(arguments.model);
  const std::unique_ptr<Executor> executor = make_executor(arguments.threads, &stop_on_signals());
  const Prediction job = prepare(arguments, model, *executor);
  const std::vector<std::string> inputs = {arguments.model.path, arguments.points};
  Output output(arguments.output, inputs);
  std::optional<Output> covariance;
  if (!arguments.covariance.empty()) covariance.emplace(arguments.covariance, inputs);

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
  add_output_choice(command, arguments->model);
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
