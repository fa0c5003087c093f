// Transformations g of an output which a process describes better than the output itself (docs/math.md, section 15).
// g rises everywhere. Its parameters are coordinates of the posterior; its constants are found once, at the first fit.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/settings.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// A coordinate of the posterior besides length-scales and nugget: normal a priori, on an interval.
struct NormalCoordinate {
  std::string name;
  Interval box;
  double mean = 0.0, sd = 1.0;
};

enum class TransformKind { none, log, box_cox, sinh_arcsinh };

// With u = (sign y - origin) / scale of a standardised output y:
//   none          g = y
//   log           g = sign log u
//   box_cox       g = sign (v^lambda - 1) / lambda, v = u + e^tau; parameters tau, lambda
//   sinh_arcsinh  g = sinh(e^a asinh u - b); parameters a, b
class OutputTransform {
 public:
  static constexpr Index kMostParameters = 2;

  OutputTransform() = default;  // none
  // From stored constants. Error{bad_data} unless they are finite, sign 1 or -1 and scale positive.
  OutputTransform(TransformKind kind, double sign, double origin, double scale);
  // Constants from the runs' standardised outputs. zero: where the user's zero is among them. Error{usage} for an
  // unknown name, Error{bad_data} for `log` of outputs that are not all above or all below zero.
  static OutputTransform from(const std::string& name, VectorView y, double zero);

  TransformKind kind() const { return kind_; }
  std::string name() const;
  double sign() const { return sign_; }
  double origin() const { return origin_; }
  double scale() const { return scale_; }
  bool is_none() const { return kind_ == TransformKind::none; }
  const std::vector<NormalCoordinate>& coordinates() const;  // of its parameters
  Index num_parameters() const { return static_cast<Index>(coordinates().size()); }

  struct Image {
    double value = 0.0;      // g(y)
    double log_slope = 0.0;  // log g'(y)
  };
  // Not finite where y is outside the domain of log or box_cox.
  Image at(double y, const double* parameters) const;

  // The same with derivatives along each parameter.
  struct Derivatives {
    double value[kMostParameters] = {}, log_slope[kMostParameters] = {};
  };
  Derivatives derivatives(double y, const double* parameters) const;
  // Of box_cox, when the logarithm of v = u + shift is known: without another transcendental function but exp.
  Derivatives box_cox_derivatives(double u, double shift, double power, double log_v) const;

  // The y with g(y) = z. Beyond what g reaches, the end of the domain, which may be infinite.
  double inverse(double z, const double* parameters) const;

  // u of a standardised output.
  double reduced(double y) const { return (sign_ * y - origin_) / scale_; }

 private:
  double full(double u) const { return sign_ * (origin_ + scale_ * u); }

  TransformKind kind_ = TransformKind::none;
  double sign_ = 1.0, origin_ = 0.0, scale_ = 1.0;
};

std::vector<std::string> transform_names();

}  // namespace ta2s2
