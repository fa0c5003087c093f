#include "ta2s2/gp/prior.hpp"

#include "ta2s2/error.hpp"

namespace ta2s2 {

double Prior::log_density(VectorView) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " cannot be evaluated without the information");
}

double Prior::log_density_given(VectorView, double) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " does not use the information");
}

void Prior::log_density_gradient(VectorView, Eigen::Ref<Vector>) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " has no gradient");
}

Vector Prior::draw(Stream&) const {
  throw Error(ErrorCode::usage, "the prior " + spec() + " cannot be drawn from");
}

}  // namespace ta2s2
