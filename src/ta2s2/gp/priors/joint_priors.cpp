// Priors of several coordinates, but for the jointly robust ones (jointly_robust.cpp).
#include "ta2s2/gp/priors/priors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Below it the difference of two cdfs near one has fewer than seven digits, and the box was a mistake.
constexpr double kSmallestMass = 1e-9;

double natural_of(Coordinate coordinate, double z) {
  return coordinate == Coordinate::log_phi ? std::exp(z) : nugget_from_position(z);
}

double position_of(Coordinate coordinate, double v) {
  return coordinate == Coordinate::log_phi ? std::log(v) : position_from_nugget(v);
}

double log_jacobian(Coordinate coordinate, double z) {
  return coordinate == Coordinate::log_phi ? z : log_nugget_jacobian(z);
}

// dlog v / dz.
double log_natural_slope(Coordinate coordinate, double z) {
  return coordinate == Coordinate::log_phi ? 1.0 : std::exp(log_nugget_jacobian(z)) / nugget_from_position(z);
}

// The slope of log_jacobian in z; that of log (s (1 - s)), s the logistic function, is 1 - 2 s.
double log_jacobian_slope(Coordinate coordinate, double z) {
  return coordinate == Coordinate::log_phi ? 1.0 : -std::tanh(0.5 * z);
}

class TruncatedScalar {
 public:
  explicit TruncatedScalar(ScalarOnBox part)
      : part_(std::move(part)),
        cdf_low_(part_.density->cdf(natural_of(part_.coordinate, part_.box.low))),
        mass_(part_.density->cdf(natural_of(part_.coordinate, part_.box.high)) - cdf_low_),
        log_mass_(std::log(mass_)) {
    if (mass_ > kSmallestMass) return;
    throw Error(ErrorCode::usage, "the prior " + part_.density->spec() + " puts next to none of its mass on the box [" +
                                      format_number(part_.box.low) + ", " + format_number(part_.box.high) +
                                      "] of the sampling coordinate");
  }

  double log_density(double z) const {
    if (!part_.box.contains(z)) return -kInfinity;
    const bool is_log = part_.coordinate == Coordinate::log_phi;
    const double log_density =
        is_log ? part_.density->log_density_of_log(z) : part_.density->log_density(natural_of(part_.coordinate, z));
    return log_density + log_jacobian(part_.coordinate, z) - log_mass_;
  }

  double log_density_slope(double z) const {
    return part_.density->log_density_slope(natural_of(part_.coordinate, z)) * log_natural_slope(part_.coordinate, z) +
           log_jacobian_slope(part_.coordinate, z);
  }

  double draw(Stream& stream) const {
    const double v = part_.density->quantile(std::min(1.0, cdf_low_ + mass_ * draw_uniform(stream)));
    return std::clamp(position_of(part_.coordinate, v), part_.box.low, part_.box.high);
  }

 private:
  ScalarOnBox part_;
  double cdf_low_, mass_, log_mass_;
};

// Independent coordinates, each with a density of its natural parameter, renormalised on the box exactly.
class Product final : public Prior {
 public:
  Product(std::string spec, std::vector<ScalarOnBox> parts) : spec_(std::move(spec)) {
    for (auto& part : parts) parts_.emplace_back(std::move(part));
  }

  std::string spec() const override { return spec_; }
  Index dim() const override { return static_cast<Index>(parts_.size()); }
  bool is_proper() const override { return true; }

  double log_density(VectorView z) const override {
    double sum = 0.0;
    for (Index d = 0; d < dim(); ++d) sum += part(d).log_density(z[d]);
    return sum;
  }

  bool has_gradient() const override { return true; }
  void log_density_gradient(VectorView z, Eigen::Ref<Vector> gradient) const override {
    for (Index d = 0; d < dim(); ++d) gradient[d] = part(d).log_density_slope(z[d]);
  }

  Vector draw(Stream& stream) const override {
    Vector z(dim());
    for (Index d = 0; d < dim(); ++d) z[d] = part(d).draw(stream);
    return z;
  }

 private:
  const TruncatedScalar& part(Index d) const { return parts_[static_cast<std::size_t>(d)]; }

  std::string spec_;
  std::vector<TruncatedScalar> parts_;
};

// Reference prior (Paulo 2005): the root of the information (gp/reference_information.hpp), a density in log phi and,
// when joint, in the nugget, whose Jacobian to its sampling coordinate is added here.
class Reference final : public Prior {
 public:
  Reference(Index num_inputs, InformationOver over) : p_(num_inputs), over_(over) {}

  std::string spec() const override { return covers_nugget() ? "reference(joint)" : "reference"; }
  Index dim() const override { return p_ + (covers_nugget() ? 1 : 0); }
  bool is_proper() const override { return false; }
  InformationOver needs_information() const override { return over_; }
  bool covers_nugget() const override { return over_ == InformationOver::length_scales_and_nugget; }

  double log_density_given(VectorView z, double log_information_root) const override {
    return log_information_root + (covers_nugget() ? log_nugget_jacobian(z[p_]) : 0.0);
  }

 private:
  Index p_;
  InformationOver over_;
};

// A user's own density of phi.
class Function final : public Prior {
 public:
  Function(FunctionPrior function, Index num_inputs, Interval box)
      : function_(std::move(function)), p_(num_inputs), box_(box) {
    if (!function_.log_density_of_phi) throw Error(ErrorCode::usage, "a function prior needs its log density");
  }

  std::string spec() const override { return "function"; }
  Index dim() const override { return p_; }
  bool is_proper() const override { return function_.normalised_on_box && function_.draw_phi; }

  double log_density(VectorView z) const override {
    double log_jacobian = 0.0;  // one by one: z.sum() would depend on where z is kept
    for (Index d = 0; d < p_; ++d) {
      if (!box_.contains(z[d])) return -kInfinity;
      log_jacobian += z[d];
    }
    const Vector phi = z.array().exp();
    return function_.log_density_of_phi(phi) + log_jacobian;
  }

  Vector draw(Stream& stream) const override {
    return is_proper() ? Vector(function_.draw_phi(stream).array().log()) : Prior::draw(stream);
  }

 private:
  FunctionPrior function_;
  Index p_;
  Interval box_;
};

}  // namespace

std::unique_ptr<Prior> make_product_prior(std::string spec, std::vector<ScalarOnBox> parts) {
  return std::make_unique<Product>(std::move(spec), std::move(parts));
}

std::unique_ptr<Prior> make_reference_prior(Index num_inputs, InformationOver over) {
  return std::make_unique<Reference>(num_inputs, over);
}

std::unique_ptr<Prior> make_length_scale_prior(FunctionPrior function, const PriorContext& context) {
  return std::make_unique<Function>(std::move(function), static_cast<Index>(context.inputs.size()), context.box);
}

}  // namespace ta2s2
