// sum_j w_j log(1 + c_j(x, x) / nugget_j) / 2: what a run tells of the latent output, given the draw. The sum over a
// greedy batch is the information of the whole batch. What it tells of which draw is right is left out: together with
// it, the entropy of normal outputs would be the logarithm of the variance criterion.
#include <cmath>

#include "ta2s2/predictive/criteria/criteria.hpp"
#include "ta2s2/predictive/draw_process.hpp"

namespace ta2s2::detail {
namespace {

class EntropyCriterion final : public RunCriterion {
 public:
  EntropyCriterion(const Predictive& predictive, Executor& executor) : draws_(make_processes(predictive, executor)) {}

  Vector values(MatrixView unit_points) const override {
    Vector sum = Vector::Zero(unit_points.rows());
    for (const auto& draw : draws_) {
      const Vector c = draw->at(unit_points).c;
      sum.array() += 0.5 * draw->weight() * (c.array() / draw->nugget()).log1p();
    }
    return sum;
  }

  void add_run(const Vector& unit_point, Executor& executor) override {
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) {
      DrawProcess& draw = *draws_[static_cast<std::size_t>(i)];
      draw.add_run(unit_point, draw.nugget());
    });
  }

 private:
  std::vector<std::unique_ptr<DrawProcess>> draws_;
};

}  // namespace

std::unique_ptr<RunCriterion> make_entropy_criterion(const Predictive& predictive, Executor& executor) {
  return std::make_unique<EntropyCriterion>(predictive, executor);
}

}  // namespace ta2s2::detail
