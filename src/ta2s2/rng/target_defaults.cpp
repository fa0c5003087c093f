// What a target does unless it says otherwise.
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {
namespace {

const Box& box_of(const TargetDensity& target) {
  if (target.box() == nullptr) {
    throw Error(ErrorCode::usage, "a density without a box has to say where its draws start");
  }
  return *target.box();
}

}  // namespace

Vector TargetDensity::draw_start(Stream& stream) const {
  const Box& box = box_of(*this);
  Vector point(dim());
  for (Index d = 0; d < dim(); ++d) point[d] = box.low[d] + (box.high[d] - box.low[d]) * draw_uniform(stream);
  return point;
}

StartLaw TargetDensity::start_law() const {
  const Box& box = box_of(*this);
  return {box.low, box.high, Vector::Zero(dim())};
}

void DifferentiableTarget::energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                                                  Eigen::Ref<Matrix> gradients) const {
  Vector gradient(dim());
  for (Index i = 0; i < points.cols(); ++i) {
    out[static_cast<std::size_t>(i)] = energy_and_gradient(points.col(i), workspace, gradient);
    gradients.col(i) = gradient;
  }
}

}  // namespace ta2s2
