// V(x, x) - V(x, S) (V(S, S) + N)^-1 V(S, x), V the covariance (2.7) of the latent output over all draws, N the draws'
// mean nugget variance: the error of the best linear prediction from the outputs at the chosen points S. The variance
// given these outputs is expected to be that or less, and is just that if there is a single draw.
#include <Eigen/Cholesky>

#include "ta2s2/predictive/criteria/criteria.hpp"
#include "ta2s2/predictive/draw_process.hpp"

namespace ta2s2::detail {
namespace {

class VarianceCriterion final : public RunCriterion {
 public:
  VarianceCriterion(const Predictive& predictive, Executor& executor)
      : draws_(make_processes(predictive, executor)),
        chosen_(draws_.size()),
        weights_(predictive.weights()),
        output_sd_(predictive.scaling().output_sd()) {}

  Vector values(MatrixView unit_points) const override {
    Moments moments = moments_at(unit_points);
    if (!factor_) return moments.variance;
    factor_->matrixL().solveInPlace(moments.with_chosen);
    return (moments.variance - moments.with_chosen.colwise().squaredNorm().transpose()).cwiseMax(0.0);
  }

  void add_run(const Vector& unit_point, Executor& executor) override {
    Matrix chosen(num_chosen_ + 1, unit_point.size());
    if (num_chosen_ > 0) chosen.topRows(num_chosen_) = chosen_.front().X;
    chosen.row(num_chosen_) = unit_point.transpose();
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) {
      const auto draw = static_cast<std::size_t>(i);
      chosen_[draw] = draws_[draw]->predictor().at(chosen);
    });
    num_chosen_ += 1;
    chosen_means_ = Matrix(weights_.size(), num_chosen_);
    for (Index i = 0; i < weights_.size(); ++i) chosen_means_.row(i) = chosen_[static_cast<std::size_t>(i)].mean;
    Matrix V = moments_at(chosen).with_chosen;
    for (const auto& draw : draws_) {
      V.diagonal().array() += draw->weight() * draw->unit_variance() * draw->nugget();
    }
    factor_.emplace(V);
  }

 private:
  struct Moments {
    Vector variance;
    Matrix with_chosen;  // V(S, x), a column per point
  };

  Moments moments_at(const MatrixView& unit_points) const {
    Moments moments{Vector::Zero(unit_points.rows()), Matrix::Zero(num_chosen_, unit_points.rows())};
    Matrix means(weights_.size(), unit_points.rows());
    for (Index i = 0; i < weights_.size(); ++i) {
      const DrawProcess& draw = *draws_[static_cast<std::size_t>(i)];
      const ConditionalPredictor::Points points = draw.predictor().at(unit_points);
      const double scale = draw.weight() * draw.unit_variance();
      moments.variance += scale * draw.predictor().variance(points);
      if (num_chosen_ > 0) {
        moments.with_chosen += scale * draw.predictor().covariance(chosen_[static_cast<std::size_t>(i)], points);
      }
      means.row(i) = points.mean;
    }
    add_between_draws(means, moments);
    return moments;
  }

  void add_between_draws(const Matrix& means, Moments& moments) const {
    const Matrix centred = centre(means);
    const double output_variance = output_sd_ * output_sd_;
    moments.variance += output_variance * (centred.array().square().matrix().transpose() * weights_);
    if (num_chosen_ == 0) return;
    moments.with_chosen += output_variance * centre(chosen_means_).transpose() * weights_.asDiagonal() * centred;
  }

  Matrix centre(const Matrix& means) const {
    const Eigen::RowVectorXd average = weights_.transpose() * means;
    return means.rowwise() - average;
  }

  std::vector<std::unique_ptr<DrawProcess>> draws_;   // given the runs alone
  std::vector<ConditionalPredictor::Points> chosen_;  // as each draw sees them
  Matrix chosen_means_;                               // (draws, chosen)
  Index num_chosen_ = 0;
  std::optional<Eigen::LLT<Matrix>> factor_;  // of V(S, S) + N
  Vector weights_;
  double output_sd_;
};

}  // namespace

std::unique_ptr<RunCriterion> make_variance_criterion(const Predictive& predictive, Executor& executor) {
  return std::make_unique<VarianceCriterion>(predictive, executor);
}

}  // namespace ta2s2::detail
