// What the emulator says of the simulator: predictions, how good they are, which inputs matter, where to run next.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ta2s2/api/state.hpp"
#include "ta2s2/api/workers.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/report/picture.hpp"
#include "ta2s2/workflow/next_runs.hpp"
#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2 {

std::vector<Index> columns_of(const std::vector<std::string>& wanted, const std::vector<std::string>& names) {
  std::vector<Index> columns;
  for (const std::string& name : wanted) columns.push_back(std::find(names.begin(), names.end(), name) - names.begin());
  return columns;
}

void require_columns(MatrixView values, const std::vector<std::string>& names, const std::string& what) {
  const auto expected = static_cast<Index>(names.size());
  if (values.cols() != expected) {
    throw Error(ErrorCode::usage, what + ": found " + counted(values.cols(), "column") + ", expected " +
                                      std::to_string(expected) + ": " + join(names, ", "));
  }
  for (Index d = 0; d < expected; ++d) {
    for (Index i = 0; i < values.rows(); ++i) {
      if (std::isfinite(values(i, d))) continue;
      throw Error(ErrorCode::bad_data, what + ", row " + std::to_string(i + 1) + ", \"" +
                                           names[static_cast<std::size_t>(d)] + "\": found " +
                                           format_number(values(i, d)) + ", expected a finite number");
    }
  }
}

const std::vector<OutputPredictive>& Emulator::State::predictives(bool plug_in) const {
  const std::scoped_lock lock(mutex);
  std::optional<std::vector<OutputPredictive>>& made = plug_in ? plug_ins : posteriors;
  if (made) return *made;
  std::vector<std::string> names;
  for (const OutputRecord& output : record.outputs) {
    for (const std::string& name : output.members.front().data.input_names()) add_once(names, name);
  }
  std::vector<OutputPredictive> all;
  for (const OutputRecord& output : record.outputs) {
    all.push_back({plug_in ? make_plug_in(output) : make_predictive(output),
                   columns_of(output.members.front().data.input_names(), names)});
  }
  made = std::move(all);
  return *made;
}

namespace {

// Runs of other columns, or in another order, would be scored as if they were this emulator's; a log scale has no
// value for an input that is not positive.
void require_alike(const EmulatorRecord& record, const Dataset& unseen) {
  const std::vector<OutputRuns>& found = unseen.by_output();
  for (std::size_t k = 0; k < record.outputs.size(); ++k) {
    const OutputRuns& known = record.outputs[k].members.front().data;
    if (k < found.size() && found[k].output_name() == known.output_name() &&
        found[k].input_names() == known.input_names()) {
      record.outputs[k].members.front().scaling.require_positive(found[k]);
      continue;
    }
    throw Error(ErrorCode::usage, "validation runs: expected the inputs " + join(known.input_names(), ", ") +
                                      " and the output " + known.output_name() +
                                      ", in this order: read them by read_runs() or take_runs()");
  }
}

void check(const PredictOptions& options, std::size_t num_outputs) {
  for (const double level : options.quantiles) {
    if (level >= 1e-9 && level <= 1.0 - 1e-9) continue;
    throw Error(ErrorCode::usage,
                "--quantiles: found " + format_number(level) + ", expected probabilities between 0 and 1");
  }
  std::vector<double> sorted = options.quantiles;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error(ErrorCode::usage,
                "--quantiles: found " + format_number(*twice) + " twice, expected each probability once");
  }
  if (options.covariance && num_outputs > 1) {
    throw Error(ErrorCode::usage, "found " + std::to_string(num_outputs) +
                                      " outputs, expected --output and one of them beside --covariance");
  }
}

bool looks_at_pairs(const PredictOptions& options) {
  return options.covariance || options.draws > 0;
}

void require_positive(const std::vector<OutputPredictive>& outputs, const std::vector<std::string>& names,
                      const Matrix& points, const RowPlace& where) {
  for (const OutputPredictive& output : outputs) {
    std::vector<std::string> own;
    for (const Index column : output.columns) own.push_back(names[static_cast<std::size_t>(column)]);
    output.predictive.scaling().require_positive(output.inputs(points), own, where);
  }
}

RowPlace row_of(const std::string& what) {
  return [what](Index row) { return what + ", row " + std::to_string(row + 1); };
}

// Rows are those of the reader's latest block.
RowPlace line_of(const std::filesystem::path& file, const PointReader& reader) {
  return [file = file.string(), lines = reader.lines()](Index row) {
    return file + ", line " + std::to_string(lines[static_cast<std::size_t>(row)]);
  };
}

// How far beyond the ranges, in ranges along the inputs' scales: the farthest input of any output. Points at a range's
// end may miss it by rounding.
Vector distance_outside(const std::vector<OutputPredictive>& outputs, const Matrix& points) {
  constexpr double kRounding = 1e-12;
  Vector outside = Vector::Zero(points.rows());
  for (const OutputPredictive& output : outputs) {
    const Matrix unit = output.predictive.scaling().to_unit(output.inputs(points));
    const Vector beyond = (unit.array() - 1.0).max(-unit.array()).rowwise().maxCoeff();
    outside = outside.cwiseMax((beyond.array() > kRounding).select(beyond, 0.0));
  }
  return outside;
}

Prediction predict_block(const std::vector<OutputPredictive>& outputs, const Matrix& points,
                         const PredictOptions& options, Executor& executor) {
  const auto num_outputs = static_cast<Index>(outputs.size());
  const Predict what = options.latent ? Predict::latent : Predict::new_run;
  Prediction prediction;
  prediction.mean.resize(points.rows(), num_outputs);
  prediction.sd.resize(points.rows(), num_outputs);
  prediction.outside = distance_outside(outputs, points);
  for (Index k = 0; k < num_outputs; ++k) {
    const OutputPredictive& output = outputs[static_cast<std::size_t>(k)];
    const Matrix inputs = output.inputs(points);
    PredictionSummary summary = summarise(output.predictive, inputs, what, options.quantiles, executor);
    prediction.mean.col(k) = summary.mean;
    prediction.sd.col(k) = summary.sd;
    prediction.quantiles.push_back(std::move(summary.quantiles));
    if (options.draws > 0) {
      prediction.draws.push_back(output.predictive.joint_draws(inputs, what, options.draws, options.seed, executor));
    }
    if (options.covariance) prediction.covariance.push_back(output.predictive.covariance(inputs, what, executor));
  }
  return prediction;
}

Index block_size(const std::vector<OutputPredictive>& outputs) {
  Index size = outputs.front().predictive.block_size();
  for (const OutputPredictive& output : outputs) size = std::min(size, output.predictive.block_size());
  return size;
}

void require_few_points(Index count, const std::string& where) {
  if (count <= kMostPointsTogether) return;
  throw Error(ErrorCode::usage, where + "found " + std::to_string(count) + " points, expected at most " +
                                    std::to_string(kMostPointsTogether) +
                                    " with --covariance or --draws, which look at all pairs of them");
}

std::vector<std::string> csv_columns(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                     const PredictOptions& options) {
  std::vector<std::string> names = inputs;
  for (const std::string& y : outputs) {
    names.insert(names.end(), {y + "_mean", y + "_sd"});
    for (const double level : options.quantiles) names.push_back(y + "_q" + format_number(level));
    for (Index i = 1; i <= options.draws; ++i) names.push_back(y + "_draw" + std::to_string(i));
  }
  names.push_back("outside");
  return names;
}

Matrix csv_rows(const Matrix& points, const Prediction& prediction, const PredictOptions& options) {
  const auto num_quantiles = static_cast<Index>(options.quantiles.size());
  const Index width = 2 + num_quantiles + options.draws;
  Matrix rows(points.rows(), points.cols() + prediction.mean.cols() * width + 1);
  rows.leftCols(points.cols()) = points;
  for (Index k = 0; k < prediction.mean.cols(); ++k) {
    const Index first = points.cols() + k * width;
    rows.col(first) = prediction.mean.col(k);
    rows.col(first + 1) = prediction.sd.col(k);
    rows.middleCols(first + 2, num_quantiles) = prediction.quantiles[static_cast<std::size_t>(k)];
    if (options.draws > 0)
      rows.middleCols(first + 2 + num_quantiles, options.draws) = prediction.draws[static_cast<std::size_t>(k)];
  }
  rows.rightCols(1) = prediction.outside;
  return rows;
}

void write_covariance(std::ostream& out, const Matrix& covariance) {
  std::vector<std::string> names;
  for (Index i = 1; i <= covariance.cols(); ++i) names.push_back("point" + std::to_string(i));
  write_csv_header(out, names);
  write_csv_rows(out, covariance);
}

}  // namespace

std::string outside_warning(Index num_outside, Index num_points, double farthest) {
  if (num_outside == 0) return "";
  return std::to_string(num_outside) + " of " + counted(num_points, "point") + (num_outside == 1 ? " lies" : " lie") +
         " outside the inputs' ranges, by up to " + format_number(farthest, 2) +
         " of a range: there the emulator extrapolates";
}

Prediction Emulator::predict(MatrixView points, const PredictOptions& options, const Context& context) const {
  check(options, record().outputs.size());
  require_columns(points, input_names(), "points");
  const std::vector<OutputPredictive>& outputs = state_->predictives(options.plug_in);
  require_positive(outputs, input_names(), points, row_of("points"));
  Workers workers(context);
  if (looks_at_pairs(options)) {
    require_few_points(points.rows(), "");
    Prediction prediction = predict_block(outputs, points, options, workers.executor());
    prediction.outputs = output_names();
    return prediction;
  }
  Prediction all{output_names(),       Matrix(points.rows(), static_cast<Index>(outputs.size())), {}, {}, {}, {},
                 Vector(points.rows())};
  all.sd = all.mean;
  all.quantiles.assign(outputs.size(), Matrix(points.rows(), static_cast<Index>(options.quantiles.size())));
  for (Index first = 0; first < points.rows(); first += block_size(outputs)) {
    const Index count = std::min(block_size(outputs), points.rows() - first);
    const Prediction block = predict_block(outputs, points.middleRows(first, count), options, workers.executor());
    all.mean.middleRows(first, count) = block.mean;
    all.sd.middleRows(first, count) = block.sd;
    all.outside.segment(first, count) = block.outside;
    for (std::size_t k = 0; k < outputs.size(); ++k) all.quantiles[k].middleRows(first, count) = block.quantiles[k];
  }
  return all;
}

namespace {

// Counts what lies outside, over blocks.
struct Outside {
  Index num_points = 0, num_outside = 0;
  double farthest = 0.0;

  void add(const Vector& outside) {
    num_points += outside.size();
    num_outside += (outside.array() > 0.0).count();
    if (outside.size() > 0) farthest = std::max(farthest, outside.maxCoeff());
  }
  std::string warning() const { return outside_warning(num_outside, num_points, farthest); }
};

}  // namespace

// A block of points is read, predicted and written before the next is read, unless all pairs of them are needed.
std::string Emulator::predict_csv(const std::filesystem::path& points, std::ostream& out, const PredictOptions& options,
                                  const Context& context) const {
  check(options, record().outputs.size());
  const std::vector<OutputPredictive>& outputs = state_->predictives(options.plug_in);
  const std::vector<std::string> inputs = input_names();
  Workers workers(context);
  PointReader reader(points, inputs);
  Matrix block;
  Outside outside;
  const Index most = looks_at_pairs(options) ? kMostPointsTogether + 1 : block_size(outputs);
  bool has_header = false;
  while (reader.next_block(most, block)) {
    if (looks_at_pairs(options)) require_few_points(block.rows(), points.string() + ": ");
    require_positive(outputs, inputs, block, line_of(points, reader));
    const Prediction prediction = predict_block(outputs, block, options, workers.executor());
    if (!has_header) write_csv_header(out, csv_columns(inputs, output_names(), options));
    has_header = true;
    write_csv_rows(out, csv_rows(block, prediction, options));
    outside.add(prediction.outside);
  }
  return outside.warning();
}

std::string Emulator::predict_csv(const std::filesystem::path& points, std::ostream& out, std::ostream& covariance,
                                  const PredictOptions& options, const Context& context) const {
  PredictOptions joint = options;
  joint.covariance = true;
  const std::vector<std::string> inputs = input_names();
  PointReader reader(points, inputs);
  Matrix all;
  reader.next_block(std::numeric_limits<Index>::max(), all);
  require_positive(state_->predictives(options.plug_in), inputs, all, line_of(points, reader));
  require_few_points(all.rows(), points.string() + ": ");
  const Prediction prediction = predict(all, joint, context);
  write_csv_header(out, csv_columns(inputs, prediction.outputs, joint));
  write_csv_rows(out, csv_rows(all, prediction, joint));
  write_covariance(covariance, prediction.covariance.front());
  Outside outside;
  outside.add(prediction.outside);
  return outside.warning();
}

std::vector<OutputValidation> Emulator::validate(const Dataset& unseen, const Context& context) const {
  require_alike(record(), unseen);
  const EmulatorRecord& complete = state_->complete(context);
  Workers workers(context);
  std::vector<OutputValidation> results;
  for (std::size_t k = 0; k < complete.outputs.size(); ++k) {
    const OutputRecord& output = complete.outputs[k];
    const OutputRuns& runs = unseen.by_output()[k];
    OutputValidation result{output.name(),
                            ta2s2::validate(state_->predictives(false)[k].predictive, runs, workers.executor()),
                            ta2s2::validate(state_->predictives(true)[k].predictive, runs, workers.executor()),
                            {}};
    const UnseenRuns facts =
        make_validation(output, runs, result.posterior.rmse, result.posterior.pit, workers.executor());
    result.judgement = judge(output, left_out_facts(output, workers.executor()), &facts);
    results.push_back(std::move(result));
  }
  return results;
}

Sensitivity Emulator::sensitivity(const SensitivityOptions& options, const std::vector<InputStatement>& statements,
                                  const Context& context) const {
  const OutputRecord& output = find_output(state_->complete(context), "");
  const Predictive& predictive = state_->predictives(false).front().predictive;
  const std::vector<std::string>& names = output.members.front().data.input_names();
  const InputDistributions inputs = match_inputs(statements, names, predictive);
  Workers workers(context);
  const auto on_done = [&](Index done) {
    if (context.on_progress) context.on_progress({"functions", done, options.num_paths, nullptr});
  };
  return summarise_sensitivity(analyse_sensitivity(predictive, inputs, options, workers.executor(), on_done), inputs,
                               names, predictive, *output.activity);
}

NextRuns Emulator::next_runs(const NextRunsOptions& options, const std::optional<Matrix>& candidates,
                             const Context& context) const {
  state_->only_output();
  if (candidates) require_positive(state_->predictives(false), input_names(), *candidates, row_of("candidates"));
  Workers workers(context);
  const auto on_chosen = [&](Index chosen) {
    if (context.on_progress) context.on_progress({"next runs", chosen, options.count, nullptr});
  };
  return ta2s2::next_runs(state_->predictives(false).front().predictive, options, candidates, workers.executor(),
                          on_chosen);
}

std::optional<std::string> Emulator::draw_next_runs(const NextRuns& next, const std::string& title) const {
  const MemberRecord& fit = state_->only_output().members.front();
  return ta2s2::draw_next_runs(fit.data, fit.scaling, next, title);
}

}  // namespace ta2s2
