// A user's own density of phi.
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"

namespace ta2s2 {

namespace {

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

std::unique_ptr<Prior> make_length_scale_prior(FunctionPrior function, const PriorContext& context) {
  return std::make_unique<Function>(std::move(function), static_cast<Index>(context.inputs.size()), context.box);
}

}  // namespace ta2s2
