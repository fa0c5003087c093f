#include "ta2s2/gp/prior.hpp"

#include "ta2s2/base/error.hpp"

namespace ta2s2 {

double Prior::log_density(VectorView) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " cannot be evaluated without the factorised correlation");
}

double Prior::log_density_at(const FactorisedPoint&) const {
  throw Error(ErrorCode::internal, "the prior " + spec() + " does not use the factorised correlation");
}

Vector Prior::draw(Stream&) const {
  throw Error(ErrorCode::usage, "the prior " + spec() + " cannot be drawn from");
}

}  // namespace ta2s2
