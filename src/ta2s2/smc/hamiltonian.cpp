#include "ta2s2/smc/hamiltonian.hpp"

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

Hamiltonian::Hamiltonian(const DifferentiableTarget& target, Workspace& workspace, Matrix metric_factor)
    : target_(target), workspace_(workspace), factor_(std::move(metric_factor)) {}

PhasePoint Hamiltonian::at(Vector position) {
  PhasePoint point;
  point.momentum = Vector::Zero(position.size());
  point.position = std::move(position);
  evaluate(point);
  return point;
}

void Hamiltonian::draw_momentum(PhasePoint& point, Stream& stream) const {
  point.momentum = draw_normals(stream, point.position.size());
}

void Hamiltonian::leapfrog(PhasePoint& point, double step) {
  kick(point, 0.5 * step);
  drift(point, step);
  evaluate(point);
  if (point.energy.possible()) kick(point, 0.5 * step);
}

double Hamiltonian::total(const PhasePoint& point) const {
  return point.energy.total() + 0.5 * point.momentum.squaredNorm();
}

void Hamiltonian::kick(PhasePoint& point, double step) const {
  point.momentum -= factor_.transpose().triangularView<Eigen::Upper>() * (step * point.gradient);
}

void Hamiltonian::drift(PhasePoint& point, double step) const {
  point.position += factor_.triangularView<Eigen::Lower>() * (step * point.momentum);
}

void Hamiltonian::evaluate(PhasePoint& point) {
  point.energy = target_.energy_and_gradient(point.position, workspace_, point.gradient);
  ++gradient_evaluations_;
}

}  // namespace ta2s2
