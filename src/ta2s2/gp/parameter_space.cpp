#include "ta2s2/gp/parameter_space.hpp"

#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

double nugget_from_position(double z) {
  return kNuggetLowerBound + (1.0 - kNuggetLowerBound) / (1.0 + std::exp(-z));
}

double position_from_nugget(double nugget) {
  return std::log(nugget - kNuggetLowerBound) - std::log1p(-nugget);
}

// The logistic function has derivative sigmoid(z) sigmoid(-z).
double log_nugget_jacobian(double z) {
  return std::log1p(-kNuggetLowerBound) + log_sigmoid(z) + log_sigmoid(-z);
}

namespace {

void check_box(const Interval& box, const std::string& what) {
  if (std::isfinite(box.low) && std::isfinite(box.high) && box.low < box.high) return;
  throw Error(ErrorCode::usage, "the box of " + what + " must be two finite numbers, low below high, not " +
                                    format_number(box.low) + "," + format_number(box.high));
}

}  // namespace

ParameterSpace::ParameterSpace(std::vector<std::string> inputs, Interval log_phi) : inputs_(std::move(inputs)) {
  check_box(log_phi, "log phi");
  low_ = Vector::Constant(num_inputs(), log_phi.low);
  high_ = Vector::Constant(num_inputs(), log_phi.high);
}

ParameterSpace ParameterSpace::with_sampled_nugget(std::vector<std::string> inputs, Interval log_phi,
                                                   Interval z_nugget) {
  check_box(z_nugget, "the nugget's position");
  ParameterSpace space(std::move(inputs), log_phi);
  space.append(z_nugget);
  space.samples_nugget_ = true;
  return space;
}

ParameterSpace ParameterSpace::with_fixed_nugget(std::vector<std::string> inputs, double nugget, Interval log_phi) {
  if (!(nugget >= 0.0) || !std::isfinite(nugget)) {
    throw Error(ErrorCode::usage, "a fixed nugget must be zero or more, not " + format_number(nugget));
  }
  ParameterSpace space(std::move(inputs), log_phi);
  space.fixed_nugget_ = nugget;
  return space;
}

ParameterSpace ParameterSpace::with_normal_coordinates(const std::optional<NormalCoordinate>& shape,
                                                       const std::vector<NormalCoordinate>& transform) const {
  ParameterSpace space = *this;
  space.samples_shape_ = shape.has_value();
  if (shape) space.normal_.push_back(*shape);
  space.normal_.insert(space.normal_.end(), transform.begin(), transform.end());
  for (const NormalCoordinate& coordinate : space.normal_) space.append(coordinate.box);
  return space;
}

void ParameterSpace::append(const Interval& box) {
  const Index size = dim();
  low_.conservativeResize(size + 1);
  high_.conservativeResize(size + 1);
  low_[size] = box.low;
  high_[size] = box.high;
}

std::vector<std::string> ParameterSpace::names() const {
  std::vector<std::string> names;
  for (const auto& input : inputs_) names.push_back("log_phi_" + input);
  if (samples_nugget()) names.push_back(kNuggetName);
  for (const auto& coordinate : normal_) names.push_back(coordinate.name);
  return names;
}

double ParameterSpace::nugget(VectorView z) const {
  return samples_nugget() ? nugget_from_position(z[num_inputs()]) : fixed_nugget_;
}

GpParameters ParameterSpace::natural(VectorView z) const {
  GpParameters parameters;
  natural(z, parameters);
  return parameters;
}

void ParameterSpace::natural(VectorView z, GpParameters& out) const {
  const Index p = num_inputs();
  out.phi.resize(p);
  for (Index d = 0; d < p; ++d) out.phi[d] = std::exp(z[d]);
  out.nugget = nugget(z);
  if (samples_shape()) out.log_shape = z[first_normal()];
  out.transform = z.tail(dim() - first_transform());
}

Vector ParameterSpace::position(const GpParameters& parameters) const {
  Vector z(dim());
  z.head(num_inputs()) = parameters.phi.array().log();
  if (samples_nugget()) z[num_inputs()] = position_from_nugget(parameters.nugget);
  if (samples_shape()) z[first_normal()] = parameters.log_shape;
  z.tail(dim() - first_transform()) = parameters.transform;
  return z;
}

Vector ParameterSpace::log_jacobians(VectorView z) const {
  Vector logs = z;
  logs.tail(num_normal()).setZero();
  if (samples_nugget()) logs[num_inputs()] = log_nugget_jacobian(z[num_inputs()]);
  return logs;
}

}  // namespace ta2s2
