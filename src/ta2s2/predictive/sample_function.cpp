#include "ta2s2/predictive/sample_function.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/simd/wave_routines.hpp"

namespace ta2s2 {
namespace {

// Shorter waves are noise between any two values, whatever their length: within this bound sines keep their digits.
constexpr double kHighestFrequency = 1e4;

Matrix draw_frequencies(const GpModel& model, const GpParameters& parameters, Index num_waves, Stream& stream) {
  Matrix frequencies(num_waves, model.num_inputs());
  model.covariance().draw_frequencies(parameters, stream, frequencies);
  return frequencies.cwiseMax(-kHighestFrequency).cwiseMin(kHighestFrequency);
}

Vector sum_of_waves(const SampleFunction& path, MatrixView X) {
  const Matrix angles = path.frequencies * X.transpose();
  return angles.array().cos().matrix().transpose() * path.real_amplitudes -
         angles.array().sin().matrix().transpose() * path.imag_amplitudes;
}

// The factor of one input alone: every correlation is a product over inputs.
Matrix run_factors(const SampleFunction& path, Index input, const Vector& values) {
  Matrix factors;
  path.model->covariance().fill_cross(path.model->X().col(input), values, path.phi.segment(input, 1), factors);
  return factors;
}

}  // namespace

// With g a path of the prior with variance sigma^2 and z = y - (g(X) + noise), f = g + the prediction from z has the
// posterior's mean, since the prediction is linear in z, and its covariance sigma^2 c(x, w), since g minus its own
// prediction is the error of prediction. sigma^2 given the runs is S2 over chi^2 with the degrees of freedom.
SampleFunction draw_path(const GpModel& model, const GpParameters& parameters, Index num_waves, Stream& stream) {
  const ConditionalPredictor predictor(model, parameters);
  const double chi2 = 2.0 * draw_gamma(stream, 0.5 * static_cast<double>(model.degrees_of_freedom()));
  const double sigma = std::sqrt(predictor.S2() / chi2);
  SampleFunction path{&model, parameters.phi, draw_frequencies(model, parameters, num_waves, stream), {}, {}, {},
                      {}};
  const double amplitude = sigma / std::sqrt(static_cast<double>(num_waves));
  path.real_amplitudes = amplitude * draw_normals(stream, num_waves);
  path.imag_amplitudes = amplitude * draw_normals(stream, num_waves);

  const Vector noise = sigma * std::sqrt(parameters.nugget) * draw_normals(stream, model.num_runs());
  // The prior's path has a trend too where its coefficients have a proper prior.
  path.beta = Vector::Zero(model.num_trend_columns());
  if (model.has_proper_columns()) {
    path.beta = sigma * predictor.prior_coefficients(draw_normals(stream, model.num_trend_columns()));
  }
  const Vector prior_values = sum_of_waves(path, model.X()) + model.H() * path.beta;
  ConditionalPredictor::Weights weights = predictor.weights_for(predictor.output() - prior_values - noise);
  path.run_weights = std::move(weights.data_weights);
  path.beta += weights.beta_hat;
  return path;
}

void fill_input_factors(const SampleFunction& path, Index input, VectorView values, InstructionSet simd,
                        Matrix& factors) {
  const Index waves = path.num_waves();
  const Vector frequencies = path.frequencies.col(input);
  const WaveRoutines* kernels = wave_routines(simd);
  factors.resize(path.num_terms(), values.size());
  for (Index j = 0; j < values.size(); ++j) {
    double* cosines = factors.col(j).data();
    if (kernels != nullptr && kHighestFrequency * std::abs(values[j]) <= kLargestAngle) {
      kernels->waves(static_cast<std::size_t>(waves), frequencies.data(), values[j], cosines, cosines + waves);
    } else {
      factors.col(j).head(waves) = (values[j] * frequencies.array()).cos();
      factors.col(j).segment(waves, waves) = (values[j] * frequencies.array()).sin();
    }
  }
  factors.bottomRows(path.run_weights.size()) = run_factors(path, input, values);
}

Vector path_values(const SampleFunction& path, MatrixView X_unit) {
  Matrix cross;
  path.model->covariance().fill_cross(path.model->X(), X_unit, path.phi, cross);
  return path.model->trend().columns(X_unit) * path.beta + sum_of_waves(path, X_unit) +
         cross.transpose() * path.run_weights;
}

namespace {

// Factors of terms at some values of one input: cosines, sines, correlations with runs, as fill_input_factors gives
// them.
struct Split {
  Index waves, runs;

  auto sines(Matrix& m) const { return m.middleRows(waves, waves).array(); }
  auto correlations(Matrix& m) const { return m.bottomRows(runs).array(); }
  auto correlations(const Matrix& m) const { return m.bottomRows(runs).array(); }
};

// product *= factor, term by term: waves are complex numbers, correlations real ones.
void multiply(const Split& split, Matrix& product, const Matrix& factor) {
  for (Index j = 0; j < product.cols(); ++j) {
    double *a = product.col(j).data(), *b = a + split.waves;
    const double *c = factor.col(j).data(), *d = c + split.waves;
    for (Index k = 0; k < split.waves; ++k) {
      const double real = a[k] * c[k] - b[k] * d[k];
      b[k] = a[k] * d[k] + b[k] * c[k];
      a[k] = real;
    }
  }
  split.correlations(product) *= split.correlations(factor);
}

Vector coefficients(const SampleFunction& path) {
  Vector all(path.num_terms());
  all << path.real_amplitudes, path.imag_amplitudes, path.run_weights;
  return all;
}

// Matrices that one stretch of points after another uses: made anew they would cost as much as what is done with them.
struct Workspace {
  std::vector<Matrix> factors, others;
  Matrix before, behind, along;
};

// Points of a stretch: its matrices of some hundred terms stay in the second cache.
constexpr Index kStretch = 16;

// Leaves in work.others the coefficients times the factors of all inputs but one, of each input in turn.
void multiply_others(const Split& split, const Vector& start, Workspace& work) {
  const std::size_t p = work.factors.size();
  work.others.resize(p);
  work.before = start.replicate(1, work.factors.front().cols());
  for (std::size_t d = 0; d < p; ++d) {
    work.others[d] = work.before;
    multiply(split, work.before, work.factors[d]);
  }
  work.behind = work.factors.back();
  for (std::size_t d = p - 1; d-- > 0;) {
    multiply(split, work.others[d], work.behind);
    if (d > 0) multiply(split, work.behind, work.factors[d]);
  }
}

// With this the real part of a product is a plain sum over rows: a c - b d.
Matrix conjugated(const Split& split, Matrix factors) {
  split.sines(factors) *= -1.0;
  return factors;
}

// The trend is a sum of functions of one input each, so that it is in main effects alone: at `values` of one input, all
// others at zero, without the constant.
Vector trend_of_input(const SampleFunction& path, Index input, const Vector& values) {
  Matrix points = Matrix::Zero(values.size() + 1, path.model->num_inputs());
  points.col(input).head(values.size()) = values;
  const Vector all = path.model->trend().columns(points) * path.beta;
  return all.head(values.size()).array() - all[values.size()];
}

double trend_at_zero(const SampleFunction& path) {
  return (path.model->trend().columns(Matrix::Zero(1, path.model->num_inputs())) * path.beta)[0];
}

class PathAnalysis {
 public:
  PathAnalysis(const SampleFunction& path, const AnalysisPlan& plan, InstructionSet simd)
      : path_(path),
        plan_(plan),
        simd_(simd),
        split_{path.num_waves(), path.run_weights.size()},
        coefficients_(coefficients(path)) {
    Workspace averages;
    for (Index d = 0; d < num_inputs(); ++d) {
      at_nodes_.emplace_back();
      fill_input_factors(path, d, rule(d).nodes, simd, at_nodes_.back());
      averages.factors.push_back(at_nodes_.back() * rule(d).weights);
    }
    multiply_others(split_, coefficients_, averages);
    process_mean_ = averages.others.front().col(0).dot(conjugated(split_, averages.factors.front()).col(0));
    for (Matrix& others : averages.others) averaged_.push_back(conjugated(split_, std::move(others)));
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      effects_at_nodes_.push_back(process_effect(d, at_nodes_[input]));
      at_nodes_[input] = conjugated(split_, std::move(at_nodes_[input]));
    }
  }

  PathVariances result(const std::vector<Matrix>& batches) const {
    const auto num_batches = static_cast<Index>(batches.size());
    PathVariances variances{process_mean_ + trend_at_zero(path_), Vector(num_inputs()),
                            Matrix(num_inputs(), num_batches), Vector::Zero(num_batches),
                            Matrix(plan_.grids.front().size(), num_inputs())};
    for (Index d = 0; d < num_inputs(); ++d) add_main(d, variances);
    variances.effects.array() += variances.mean;
    variances.total.colwise() = variances.main;
    Workspace work;
    work.factors.resize(static_cast<std::size_t>(num_inputs()));
    for (Index b = 0; b < num_batches; ++b) {
      const Matrix& points = batches[static_cast<std::size_t>(b)];
      const double share = 1.0 / static_cast<double>(points.rows());
      for (Index first = 0; first < points.rows(); first += kStretch) {
        add_stretch(points.middleRows(first, std::min(kStretch, points.rows() - first)), share, b, work, variances);
      }
    }
    return variances;
  }

 private:
  Index num_inputs() const { return path_.model->num_inputs(); }
  const Quadrature& rule(Index d) const { return plan_.rules[static_cast<std::size_t>(d)]; }

  // The process averaged over all inputs but one, without its mean.
  Vector process_effect(Index d, const Matrix& factors) const {
    return (factors.transpose() * averaged_[static_cast<std::size_t>(d)].col(0)).array() - process_mean_;
  }

  void add_main(Index d, PathVariances& variances) const {
    const Vector effect = effects_at_nodes_[static_cast<std::size_t>(d)] + trend_of_input(path_, d, rule(d).nodes);
    const double mean = rule(d).weights.dot(effect);  // the trend's: the process has none
    const Vector& grid = plan_.grids[static_cast<std::size_t>(d)];
    variances.mean += mean;
    variances.main[d] = rule(d).weights.dot((effect.array() - mean).square().matrix());
    Matrix at_grid;
    fill_input_factors(path_, d, grid, simd_, at_grid);
    variances.effects.col(d) =
        process_effect(d, at_grid) + trend_of_input(path_, d, grid) - Vector::Constant(grid.size(), mean);
  }

  // At each point the path without its main effects is followed along each input in turn, over all nodes of its rule.
  // What varies there is the input's part in interactions; its mean square is all interactions' variance, found as
  // often as there are inputs. Main effects are left out since their part is known without error.
  void add_stretch(MatrixView points, double share, Index batch, Workspace& work, PathVariances& variances) const {
    Matrix effects(points.rows(), num_inputs());
    for (Index d = 0; d < num_inputs(); ++d) {
      Matrix& factors = work.factors[static_cast<std::size_t>(d)];
      fill_input_factors(path_, d, points.col(d), simd_, factors);
      effects.col(d) = process_effect(d, factors);
    }
    multiply_others(split_, coefficients_, work);
    for (Index d = 0; d < num_inputs(); ++d) {
      const auto input = static_cast<std::size_t>(d);
      work.along.noalias() = work.others[input].transpose() * at_nodes_[input];
      work.along.rowwise() -= effects_at_nodes_[input].transpose();
      work.along.colwise() -= effects.rowwise().sum() - effects.col(d);
      work.along.array() -= process_mean_;
      const Vector means = work.along * rule(d).weights, squares = work.along.cwiseAbs2() * rule(d).weights;
      variances.total(d, batch) += share * (squares - means.cwiseAbs2()).cwiseMax(0.0).sum();
      variances.interactions[batch] += share * squares.sum() / static_cast<double>(num_inputs());
    }
  }

  const SampleFunction& path_;
  const AnalysisPlan& plan_;
  InstructionSet simd_;
  Split split_;
  Vector coefficients_;
  std::vector<Matrix> at_nodes_;  // factors at the rule's nodes, of each input, conjugated
  std::vector<Matrix> averaged_;  // coefficients times the averages of all inputs' factors but one's, conjugated
  std::vector<Vector> effects_at_nodes_;
  double process_mean_ = 0.0;
};

}  // namespace

PathVariances analyse_path(const SampleFunction& path, const AnalysisPlan& plan, const std::vector<Matrix>& batches,
                           InstructionSet simd) {
  return PathAnalysis(path, plan, simd).result(batches);
}

}  // namespace ta2s2
