#include "ta2s2/predictive/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/sample_function.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

constexpr Index kDrawsPerTask = 4;
// Nodes of Simpson's rule on an input's range: a dozen to the shortest length-scale that the default box admits.
constexpr Index kNumNodes = 401;

// A function of a draw's number that gives as many numbers for each draw, in the order of the draws: a column per draw.
template <typename Function>
Matrix for_each_draw(Index num_draws, Index numbers, const Function& function, Executor& executor) {
  const auto task = [&](Index group, int) {
    Payload payload(
        static_cast<std::size_t>(numbers * (std::min((group + 1) * kDrawsPerTask, num_draws) - group * kDrawsPerTask)));
    double* next = payload.data();
    for (Index i = group * kDrawsPerTask; i < std::min((group + 1) * kDrawsPerTask, num_draws); ++i) {
      function(i, next);
      next += numbers;
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>((num_draws + kDrawsPerTask - 1) / kDrawsPerTask), 1.0);
  Matrix all(numbers, num_draws);
  double* next = all.data();
  for (const Payload& payload : executor.map(costs, task)) next = std::copy(payload.begin(), payload.end(), next);
  return all;
}

Vector simpson_weights(Index nodes) {
  Vector weights(nodes);
  for (Index i = 0; i < nodes; ++i) weights[i] = i == 0 || i == nodes - 1 ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
  return weights / (3.0 * static_cast<double>(nodes - 1));
}

// The factor of one input alone: every correlation is a product over inputs.
Matrix one_input(const Covariance& covariance, const Vector& runs, const Vector& points, double phi) {
  Matrix factor;
  covariance.fill_cross(runs, points, Vector::Constant(1, phi), factor);
  return factor;
}

// Trend columns averaged over all inputs but one. Each depends on one input and is at most quadratic in it, so that two
// Gauss nodes average it exactly, and all other inputs can be at their nodes together.
Matrix averaged_trend(const Trend& trend, Index num_inputs, Index input, const Vector& grid) {
  Matrix sum = Matrix::Zero(grid.size(), trend.size());
  for (const double side : {-1.0, 1.0}) {
    Matrix points = Matrix::Constant(grid.size(), num_inputs, 0.5 + side * 0.5 / std::sqrt(3.0));
    points.col(input) = grid;
    sum += 0.5 * trend.columns(points);
  }
  return sum;
}

// Averages of the one-input factors over [0, 1]: with each run, and of two uniform points with one another.
struct Averages {
  Matrix with_runs;  // (runs, inputs)
  Vector with_itself;
};

Averages average_factors(const GpModel& model, const Vector& phi, const Vector& nodes, const Vector& weights) {
  Averages averages{Matrix(model.num_runs(), model.num_inputs()), Vector(model.num_inputs())};
  for (Index d = 0; d < model.num_inputs(); ++d) {
    averages.with_runs.col(d) = one_input(model.covariance(), model.X().col(d), nodes, phi[d]) * weights;
    // The distance r of two uniform points has density 2 (1 - r).
    const Vector by_distance = one_input(model.covariance(), Vector::Zero(1), nodes, phi[d]).row(0).transpose();
    averages.with_itself[d] = (2.0 * weights.array() * (1.0 - nodes.array()) * by_distance.array()).sum();
  }
  return averages;
}

double product_without(const Eigen::Ref<const Eigen::RowVectorXd>& row, Index left_out) {
  double product = 1.0;
  for (Index d = 0; d < row.size(); ++d) product *= d == left_out ? 1.0 : row[d];
  return product;
}

double variance(const Vector& values) {
  return (values.array() - values.mean()).square().mean();
}

// A draw's predicted mean at points of which one input at a time is changed. The correlation with a run is a product
// over inputs, so that the changed one is the product of those before it, of the changed factor, and of those behind
// it.
class ChangedMeans {
 public:
  ChangedMeans(const Predictive& predictive, Index draw, const Matrix& base, const Matrix& changed)
      : model_(predictive.model_of(draw)),
        predictor_(model_, predictive.parameters_of(draw)),
        phi_(predictive.parameters_of(draw).phi),
        base_(base),
        changed_(changed) {
    for (Index d = 0; d < model_.num_inputs(); ++d) factors_.push_back(factor(d, base_));
    behind_.push_back(Matrix::Ones(model_.num_runs(), base.rows()));
    for (Index d = model_.num_inputs() - 1; d >= 0; --d) {
      behind_.push_back(behind_.back().cwiseProduct(factors_[static_cast<std::size_t>(d)]));
    }
  }

  Vector unchanged() const { return mean(behind_.back(), base_); }

  // Each input in turn, from the first.
  template <typename Visit>
  void visit_changed(const Visit& visit) const {
    Matrix before = Matrix::Ones(model_.num_runs(), base_.rows());
    Matrix points = base_;
    for (Index d = 0; d < model_.num_inputs(); ++d) {
      points.col(d) = changed_.col(d);
      const Matrix& behind = behind_[static_cast<std::size_t>(model_.num_inputs() - 1 - d)];
      visit(d, mean(before.cwiseProduct(factor(d, changed_)).cwiseProduct(behind), points));
      points.col(d) = base_.col(d);
      before.array() *= factors_[static_cast<std::size_t>(d)].array();
    }
  }

 private:
  Matrix factor(Index d, const Matrix& points) const {
    return one_input(model_.covariance(), model_.X().col(d), points.col(d), phi_[d]);
  }
  Vector mean(const Matrix& cross, const Matrix& points) const {
    return cross.transpose() * predictor_.data_weights() + model_.trend().columns(points) * predictor_.beta_hat();
  }

  const GpModel& model_;
  ConditionalPredictor predictor_;
  Vector phi_;
  const Matrix &base_, &changed_;
  std::vector<Matrix> factors_;  // of each input at the unchanged points
  std::vector<Matrix> behind_;   // products of the last 0, 1, ..., p inputs' factors
};

}  // namespace

MainEffects main_effects(const Predictive& predictive, Index grid_size, Executor& executor) {
  const Scaling& scaling = predictive.scaling();
  const Index p = predictive.num_inputs(), points = p * grid_size;
  const double freedom = predictive.degrees_of_freedom();
  const Vector grid = Vector::LinSpaced(grid_size, 0.0, 1.0), nodes = Vector::LinSpaced(kNumNodes, 0.0, 1.0);
  const Vector weights = simpson_weights(kNumNodes);
  const auto of_draw = [&](Index draw, double* out) {
    const GpModel& model = predictive.model_of(draw);
    const GpParameters& parameters = predictive.parameters_of(draw);
    const ConditionalPredictor predictor(model, parameters);
    const Averages averages = average_factors(model, parameters.phi, nodes, weights);
    for (Index d = 0; d < p; ++d) {
      Matrix cross = one_input(model.covariance(), model.X().col(d), grid, parameters.phi[d]);
      for (Index i = 0; i < model.num_runs(); ++i) cross.row(i) *= product_without(averages.with_runs.row(i), d);
      const double prior = product_without(averages.with_itself.transpose(), d);
      Vector mean, c;
      predictor.predict_functionals(std::move(cross), averaged_trend(model.trend(), p, d, grid),
                                    Vector::Constant(grid_size, prior), mean, c);
      Eigen::Map<Vector>(out + d * grid_size, grid_size) = scaling.output_mean() + scaling.output_sd() * mean.array();
      Eigen::Map<Vector>(out + points + d * grid_size, grid_size) =
          scaling.output_sd() * (predictor.S2() / freedom * c.array()).sqrt();
    }
  };
  const Matrix all = for_each_draw(predictive.num_draws(), 2 * points, of_draw, executor);
  return {grid,
          {predictive.weights(), all.topRows(points).transpose(), all.bottomRows(points).transpose(), freedom,
           predictive.path()}};
}

Matrix total_effects(const Predictive& predictive, Index num_points, Executor& executor) {
  const Index p = predictive.num_inputs();
  const Matrix both = make_design({2 * p, num_points, DesignKind::random, 1});
  const Matrix base = both.leftCols(p), changed = both.rightCols(p);
  const auto of_draw = [&](Index draw, double* out) {
    const ChangedMeans means(predictive, draw, base, changed);
    const Vector unchanged = means.unchanged();
    const double whole = variance(unchanged);
    means.visit_changed([&](Index d, const Vector& mean) {
      out[d] = whole > 0.0 ? 0.5 * (unchanged - mean).squaredNorm() / static_cast<double>(num_points) / whole : 0.0;
    });
  };
  return for_each_draw(predictive.num_draws(), p, of_draw, executor).transpose();
}

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

Vector to_unit(const Scaling& scaling, Index input, const Vector& values) {
  return (values.array() - scaling.low()[input]) / scaling.width()[input];
}

Vector shown_grid(const InputDistribution& input, Index size) {
  return Vector::LinSpaced(size, input.shown_low(), input.shown_high());
}

AnalysisPlan plan_analysis(const Predictive& predictive, const InputDistributions& inputs, Index grid_size) {
  AnalysisPlan plan;
  for (Index d = 0; d < predictive.num_inputs(); ++d) {
    const InputDistribution& input = *inputs[static_cast<std::size_t>(d)];
    Quadrature rule = input.quadrature();
    rule.nodes = to_unit(predictive.scaling(), d, rule.nodes);
    plan.rules.push_back(std::move(rule));
    plan.grids.push_back(to_unit(predictive.scaling(), d, shown_grid(input, grid_size)));
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
    points.col(d) = to_unit(scaling, d, values);
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
    for (const double main : path.main) numbers.push_back(main / divisor);
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
  for (const auto& input : inputs) sample.grids.push_back(shown_grid(*input, options.grid_size));
  return sample;
}

InputDistributions uniform_inputs(const Predictive& predictive) {
  const Scaling& scaling = predictive.scaling();
  InputDistributions inputs;
  for (Index d = 0; d < predictive.num_inputs(); ++d) {
    inputs.push_back(make_uniform_input(scaling.low()[d], scaling.low()[d] + scaling.width()[d]));
  }
  return inputs;
}

}  // namespace ta2s2
