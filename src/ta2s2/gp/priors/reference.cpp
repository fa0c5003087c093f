// Reference prior (Paulo 2005): the root of the information (gp/reference_information.hpp), a density in log phi and,
// when joint, in the nugget, whose Jacobian to its sampling coordinate is added here.
#include "ta2s2/gp/priors/joint_priors.hpp"

namespace ta2s2 {

namespace {

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

}  // namespace

std::unique_ptr<Prior> make_reference_prior(Index num_inputs, InformationOver over) {
  return std::make_unique<Reference>(num_inputs, over);
}

}  // namespace ta2s2
