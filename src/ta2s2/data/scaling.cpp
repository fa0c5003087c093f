#include "ta2s2/data/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/input_scale.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {

namespace {

using detail::shown;

struct Moments {
  double mean, sd;
};

// Two passes, in units of a power of two near the largest value: exact scaling, and no square over- or
// underflows.
Moments moments(VectorView values) {
  const double n = static_cast<double>(values.size());
  int exponent = 0;
  std::frexp(values.cwiseAbs().maxCoeff(), &exponent);
  const auto in_units = [](double value, int unit) { return std::ldexp(value, -unit); };
  const Vector scaled = values.unaryExpr([&](double value) { return in_units(value, exponent); });
  double mean = scaled.mean();
  mean += (scaled.array() - mean).mean();  // takes back the rounding of the first sum
  const Vector residuals = scaled.array() - mean;
  int spread = 0;
  std::frexp(residuals.cwiseAbs().maxCoeff(), &spread);
  const double squares = residuals.unaryExpr([&](double value) { return in_units(value, spread); }).squaredNorm();
  return {std::ldexp(mean, exponent), std::ldexp(std::sqrt(squares / (n - 1.0)), spread + exponent)};
}

// The distance between the ends of the range, along its scale.
double width_of(const InputRange& range) {
  return on_scale(range.scale, range.high) - on_scale(range.scale, range.low);
}

}  // namespace

Scaling Scaling::from(const OutputRuns& data, const std::vector<InputRange>& declared,
                      const std::vector<InputScaleRule>& rules) {
  Vector low(data.num_inputs()), width(data.num_inputs());
  std::vector<InputScale> scales;
  for (const InputRange& range : find_ranges(data, declared, rules)) {
    const auto input = static_cast<Index>(scales.size());
    low[input] = range.low;
    width[input] = range.high - range.low;
    scales.push_back(range.scale);
    if (!(width_of(range) > 0.0) || !std::isfinite(width[input]))
      throw Error(ErrorCode::bad_data, "input " + shown(range.name) + ": found a range from " + shown(range.low) +
                                           " to " + shown(range.high) + ", expected one of positive, finite width");
  }
  const Moments output = moments(data.output());
  if (!(output.sd > 0.0) || !std::isfinite(output.sd))
    throw Error(ErrorCode::bad_data, "output " + shown(data.output_name()) + ": found standard deviation " +
                                         shown(output.sd) +
                                         ", expected an output that varies, within a double's range");
  return Scaling(std::move(low), std::move(width), output.mean, output.sd, std::move(scales));
}

Scaling::Scaling(Vector low, Vector width, double output_mean, double output_sd, std::vector<InputScale> scales)
    : low_(std::move(low)),
      width_(std::move(width)),
      start_(low_),
      length_units_(width_),
      scales_(std::move(scales)),
      output_mean_(output_mean),
      output_sd_(output_sd) {
  if (scales_.empty()) scales_.assign(static_cast<std::size_t>(low_.size()), InputScale::linear);
  const bool has_sizes = low_.size() == width_.size() && low_.size() == static_cast<Index>(scales_.size());
  for (Index input = 0; has_sizes && input < num_inputs(); ++input) {
    if (!is_log(input)) continue;
    start_[input] = std::log(low_[input]);
    length_units_[input] = std::log(high(input)) - start_[input];
  }
  const bool is_finite = start_.allFinite() && width_.allFinite() && length_units_.allFinite() &&
                         std::isfinite(output_mean) && std::isfinite(output_sd);
  if (!has_sizes || !is_finite || !(length_units_.array() > 0.0).all() || !(output_sd > 0.0))
    throw Error(ErrorCode::bad_data, "found a damaged scaling, expected finite numbers and positive widths");
}

bool Scaling::has_logs() const {
  return std::ranges::find(scales_, InputScale::log) != scales_.end();
}

Matrix Scaling::to_unit(MatrixView inputs) const {
  Matrix unit = inputs;
  for (Index input = 0; input < num_inputs(); ++input) unit.col(input) = to_unit(input, unit.col(input));
  return unit;
}

Matrix Scaling::to_user(MatrixView unit) const {
  Matrix inputs = unit;
  for (Index input = 0; input < num_inputs(); ++input) inputs.col(input) = to_user(input, inputs.col(input));
  return inputs;
}

Vector Scaling::to_unit(Index input, VectorView values) const {
  const auto unit_of = [&](double value) {
    return (on_scale(scale(input), value) - start_[input]) / length_units_[input];
  };
  return values.unaryExpr(unit_of);
}

Vector Scaling::to_user(Index input, VectorView unit) const {
  const auto value_of = [&](double u) { return from_scale(scale(input), u * length_units_[input] + start_[input]); };
  return unit.unaryExpr(value_of);
}

Vector Scaling::grid(Index input, double low, double high, Index size) const {
  Vector values = Vector::LinSpaced(size, on_scale(scale(input), low), on_scale(scale(input), high));
  if (!is_log(input)) return values;
  values = values.unaryExpr([](double value) { return std::exp(value); });
  values[0] = low;
  values[size - 1] = high;
  return values;
}

void Scaling::require_positive(MatrixView inputs, const std::vector<std::string>& names, const RowPlace& where) const {
  for (Index input = 0; input < num_inputs(); ++input) {
    if (!is_log(input)) continue;
    const auto values = inputs.col(input);
    const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return !(value > 0.0); });
    if (bad == values.end()) continue;
    detail::fail_not_positive(where(bad - values.begin()) + ", column " + shown(names[static_cast<std::size_t>(input)]),
                              *bad);
  }
}

void Scaling::require_positive(const OutputRuns& runs) const {
  require_positive(runs.inputs(), runs.input_names(), [&](Index run) { return runs.where(run); });
}

Vector Scaling::to_standard(VectorView output) const {
  return (output.array() - output_mean_) / output_sd_;
}

}  // namespace ta2s2
