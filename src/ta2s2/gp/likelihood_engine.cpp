#include "ta2s2/gp/likelihood_engine.hpp"

#include "ta2s2/gp/engines/engines.hpp"

namespace ta2s2 {

std::unique_ptr<const LikelihoodEngine> make_likelihood_engine(const GpModel& model, InformationOver over,
                                                               SimdPath path) {
  if (path == SimdPath::plain) return make_plain_engine(model, over);
  return make_simd_engine(model, over, path);
}

}  // namespace ta2s2
