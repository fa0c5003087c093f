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
  const Index p = space.num_inputs();
  space.low_.conservativeResize(p + 1);
  space.high_.conservativeResize(p + 1);
  space.low_[p] = z_nugget.low;
  space.high_[p] = z_nugget.high;
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

std::vector<std::string> ParameterSpace::names() const {
  std::vector<std::string> names;
  for (const auto& input : inputs_) names.push_back("log_phi_" + input);
  if (samples_nugget()) names.push_back("z_nugget");
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
}

Vector ParameterSpace::position(const GpParameters& parameters) const {
  Vector z(dim());
  z.head(num_inputs()) = parameters.phi.array().log();
  if (samples_nugget()) z[num_inputs()] = position_from_nugget(parameters.nugget);
  return z;
}

Vector ParameterSpace::log_jacobians(VectorView z) const {
  Vector logs = z;
  if (samples_nugget()) logs[num_inputs()] = log_nugget_jacobian(z[num_inputs()]);
  return logs;
}

}  // namespace ta2s2
