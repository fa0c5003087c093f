#include "ta2s2/predictive/sample_function.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/draw_output.hpp"
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

// The factor of one input alone.
Matrix run_factors(const SampleFunction& path, Index input, const Vector& values) {
  Matrix factors;
  path.model->covariance().fill_cross(path.model->X().col(input), values, path.parameters.phi.segment(input, 1),
                                      factors);
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
  SampleFunction path{&model, parameters, draw_frequencies(model, parameters, num_waves, stream), {}, {}, {}, {}};
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
  if (path.model->covariance().is_product()) {
    factors.bottomRows(path.run_weights.size()) = run_factors(path, input, values);
  }
}

Vector path_values(const SampleFunction& path, MatrixView X_unit) {
  Matrix cross;
  path.model->covariance().fill_cross(path.model->X(), X_unit, path.parameters, cross);
  return path.model->trend().columns(X_unit) * path.beta + sum_of_waves(path, X_unit) +
         cross.transpose() * path.run_weights;
}

Vector path_outputs(const SampleFunction& path, MatrixView X_unit) {
  Vector values = path_values(path, X_unit);
  const DrawOutput output(*path.model, path.parameters);
  if (output.is_plain()) return values;
  for (double& value : values) value = output.of_process(value);
  return values;
}

}  // namespace ta2s2
