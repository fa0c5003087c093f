#include "ta2s2/predictive/joint_predictions.hpp"

#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {
namespace {

Vector output_means(const MixtureBlock& block) {
  Vector means(block.num_points());
  for (Index i = 0; i < means.size(); ++i) means[i] = block.at(i).mean();
  return means;
}

// ---- covariances of untransformed outputs ----

// (2.7): the mean of the draws' covariances plus the covariance of their means.
Matrix plain_covariance(const Predictive& predictive, MatrixView unit, const MixtureBlock& block, Predict what,
                        Executor& executor) {
  const Index m = unit.rows();
  const double sd = predictive.scaling().output_sd(), freedom = predictive.degrees_of_freedom();
  // One partial sum per task; their number does not depend on the number of workers, so neither does their sum.
  constexpr Index kNumTasks = 8;
  const auto task = [&](Index part, int) {
    Payload payload(static_cast<std::size_t>(m * m), 0.0);
    Eigen::Map<Matrix> sum(payload.data(), m, m);
    for (Index i = part; i < predictive.num_draws(); i += kNumTasks) {
      const ConditionalPredictor predictor(predictive.model_of(i), predictive.parameters_of(i));
      Matrix c = predictor.covariance(unit, unit);
      c.diagonal().array() += added_nugget(what, predictor.nugget());
      sum += (predictive.weights()[i] * sd * sd * predictor.S2() / (freedom - 2.0)) * c;
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>(kNumTasks), 1.0);
  Matrix total = weighted_moments(block.means.transpose(), predictive.weights()).covariance;
  for (const Payload& payload : executor.map(costs, task)) total += Eigen::Map<const Matrix>(payload.data(), m, m);
  return total;
}

// ---- covariances of transformed outputs ----
//
// Student's t is normal given its chi-square. Given a draw and that, the output at point i is h_i(Z_i), Z normal scores
// with the correlations of c. With a_n the coefficients of h_i in Hermite polynomials He_n / sqrt(n!), and b_n those of
// h_j, cov(h_i, h_j) = sum_{n > 0} a_n b_n rho^n (Mehler); a_0 is the mean. Both are averaged over chi-squares and
// draws. That gives the correlations; the standard deviations are those of the laws, so that both answers of a
// prediction agree.

constexpr Index kScores = 32, kTerms = 16, kSpreads = 6;

// Golub and Welsch: the nodes of a Gaussian rule are the eigenvalues of its Jacobi matrix.
struct GaussRule {
  Vector nodes, weights;

  GaussRule(const Vector& diagonal, const Vector& below) {
    Eigen::SelfAdjointEigenSolver<Matrix> eigen;
    eigen.computeFromTridiagonal(diagonal, below);
    nodes = eigen.eigenvalues();
    weights = eigen.eigenvectors().row(0).cwiseAbs2();
  }
};

// For N(0, 1).
GaussRule normal_rule() {
  return {Vector::Zero(kScores), Vector::LinSpaced(kScores - 1, 1.0, static_cast<double>(kScores - 1)).cwiseSqrt()};
}

// For Gamma(shape, 1).
GaussRule gamma_rule(double shape) {
  const Vector order = Vector::LinSpaced(kSpreads, 0.0, static_cast<double>(kSpreads - 1));
  const Vector rest = order.tail(kSpreads - 1);
  return {2.0 * order.array() + shape, (rest.array() * (rest.array() + shape - 1.0)).sqrt()};
}

// At the nodes of the normal rule, times its weights.
Matrix weighted_hermite_polynomials(const GaussRule& rule) {
  Matrix polynomials(kScores, kTerms);
  polynomials.col(0).setOnes();
  polynomials.col(1) = rule.nodes;
  for (Index n = 2; n < kTerms; ++n) {
    const auto order = static_cast<double>(n);
    polynomials.col(n) =
        (rule.nodes.cwiseProduct(polynomials.col(n - 1)) - std::sqrt(order - 1.0) * polynomials.col(n - 2)) /
        std::sqrt(order);
  }
  return rule.weights.asDiagonal() * polynomials;
}

// Of normal scores; 1 on the diagonal also where nothing is unknown.
Matrix correlations_of(Matrix c) {
  const Vector sd = c.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Vector reciprocal = (sd.array() > 0.0).select(sd.cwiseInverse(), 0.0);
  c = reciprocal.asDiagonal() * c * reciprocal.asDiagonal();
  c.diagonal().setOnes();
  return c.cwiseMin(1.0).cwiseMax(-1.0);
}

Matrix sum_of_products(const Matrix& coefficients, const Matrix& correlations) {
  Matrix power = correlations, sum = Matrix::Zero(power.rows(), power.cols());
  for (Index n = 1; n < kTerms; ++n) {
    sum += (coefficients.col(n) * coefficients.col(n).transpose()).cwiseProduct(power);
    power = power.cwiseProduct(correlations);
  }
  return sum;
}

// Sums over draws of first and second moments, moments around `centre` so that nothing is lost where means are large.
class MomentSum {
 public:
  MomentSum(const MixtureBlock& block, Vector centre)
      : block_(block), centre_(std::move(centre)), spreads_(gamma_rule(0.5 * block.degrees_of_freedom)) {}

  Index size() const { return centre_.size(); }

  void add(Index draw, double weight, const Matrix& correlations, Eigen::Ref<Vector> first,
           Eigen::Ref<Matrix> second) const {
    for (Index s = 0; s < kSpreads; ++s) {
      const double spread = std::sqrt(0.5 * block_.degrees_of_freedom / spreads_.nodes[s]);
      const Matrix coefficients = outputs(draw, spread) * polynomials_;
      const Vector away = coefficients.col(0) - centre_;
      const double share = weight * spreads_.weights[s];
      first += share * away;
      second += share * (sum_of_products(coefficients, correlations) + away * away.transpose());
    }
  }

 private:
  // At every point, a row each, for every normal score.
  Matrix outputs(Index draw, double spread) const {
    Matrix values(size(), kScores);
    for (Index i = 0; i < size(); ++i) {
      for (Index k = 0; k < kScores; ++k) {
        values(i, k) =
            block_.frame->output(draw, block_.means(draw, i) + spread * block_.scales(draw, i) * scores_.nodes[k]);
      }
    }
    return values;
  }

  const MixtureBlock& block_;
  Vector centre_;
  GaussRule scores_ = normal_rule(), spreads_;
  Matrix polynomials_ = weighted_hermite_polynomials(scores_);
};

Matrix transformed_covariance(const Predictive& predictive, MatrixView unit, const MixtureBlock& block, Predict what,
                              Executor& executor) {
  constexpr Index kNumTasks = 8;
  const Index m = unit.rows();
  const MomentSum moments(block, output_means(block));
  const auto task = [&](Index part, int) {
    Payload payload(static_cast<std::size_t>(m * (m + 1)), 0.0);
    Eigen::Map<Matrix> second(payload.data(), m, m);
    Eigen::Map<Vector> first(payload.data() + m * m, m);
    for (Index i = part; i < predictive.num_draws(); i += kNumTasks) {
      const ConditionalPredictor predictor(predictive.model_of(i), predictive.parameters_of(i));
      Matrix c = predictor.covariance(unit, unit);
      c.diagonal().array() += added_nugget(what, predictor.nugget());
      moments.add(i, predictive.weights()[i], correlations_of(std::move(c)), first, second);
    }
    return payload;
  };
  Matrix second = Matrix::Zero(m, m);
  Vector first = Vector::Zero(m);
  for (const Payload& payload : executor.map(std::vector<double>(static_cast<std::size_t>(kNumTasks), 1.0), task)) {
    second += Eigen::Map<const Matrix>(payload.data(), m, m);
    first += Eigen::Map<const Vector>(payload.data() + m * m, m);
  }
  const Matrix correlations = correlations_of(second - first * first.transpose());
  Vector sd(m);
  for (Index i = 0; i < m; ++i) sd[i] = std::sqrt(block.at(i).variance());
  return sd.asDiagonal() * correlations * sd.asDiagonal();
}

}  // namespace

JointLaw::JointLaw(const Predictive& predictive, std::shared_ptr<const LawFrame> frame, Index draw, MatrixView unit,
                   Predict what)
    : frame_(std::move(frame)), draw_(draw), freedom_(predictive.degrees_of_freedom()) {
  const ConditionalPredictor predictor(predictive.model_of(draw), predictive.parameters_of(draw));
  Vector c_diagonal;
  predictor.predict(unit, mean_, c_diagonal);
  Matrix c = predictor.covariance(unit, unit);
  c.diagonal().array() += added_nugget(what, predictor.nugget());
  factor_ = regularised_factor(c);
  variance_ = predictor.S2() / freedom_;
}

Vector JointLaw::sample(Stream& stream) const {
  const double chi2_over_df = draw_gamma(stream, 0.5 * freedom_) / (0.5 * freedom_);
  const double spread = std::sqrt(variance_ / chi2_over_df);
  Vector outputs = mean_ + spread * draw_correlated_normals(stream, factor_);
  for (double& output : outputs) output = frame_->output(draw_, output);
  return outputs;
}

void recalibrate(const Predictive& predictive, MatrixView points, Predict what, Matrix& draws, Executor& executor) {
  if (predictive.kappa() == 1.0) return;
  const MixtureBlock block = predictive.mixtures(points, what, executor);
  const auto task = [&](Index i, int) {
    const PredictiveLaw law = block.at(i);
    Payload payload;
    for (Index k = 0; k < draws.cols(); ++k) payload.push_back(law.recalibrated(draws(i, k)));
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>(draws.rows()), 1.0);
  const std::vector<Payload> rows = executor.map(costs, task);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draws.row(static_cast<Index>(i)) = Eigen::Map<const Vector>(rows[i].data(), draws.cols()).transpose();
  }
}

Vector Predictive::means(MatrixView points, Predict what, Executor& executor) const {
  return output_means(mixtures(points, what, executor));
}

Matrix Predictive::covariance(MatrixView points, Predict what, Executor& executor) const {
  const Matrix unit = scaling_.to_unit(points);
  const MixtureBlock block = mixtures(points, what, executor);
  return block.frame->is_plain() ? plain_covariance(*this, unit, block, what, executor)
                                 : transformed_covariance(*this, unit, block, what, executor);
}

Matrix Predictive::joint_draws(MatrixView points, Predict what, Index count, std::uint64_t seed,
                               Executor& executor) const {
  const Matrix unit = scaling_.to_unit(points);
  const std::shared_ptr<const LawFrame> frame = law_frame();
  const auto task = [&](Index draw, int) {
    Stream stream({seed, Purpose::predictive_draw, 0, static_cast<std::uint64_t>(draw), 0});
    const Index chosen = draw_categorical(stream, {weights_.data(), static_cast<std::size_t>(weights_.size())});
    const Vector outputs = JointLaw(*this, frame, chosen, unit, what).sample(stream);
    return Payload(outputs.begin(), outputs.end());
  };
  const std::vector<Payload> payloads = executor.map(std::vector<double>(static_cast<std::size_t>(count), 1.0), task);
  Matrix draws(points.rows(), count);
  for (Index i = 0; i < count; ++i) {
    draws.col(i) = Eigen::Map<const Vector>(payloads[static_cast<std::size_t>(i)].data(), points.rows());
  }
  recalibrate(*this, points, what, draws, executor);
  return draws;
}

}  // namespace ta2s2
