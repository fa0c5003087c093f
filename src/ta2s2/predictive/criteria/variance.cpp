// The criteria that ask how much a run would tell of the output: imse, entropy and variance.
#include <Eigen/Cholesky>
#include <cmath>

#include "ta2s2/predictive/run_criterion.hpp"

namespace ta2s2::detail {
namespace {

// sum_j w_j v_j sum_r W_r c_j(r, x)^2 / (c_j(x, x) + nugget_j), v_j the variance for c = 1. Given a draw this is
// exactly by how much a run at x is expected to lower the variance at the reference points, and because weights are
// posterior probabilities it is also exact for the part of the mixture's variance that lies within draws. Closed-form
// integrals exist for some correlations, but are differences of nearly equal numbers where the emulator is good; here
// each term is a square. Of a transformed output the fall is that of the process, times the ratio of the output's
// variance to the process's that the runs leave at r: exact where g^-1 is a straight line over the law there.
class ImseCriterion final : public RunCriterion {
 public:
  ImseCriterion(const Predictive& predictive, const Matrix& reference, Vector weights, Executor& executor)
      : draws_(make_processes(predictive, executor)),
        reference_(draws_.size()),
        weights_by_draw_(draws_.size()),
        weights_(std::move(weights)) {
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) {
      const auto draw = static_cast<std::size_t>(i);
      reference_[draw] = draws_[draw]->at(reference);
      weights_by_draw_[draw] = weights_for(*draws_[draw], reference_[draw]);
    });
  }

  Vector values(MatrixView unit_points) const override {
    Vector sum = Vector::Zero(unit_points.rows());
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      const DrawProcess& draw = *draws_[i];
      const DrawProcess::Points points = draw.at(unit_points);
      const Matrix c = draw.covariance(reference_[i], points);
      const Vector squares = c.array().square().matrix().transpose() * weights_by_draw_[i];
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
      sum += draws_[i]->weight() * draws_[i]->unit_variance() * weights_by_draw_[i].dot(reference_[i].c);
    }
    return sum;
  }

 private:
  std::vector<std::unique_ptr<DrawProcess>> draws_;
  Vector weights_for(const DrawProcess& draw, const DrawProcess::Points& reference) const {
    if (draw.is_plain()) return weights_;
    return weights_.cwiseProduct(draw.output_moments(reference.given_runs).ratios);
  }

  std::vector<DrawProcess::Points> reference_;  // as each draw sees them
  std::vector<Vector> weights_by_draw_;
  Vector weights_;
};

}  // namespace

std::unique_ptr<RunCriterion> make_imse_criterion(const Predictive& predictive, Matrix reference, Vector weights,
                                                  Executor& executor) {
  return std::make_unique<ImseCriterion>(predictive, reference, std::move(weights), executor);
}

namespace {

// sum_j w_j log(1 + c_j(x, x) / nugget_j) / 2: what a run tells of the latent output, given the draw. The sum over a
// greedy batch is the information of the whole batch. What it tells of which draw is right is left out: together with
// it, the entropy of normal outputs would be the logarithm of the variance criterion. Information does not change when
// the output is transformed.
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

namespace {

// V(x, x) - V(x, S) (V(S, S) + N)^-1 V(S, x), V the covariance (2.7) of the latent output over all draws, N the draws'
// mean nugget variance: the error of the best linear prediction from the outputs at the chosen points S. The variance
// given these outputs is expected to be that or less, and is just that if there is a single draw. Of transformed
// outputs variances are the users', and covariances have the correlations of the processes.
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
    if (num_chosen_ > 0) chosen.topRows(num_chosen_) = chosen_.front().points.X;
    chosen.row(num_chosen_) = unit_point.transpose();
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) {
      const auto draw = static_cast<std::size_t>(i);
      chosen_[draw] = seen_by(*draws_[draw], chosen);
    });
    num_chosen_ += 1;
    chosen_means_ = Matrix(weights_.size(), num_chosen_);
    for (Index i = 0; i < weights_.size(); ++i) chosen_means_.row(i) = chosen_[static_cast<std::size_t>(i)].means;
    Matrix V = moments_at(chosen).with_chosen;
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      const DrawProcess& draw = *draws_[i];
      const double noise = draw.weight() * draw.unit_variance() * draw.nugget();
      if (draw.is_plain()) {
        V.diagonal().array() += noise;
      } else {
        V.diagonal() += noise * chosen_[i].ratios;
      }
    }
    factor_.emplace(V);
  }

 private:
  struct Moments {
    Vector variance;
    Matrix with_chosen;  // V(S, x), a column per point
  };

  // Points as a draw sees them.
  struct Seen {
    ConditionalPredictor::Points points;
    Vector means;   // standardised
    Vector ratios;  // DrawProcess::OutputMoments; without elements of a plain output
  };

  static Seen seen_by(const DrawProcess& draw, MatrixView unit_points) {
    Seen seen{draw.predictor().at(unit_points), {}, {}};
    seen.means = seen.points.mean;
    if (draw.is_plain()) return seen;
    DrawProcess::OutputMoments output = draw.output_moments(seen.points);
    seen.means = std::move(output.means);
    seen.ratios = std::move(output.ratios);
    return seen;
  }

  Moments moments_at(const MatrixView& unit_points) const {
    Moments moments{Vector::Zero(unit_points.rows()), Matrix::Zero(num_chosen_, unit_points.rows())};
    Matrix means(weights_.size(), unit_points.rows());
    for (Index i = 0; i < weights_.size(); ++i) {
      const Seen seen = seen_by(*draws_[static_cast<std::size_t>(i)], unit_points);
      add_draw(static_cast<std::size_t>(i), seen, moments);
      means.row(i) = seen.means;
    }
    add_between_draws(means, moments);
    return moments;
  }

  void add_draw(std::size_t number, const Seen& seen, Moments& moments) const {
    const DrawProcess& draw = *draws_[number];
    const Seen& chosen = chosen_[number];
    const double scale = draw.weight() * draw.unit_variance();
    Vector variance = draw.predictor().variance(seen.points);
    if (!draw.is_plain()) variance.array() *= seen.ratios.array();
    moments.variance += scale * variance;
    if (num_chosen_ == 0) return;
    Matrix covariance = draw.predictor().covariance(chosen.points, seen.points);
    if (!draw.is_plain()) {
      covariance = chosen.ratios.cwiseSqrt().asDiagonal() * covariance * seen.ratios.cwiseSqrt().asDiagonal();
    }
    moments.with_chosen += scale * covariance;
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

  std::vector<std::unique_ptr<DrawProcess>> draws_;  // given the runs alone
  std::vector<Seen> chosen_;
  Matrix chosen_means_;  // (draws, chosen)
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
