// The library's H, in blocks as the sampler asks for it.
#include "evaluator.hpp"
#include "problem.hpp"

namespace ta2s2::bench {
namespace {

Runs runs_of(const PeerProblem& problem) {
  return {Eigen::Map<const Matrix>(problem.X.data(), problem.n, problem.p),
          Eigen::Map<const Vector>(problem.y.data(), problem.n)};
}

class Ours final : public Evaluator {
 public:
  explicit Ours(const PeerProblem& problem)
      : target_(make_target(runs_of(problem), {})),
        workspace_(target_.make_workspace()),
        energies_(static_cast<std::size_t>(target_.lanes())),
        log_volume_(target_.space().log_volume()) {}

  int lanes() const override { return target_.lanes(); }

  void evaluate(const double* positions, double* energies) override {
    target_.energies(Eigen::Map<const Matrix>(positions, target_.dim(), lanes()), *workspace_, energies_);
    for (std::size_t i = 0; i < energies_.size(); ++i) energies[i] = energies_[i].total() - log_volume_;
  }

 private:
  GpTarget target_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Energy> energies_;
  double log_volume_;  // the prior is uniform on the box
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const PeerProblem& problem) {
  return std::make_unique<Ours>(problem);
}

}  // namespace ta2s2::bench
