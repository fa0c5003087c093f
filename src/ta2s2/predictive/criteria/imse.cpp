// sum_j w_j v_j sum_r W_r c_j(r, x)^2 / (c_j(x, x) + nugget_j), v_j the variance for c = 1. Given a draw this is
// exactly by how much a run at x is expected to lower the variance at the reference points, and because weights are
// posterior probabilities it is also exact for the part of the mixture's variance that lies within draws. Closed-form
// integrals exist for some correlations, but are differences of nearly equal numbers where the emulator is good; here
// each term is a square.
#include "ta2s2/predictive/criteria/criteria.hpp"
#include "ta2s2/predictive/draw_process.hpp"

namespace ta2s2::detail {
namespace {

class ImseCriterion final : public RunCriterion {
 public:
  ImseCriterion(const Predictive& predictive, const Matrix& reference, Vector weights, Executor& executor)
      : draws_(make_processes(predictive, executor)), reference_(draws_.size()), weights_(std::move(weights)) {
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) {
      const auto draw = static_cast<std::size_t>(i);
      reference_[draw] = draws_[draw]->at(reference);
    });
  }

  Vector values(MatrixView unit_points) const override {
    Vector sum = Vector::Zero(unit_points.rows());
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      const DrawProcess& draw = *draws_[i];
      const DrawProcess::Points points = draw.at(unit_points);
      const Matrix c = draw.covariance(reference_[i], points);
      const Vector squares = c.array().square().matrix().transpose() * weights_;
      sum.array() += draw.weight() * draw.unit_variance() * squares.array() / (points.c.array() + draw.nugget());
    }
    return sum;
  }

  void add_run(const Vector& unit_point, Executor& executor) override {
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) {
      const auto k = static_cast<std::size_t>(i);
      draws_[k]->add_run(unit_point, draws_[k]->nugget());
      draws_[k]->update(reference_[k]);
    });
  }

  std::optional<double> average_variance() const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      sum += draws_[i]->weight() * draws_[i]->unit_variance() * weights_.dot(reference_[i].c);
    }
    return sum;
  }

 private:
  std::vector<std::unique_ptr<DrawProcess>> draws_;
  std::vector<DrawProcess::Points> reference_;  // as each draw sees them
  Vector weights_;
};

}  // namespace

std::unique_ptr<RunCriterion> make_imse_criterion(const Predictive& predictive, Matrix reference, Vector weights,
                                                  Executor& executor) {
  return std::make_unique<ImseCriterion>(predictive, reference, std::move(weights), executor);
}

}  // namespace ta2s2::detail
