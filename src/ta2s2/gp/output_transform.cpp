#include "ta2s2/gp/output_transform.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {
namespace {

struct KindEntry {
  const char* name;
  TransformKind kind;
  std::vector<NormalCoordinate> coordinates;
};

// The lower end of tau is a guard: nearer to the least output the density of runs that pile up there would decide
// everything. lambda = 1 or a large tau is the identity, lambda = 0 the shifted logarithm.
const std::vector<KindEntry>& entries() {
  static const std::vector<KindEntry> list = {
      {"none", TransformKind::none, {}},
      {"log", TransformKind::log, {}},
      {"box-cox",
       TransformKind::box_cox,
       {{"box_cox_log_shift", {-7.0, 4.0}, 0.0, 2.0}, {"box_cox_power", {-1.5, 2.5}, 0.5, 0.75}}},
      {"sinh-arcsinh",
       TransformKind::sinh_arcsinh,
       {{"sinh_arcsinh_log_tail", {-2.0, 1.0}, 0.0, 0.5}, {"sinh_arcsinh_skew", {-2.0, 2.0}, 0.0, 0.7}}},
  };
  return list;
}

const KindEntry& entry_of(TransformKind kind) {
  return *std::find_if(entries().begin(), entries().end(), [&](const KindEntry& e) { return e.kind == kind; });
}

double quantile(std::vector<double> values, double probability) {
  std::sort(values.begin(), values.end());
  const double place = probability * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

double skewness_sign(VectorView y) {
  const double mean = y.mean();
  return (y.array() - mean).cube().sum() < 0.0 ? -1.0 : 1.0;
}

OutputTransform logarithm(VectorView y, double zero) {
  if (y.minCoeff() > zero) return {TransformKind::log, 1.0, zero, 1.0};
  if (y.maxCoeff() < zero) return {TransformKind::log, -1.0, -zero, 1.0};
  throw Error(ErrorCode::bad_data,
              "--transform log: found outputs on both sides of zero, or zero itself; expected outputs of one sign "
              "(box-cox takes any)");
}

// Mirrored if the long tail is on the left.
OutputTransform box_cox(VectorView y) {
  const double sign = skewness_sign(y), range = y.maxCoeff() - y.minCoeff();
  return {TransformKind::box_cox, sign, sign > 0.0 ? y.minCoeff() : -y.maxCoeff(), range};
}

// The interquartile range of a normal law is 1.349 sd; half of the runs may share one value.
OutputTransform sinh_arcsinh(VectorView y) {
  constexpr double kNormalRange = 1.349, kLeastScale = 0.2;
  const std::vector<double> values(y.begin(), y.end());
  const double range = quantile(values, 0.75) - quantile(values, 0.25);
  return {TransformKind::sinh_arcsinh, 1.0, quantile(values, 0.5), std::max(range / kNormalRange, kLeastScale)};
}

// (e^x - 1) / x
double relative_growth(double x) {
  return x == 0.0 ? 1.0 : std::expm1(x) / x;
}

// d/dx of it, given e^x: (e^x (x - 1) + 1) / x^2 = sum_k x^k / (k! (k + 2)).
double growth_slope(double x, double grown) {
  constexpr double kSmall = 0.5;
  if (std::abs(x) > kSmall) return (grown * (x - 1.0) + 1.0) / (x * x);
  double sum = 0.0, term = 1.0;
  for (int k = 0; k < 16; ++k) {
    sum += term / (k + 2);
    term *= x / (k + 1);
  }
  return sum;
}

}  // namespace

OutputTransform::OutputTransform(TransformKind kind, double sign, double origin, double scale)
    : kind_(kind), sign_(sign), origin_(origin), scale_(scale) {
  const bool is_sound = std::abs(sign) == 1.0 && std::isfinite(origin) && std::isfinite(scale) && scale > 0.0;
  if (!is_sound) {
    throw Error(ErrorCode::bad_data,
                "found damaged constants of an output's transformation, expected finite numbers and a positive scale");
  }
}

OutputTransform OutputTransform::from(const std::string& name, VectorView y, double zero) {
  const auto found =
      std::find_if(entries().begin(), entries().end(), [&](const KindEntry& e) { return name == e.name; });
  if (found == entries().end()) throw unknown_choice("transformation of the output", name, transform_names());
  switch (found->kind) {
    case TransformKind::none:
      break;
    case TransformKind::log:
      return logarithm(y, zero);
    case TransformKind::box_cox:
      return box_cox(y);
    case TransformKind::sinh_arcsinh:
      return sinh_arcsinh(y);
  }
  return {};
}

std::string OutputTransform::name() const {
  return entry_of(kind_).name;
}

const std::vector<NormalCoordinate>& OutputTransform::coordinates() const {
  return entry_of(kind_).coordinates;
}

OutputTransform::Image OutputTransform::at(double y, const double* parameters) const {
  if (kind_ == TransformKind::none) return {y, 0.0};
  const double u = reduced(y);
  if (kind_ == TransformKind::log) return {sign_ * std::log(u), -std::log(u) - std::log(scale_)};
  if (kind_ == TransformKind::box_cox) {
    const double lambda = parameters[1], log_v = std::log(u + std::exp(parameters[0]));
    return {sign_ * log_v * relative_growth(lambda * log_v), (lambda - 1.0) * log_v - std::log(scale_)};
  }
  const double stretch = std::exp(parameters[0]), w = stretch * std::asinh(u) - parameters[1];
  return {std::sinh(w), std::log(std::cosh(w) / std::hypot(1.0, u)) + parameters[0] - std::log(scale_)};
}

OutputTransform::Derivatives OutputTransform::derivatives(double y, const double* parameters) const {
  Derivatives d;
  if (num_parameters() == 0) return d;
  const double u = reduced(y);
  if (kind_ == TransformKind::box_cox) {
    const double shift = std::exp(parameters[0]);
    return box_cox_derivatives(u, shift, parameters[1], std::log(u + shift));
  }
  const double along = std::exp(parameters[0]) * std::asinh(u), w = along - parameters[1];
  d.value[0] = std::cosh(w) * along;
  d.log_slope[0] = std::tanh(w) * along + 1.0;
  d.value[1] = -std::cosh(w);
  d.log_slope[1] = -std::tanh(w);
  return d;
}

OutputTransform::Derivatives OutputTransform::box_cox_derivatives(double u, double shift, double power,
                                                                  double log_v) const {
  const double share = shift / (u + shift), grown = std::exp(power * log_v);
  return {{sign_ * grown * share, sign_ * log_v * log_v * growth_slope(power * log_v, grown)},
          {(power - 1.0) * share, log_v}};
}

double OutputTransform::inverse(double z, const double* parameters) const {
  if (kind_ == TransformKind::none) return z;
  if (kind_ == TransformKind::log) return full(std::exp(sign_ * z));
  if (kind_ == TransformKind::box_cox) {
    const double shift = std::exp(parameters[0]), lambda = parameters[1], w = sign_ * z;
    if (1.0 + lambda * w <= 0.0) return lambda > 0.0 ? full(-shift) : sign_ * kInfinity;
    const double log_v = lambda == 0.0 ? w : std::log1p(lambda * w) / lambda;
    return full(std::exp(log_v) - shift);
  }
  return full(std::sinh((std::asinh(z) + parameters[1]) / std::exp(parameters[0])));
}

std::vector<std::string> transform_names() {
  std::vector<std::string> names;
  for (const KindEntry& entry : entries()) names.emplace_back(entry.name);
  return names;
}

}  // namespace ta2s2
