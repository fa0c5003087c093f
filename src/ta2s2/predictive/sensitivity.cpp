#include "ta2s2/predictive/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/predictive/path_analysis.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Enough to tell the error of integration, pooled over all paths.
constexpr Index kNumBatches = 2;

// Draws of the emulator by systematic resampling: each as often as its weight asks for, up to rounding.
std::vector<Index> choose_draws(const Vector& weights, Index count, std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::sample_function});
  const double offset = draw_uniform(stream);
  std::vector<Index> chosen;
  double reached = 0.0;
  for (Index draw = 0; draw < weights.size(); ++draw) {
    reached += weights[draw];
    const double end = draw + 1 == weights.size() ? 1.0 : reached;
    while (static_cast<Index>(chosen.size()) < count &&
           (static_cast<double>(chosen.size()) + offset) / static_cast<double>(count) < end) {
      chosen.push_back(draw);
    }
  }
  return chosen;
}

// The values have even steps along the scale of the input.
Vector shown_grid(const Scaling& scaling, Index d, const InputDistribution& input, Index size) {
  return scaling.grid(d, input.shown_low(), input.shown_high(), size);
}

AnalysisPlan plan_analysis(const Predictive& predictive, const InputDistributions& inputs, Index grid_size) {
  AnalysisPlan plan;
  const Scaling& scaling = predictive.scaling();
  for (Index d = 0; d < predictive.num_inputs(); ++d) {
    const InputDistribution& input = *inputs[static_cast<std::size_t>(d)];
    Quadrature rule = input.quadrature();
    rule.nodes = scaling.to_unit(d, rule.nodes);
    plan.rules.push_back(std::move(rule));
    plan.grids.push_back(scaling.to_unit(d, shown_grid(scaling, d, input, grid_size)));
  }
  return plan;
}

// The low-discrepancy points, moved by a random vector modulo 1 and carried to the inputs' distributions: a path's
// errors of integration are its own, and do not add up over paths.
Matrix moved_points(const Matrix& shares, const InputDistributions& inputs, const Scaling& scaling, Stream& stream) {
  Matrix points(shares.rows(), shares.cols());
  for (Index d = 0; d < shares.cols(); ++d) {
    const double shift = draw_uniform(stream);
    Vector values(shares.rows());
    for (Index i = 0; i < shares.rows(); ++i) {
      const double moved = shares(i, d) + shift;
      values[i] =
          inputs[static_cast<std::size_t>(d)]->quantile(std::clamp(moved - std::floor(moved), 1e-12, 1 - 1e-12));
    }
    points.col(d) = scaling.to_unit(d, values);
  }
  return points;
}

// A path's numbers as they cross the executor's seam: mean, then for each batch the variance, first and total
// effects, then main effects at the grids.
Payload pack(const PathVariances& path) {
  Payload numbers{path.mean};
  for (Index b = 0; b < kNumBatches; ++b) {
    const double variance = path.variance(b);
    const double divisor = variance > 0.0 ? variance : 1.0;  // a constant path has no effects
    numbers.push_back(variance);
    for (const double main : path.main[static_cast<std::size_t>(b)]) numbers.push_back(main / divisor);
    for (const double total : path.total.col(b)) numbers.push_back(total / divisor);
  }
  numbers.insert(numbers.end(), path.effects.data(), path.effects.data() + path.effects.size());
  return numbers;
}

struct Unpacked {
  double mean, variance;
  Matrix indices;  // of each batch: first, then total, (2 inputs, batches)
  Matrix effects;
};

Unpacked unpack(const Payload& numbers, Index inputs, Index grid_size) {
  Unpacked path{numbers[0], 0.0, Matrix(2 * inputs, kNumBatches), Matrix(grid_size, inputs)};
  const double* next = numbers.data() + 1;
  for (Index b = 0; b < kNumBatches; ++b) {
    path.variance += *next++ / static_cast<double>(kNumBatches);
    path.indices.col(b) = Eigen::Map<const Vector>(next, 2 * inputs);
    next += 2 * inputs;
  }
  path.effects = Eigen::Map<const Matrix>(next, grid_size, inputs);
  return path;
}

SensitivitySample gather(const std::vector<Payload>& payloads, const Predictive& predictive, Index grid_size) {
  const auto count = static_cast<Index>(payloads.size());
  const Index p = predictive.num_inputs();
  const double centre = predictive.scaling().output_mean(), unit = predictive.scaling().output_sd();
  SensitivitySample sample{Matrix(count, p), Matrix(count, p), Vector(count), Vector(count), {}, {}, {}, {}};
  sample.effects.assign(static_cast<std::size_t>(p), Matrix(count, grid_size));
  Vector squares = Vector::Zero(2 * p);
  for (Index i = 0; i < count; ++i) {
    const Unpacked path = unpack(payloads[static_cast<std::size_t>(i)], p, grid_size);
    const Vector indices = path.indices.rowwise().mean();
    sample.first.row(i) = indices.head(p).transpose();
    sample.total.row(i) = indices.tail(p).transpose();
    sample.means[i] = centre + unit * path.mean;
    sample.variances[i] = unit * unit * path.variance;
    for (Index d = 0; d < p; ++d) {
      sample.effects[static_cast<std::size_t>(d)].row(i) = (centre + unit * path.effects.col(d).array()).transpose();
    }
    // The variance of the mean of two is a quarter of their squared difference.
    squares += 0.25 * (path.indices.col(0) - path.indices.col(1)).cwiseAbs2();
  }
  const Vector errors = (squares / static_cast<double>(count)).cwiseSqrt();
  sample.first_errors = errors.head(p);
  sample.total_errors = errors.tail(p);
  return sample;
}

}  // namespace

SensitivitySample analyse_sensitivity(const Predictive& predictive, const InputDistributions& inputs,
                                      const SensitivityOptions& options, Executor& executor, const PathsDone& on_done) {
  const AnalysisPlan plan = plan_analysis(predictive, inputs, options.grid_size);
  const Matrix shares = make_design({predictive.num_inputs(), options.num_points, DesignKind::sobol, options.seed});
  const std::vector<Index> draws = choose_draws(predictive.weights(), options.num_paths, options.seed);
  const auto task = [&](Index number, int) {
    const auto name = [&](std::uint64_t step) {
      return StreamName{options.seed, Purpose::sample_function, 1, static_cast<std::uint64_t>(number), step};
    };
    const Index draw = draws[static_cast<std::size_t>(number)];
    Stream of_path(name(0)), of_points(name(1));
    const SampleFunction path =
        draw_path(predictive.model_of(draw), predictive.parameters_of(draw), options.num_waves, of_path);
    std::vector<Matrix> batches;
    for (Index b = 0; b < kNumBatches; ++b) {
      batches.push_back(moved_points(shares, inputs, predictive.scaling(), of_points));
    }
    return pack(analyse_path(path, plan, batches, predictive.path()));
  };
  Index done = 0;
  const auto arrived = [&](Index, const Payload&) {
    if (on_done) on_done(++done);
  };
  const std::vector<double> costs(draws.size(), 1.0);
  SensitivitySample sample = gather(executor.map(costs, task, arrived), predictive, options.grid_size);
  for (Index d = 0; d < predictive.num_inputs(); ++d) {
    const InputDistribution& input = *inputs[static_cast<std::size_t>(d)];
    sample.grids.push_back(shown_grid(predictive.scaling(), d, input, options.grid_size));
  }
  return sample;
}

InputDistributions uniform_inputs(const Predictive& predictive) {
  const Scaling& scaling = predictive.scaling();
  InputDistributions inputs;
  for (Index d = 0; d < predictive.num_inputs(); ++d) {
    const auto make = scaling.is_log(d) ? make_log_uniform_input : make_uniform_input;
    inputs.push_back(make(scaling.low()[d], scaling.high(d)));
  }
  return inputs;
}

}  // namespace ta2s2
