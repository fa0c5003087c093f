#include "ta2s2/predictive/effects.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"

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

}  // namespace ta2s2
