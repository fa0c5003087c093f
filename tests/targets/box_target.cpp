#include "targets/box_target.hpp"

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

BoxTarget::BoxTarget(Vector low, Vector high)
    : box_{std::move(low), std::move(high)}, log_volume_((box_.high - box_.low).array().log().sum()) {}

std::vector<std::string> BoxTarget::names() const {
  std::vector<std::string> names;
  for (Index d = 0; d < dim(); ++d) names.push_back("x" + std::to_string(d + 1));
  return names;
}

bool BoxTarget::contains(VectorView x) const {
  return (x.array() >= low().array()).all() && (x.array() <= high().array()).all();
}

void BoxTarget::energies(MatrixView points, Workspace&, std::span<Energy> out) const {
  for (Index i = 0; i < points.cols(); ++i) {
    const auto x = points.col(i);
    out[static_cast<std::size_t>(i)] = contains(x) ? Energy{log_volume_, -log_density(x) - log_volume_, Impossible::no}
                                                   : Energy::impossible(Impossible::outside_box);
  }
}

Vector BoxTarget::draw_start(Stream& stream) const {
  Vector x(dim());
  for (Index d = 0; d < dim(); ++d) x[d] = low()[d] + (high()[d] - low()[d]) * draw_uniform(stream);
  return x;
}

}  // namespace ta2s2
