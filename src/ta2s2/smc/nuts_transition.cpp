#include "ta2s2/smc/nuts_transition.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ta2s2/base/log_math.hpp"
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

namespace {

// A stretch of states, in order of time.
struct Trajectory {
  PhasePoint begin, end;
  Vector momentum_sum;
  double log_weight;  // of the sum of exp(-energy error) over its states
  PhasePoint chosen;  // one of its states
};

bool turns(const Vector& first, const Vector& last, const Vector& momentum_sum) {
  return !(first.dot(momentum_sum) > 0.0 && last.dot(momentum_sum) > 0.0);
}

// The generalised criterion over the whole, and over either part with the nearest state of the other: a trajectory can
// turn between two parts of which neither does.
bool turns(const Trajectory& early, const Trajectory& late) {
  return turns(early.begin.momentum, late.end.momentum, early.momentum_sum + late.momentum_sum) ||
         turns(early.begin.momentum, late.begin.momentum, early.momentum_sum + late.begin.momentum) ||
         turns(early.end.momentum, late.end.momentum, late.momentum_sum + early.end.momentum);
}

class Tree {
 public:
  Tree(Hamiltonian& hamiltonian, const NutsTuning& tuning, const PhasePoint& start, Stream& stream)
      : hamiltonian_(hamiltonian),
        tuning_(tuning),
        stream_(stream),
        start_energy_(hamiltonian.total(start)),
        all_{start, start, start.momentum, 0.0, start} {}

  // Doubles until it turns; returns the state it chose.
  PhasePoint grow() {
    while (report_.doublings < tuning_.max_doublings && double_once()) {
    }
    report_.acceptance = sum_of_acceptances_ / static_cast<double>(num_tried_);
    return std::move(all_.chosen);
  }

  const NutsTransition& report() const { return report_; }

 private:
  // False if the trajectory is at its end: a part that turns or diverges within is not used at all, one that turns
  // against the rest is.
  bool double_once() {
    const bool forward = draw_uniform(stream_) < 0.5;
    PhasePoint edge = forward ? all_.end : all_.begin;
    std::optional<Trajectory> grown = part(edge, report_.doublings, forward);
    if (!grown) return false;
    ++report_.doublings;
    // Of old and new, the new is preferred: min(1, w_new / w_old), which is still reversible.
    if (std::log(draw_uniform(stream_)) < grown->log_weight - all_.log_weight) all_.chosen = std::move(grown->chosen);
    const bool ended = forward ? turns(all_, *grown) : turns(*grown, all_);
    all_.log_weight = log_add_exp(all_.log_weight, grown->log_weight);
    all_.momentum_sum += grown->momentum_sum;
    (forward ? all_.end : all_.begin) = std::move(edge);
    return !ended;
  }

  // 2^depth states beyond `edge`, which moves along; nothing if they turn or diverge.
  std::optional<Trajectory> part(PhasePoint& edge, int depth, bool forward) {
    if (depth == 0) return single(edge, forward);
    std::optional<Trajectory> near = part(edge, depth - 1, forward);
    if (!near) return std::nullopt;
    std::optional<Trajectory> far = part(edge, depth - 1, forward);
    if (!far) return std::nullopt;
    Trajectory& early = forward ? *near : *far;
    Trajectory& late = forward ? *far : *near;
    if (turns(early, late)) return std::nullopt;
    const double log_weight = log_add_exp(early.log_weight, late.log_weight);
    const bool takes_late = std::log(draw_uniform(stream_)) < late.log_weight - log_weight;
    return Trajectory{std::move(early.begin), std::move(late.end), early.momentum_sum + late.momentum_sum, log_weight,
                      std::move(takes_late ? late.chosen : early.chosen)};
  }

  std::optional<Trajectory> single(PhasePoint& edge, bool forward) {
    hamiltonian_.leapfrog(edge, forward ? tuning_.step : -tuning_.step);
    const double error = hamiltonian_.total(edge) - start_energy_;
    ++num_tried_;
    if (!(error <= kDivergence)) {  // nor if it is no number
      report_.divergent = true;
      return std::nullopt;
    }
    sum_of_acceptances_ += std::min(1.0, std::exp(-error));
    return Trajectory{edge, edge, edge.momentum, -error, edge};
  }

  Hamiltonian& hamiltonian_;
  const NutsTuning& tuning_;
  Stream& stream_;
  double start_energy_;
  Trajectory all_;
  NutsTransition report_;
  double sum_of_acceptances_ = 0.0;
  int num_tried_ = 0;
};

}  // namespace

NutsTransition nuts_transition(Hamiltonian& hamiltonian, const NutsTuning& tuning, PhasePoint& state, Stream& stream) {
  hamiltonian.draw_momentum(state, stream);
  Tree tree(hamiltonian, tuning, state, stream);
  state = tree.grow();
  return tree.report();
}

}  // namespace ta2s2
