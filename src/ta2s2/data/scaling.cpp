#include "ta2s2/data/scaling.hpp"

#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_reader.hpp"
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

void check_known(const OutputRuns& data, const std::vector<InputRange>& ranges) {
  for (const InputRange& range : ranges) {
    if (contains(data.input_names(), range.name) || contains(data.unused_columns(), range.name)) continue;
    const std::string nearest = detail::nearest_name(data.input_names(), range.name);
    throw Error(ErrorCode::usage, "a range is declared for " + shown(range.name) + ", expected one of the inputs " +
                                      detail::listed(data.input_names()) +
                                      (nearest.empty() ? "" : " (did you mean " + shown(nearest) + "?)"));
  }
}

void check_inside(const OutputRuns& data, Index input, const InputRange& range) {
  for (Index run = 0; run < data.num_runs(); ++run) {
    const double value = data.inputs()(run, input);
    if (value >= range.low && value <= range.high) continue;
    throw Error(ErrorCode::bad_data, data.where(run) + ", column " + shown(range.name) + ": found " + shown(value) +
                                         ", expected a value in its declared range, " + shown(range.low) + " to " +
                                         shown(range.high));
  }
}

InputRange range_of(const OutputRuns& data, Index input, const std::vector<InputRange>& declared) {
  const std::string& name = data.input_names()[static_cast<std::size_t>(input)];
  for (const InputRange& range : declared) {
    if (range.name != name) continue;
    check_inside(data, input, range);
    return range;
  }
  return {name, data.inputs().col(input).minCoeff(), data.inputs().col(input).maxCoeff()};
}

}  // namespace

Scaling Scaling::from(const OutputRuns& data, const std::vector<InputRange>& ranges) {
  check_known(data, ranges);
  Vector low(data.num_inputs()), width(data.num_inputs());
  for (Index input = 0; input < data.num_inputs(); ++input) {
    const InputRange range = range_of(data, input, ranges);
    low[input] = range.low;
    width[input] = range.high - range.low;
    if (!(width[input] > 0.0) || !std::isfinite(width[input]))
      throw Error(ErrorCode::bad_data, "input " + shown(range.name) + ": found a range from " + shown(range.low) +
                                           " to " + shown(range.high) + ", expected one of positive, finite width");
  }
  const Moments output = moments(data.output());
  if (!(output.sd > 0.0) || !std::isfinite(output.sd))
    throw Error(ErrorCode::bad_data, "output " + shown(data.output_name()) + ": found standard deviation " +
                                         shown(output.sd) +
                                         ", expected an output that varies, within a double's range");
  return Scaling(std::move(low), std::move(width), output.mean, output.sd);
}

Scaling::Scaling(Vector low, Vector width, double output_mean, double output_sd)
    : low_(std::move(low)), width_(std::move(width)), output_mean_(output_mean), output_sd_(output_sd) {
  const bool is_finite =
      low_.allFinite() && width_.allFinite() && std::isfinite(output_mean) && std::isfinite(output_sd);
  if (low_.size() != width_.size() || !is_finite || !(width_.array() > 0.0).all() || !(output_sd > 0.0))
    throw Error(ErrorCode::bad_data, "found a damaged scaling, expected finite numbers and positive widths");
}

Matrix Scaling::to_unit(MatrixView inputs) const {
  return ((inputs.rowwise() - low_.transpose()).array().rowwise() / width_.transpose().array()).matrix();
}

Matrix Scaling::to_user(MatrixView unit) const {
  return (unit.array().rowwise() * width_.transpose().array()).matrix().rowwise() + low_.transpose();
}

Vector Scaling::to_standard(VectorView output) const {
  return (output.array() - output_mean_) / output_sd_;
}

}  // namespace ta2s2
