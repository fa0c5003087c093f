// Where the draws of a density start that does not say so itself.
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {

Vector TargetDensity::draw_start(Stream& stream) const {
  if (box() == nullptr) throw Error(ErrorCode::usage, "a density without a box has to say where its draws start");
  const Vector& low = box()->low;
  Vector point(dim());
  for (Index d = 0; d < dim(); ++d) point[d] = low[d] + (box()->high[d] - low[d]) * draw_uniform(stream);
  return point;
}

}  // namespace ta2s2
