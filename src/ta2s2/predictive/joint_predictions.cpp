#include "ta2s2/predictive/joint_predictions.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/predictive/normal_score.hpp"
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
// Given a draw, the output at point i is h_i(Z_i), h_i the way from a normal score through Student's t to the user's
// units, and scores Z have the correlations of c. With a_n the coefficients of h_i in Hermite polynomials
// He_n/sqrt(n!), cov(h_i, h_j) = sum_n>0 a_n b_n rho^n (Mehler). That gives correlations; standard deviations are those
// of the laws.

constexpr Index kNodes = 32, kTerms = 16;

// Gauss-Hermite nodes for N(0, 1), by Golub and Welsch, and at them the polynomials times the nodes' weights.
struct HermiteRule {
  Vector nodes;
  Matrix weighted_polynomials;  // (nodes, terms)

  HermiteRule() {
    Matrix jacobi = Matrix::Zero(kNodes, kNodes);
    for (Index k = 1; k < kNodes; ++k) jacobi(k, k - 1) = std::sqrt(static_cast<double>(k));
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(jacobi);
    nodes = eigen.eigenvalues();
    const Vector weights = eigen.eigenvectors().row(0).cwiseAbs2();
    Matrix polynomials(kNodes, kTerms);
    polynomials.col(0).setOnes();
    polynomials.col(1) = nodes;
    for (Index n = 2; n < kTerms; ++n) {
      const auto order = static_cast<double>(n);
      polynomials.col(n) =
          (nodes.cwiseProduct(polynomials.col(n - 1)) - std::sqrt(order - 1.0) * polynomials.col(n - 2)) /
          std::sqrt(order);
    }
    weighted_polynomials = weights.asDiagonal() * polynomials;
  }
};

// Where Student's t has the probabilities of the nodes.
Vector student_nodes(const HermiteRule& rule, double freedom) {
  const boost::math::students_t law(freedom);
  Vector nodes(kNodes);
  for (Index k = 0; k < kNodes; ++k) {
    const double tail = normal_tail(std::abs(rule.nodes[k]));
    nodes[k] = std::copysign(boost::math::quantile(boost::math::complement(law, tail)), rule.nodes[k]);
  }
  return nodes;
}

// Of the outputs at every point, a row each; the first coefficient is the mean.
Matrix hermite_coefficients(const MixtureBlock& block, Index draw, const HermiteRule& rule, const Vector& student) {
  Matrix outputs(block.num_points(), kNodes);
  for (Index i = 0; i < outputs.rows(); ++i) {
    for (Index k = 0; k < kNodes; ++k) {
      outputs(i, k) = block.frame->output(draw, block.means(draw, i) + block.scales(draw, i) * student[k]);
    }
  }
  return outputs * rule.weighted_polynomials;
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

Matrix transformed_covariance(const Predictive& predictive, MatrixView unit, const MixtureBlock& block, Predict what,
                              Executor& executor) {
  const Index m = unit.rows();
  const HermiteRule rule;
  const Vector student = student_nodes(rule, predictive.degrees_of_freedom());
  constexpr Index kNumTasks = 8;
  // Around the first draw's means, so that nothing is lost where means are large.
  const Vector centre = hermite_coefficients(block, 0, rule, student).col(0);
  const auto task = [&](Index part, int) {
    Payload payload(static_cast<std::size_t>(m * (m + 1)), 0.0);
    Eigen::Map<Matrix> sum(payload.data(), m, m);
    Eigen::Map<Vector> mean(payload.data() + m * m, m);
    for (Index i = part; i < predictive.num_draws(); i += kNumTasks) {
      const double weight = predictive.weights()[i];
      if (weight == 0.0) continue;
      const ConditionalPredictor predictor(predictive.model_of(i), predictive.parameters_of(i));
      Matrix c = predictor.covariance(unit, unit);
      c.diagonal().array() += added_nugget(what, predictor.nugget());
      const Matrix coefficients = hermite_coefficients(block, i, rule, student);
      const Vector away = coefficients.col(0) - centre;
      sum += weight * (sum_of_products(coefficients, correlations_of(std::move(c))) + away * away.transpose());
      mean += weight * away;
    }
    return payload;
  };
  Matrix total = Matrix::Zero(m, m);
  Vector mean = Vector::Zero(m);
  for (const Payload& payload : executor.map(std::vector<double>(static_cast<std::size_t>(kNumTasks), 1.0), task)) {
    total += Eigen::Map<const Matrix>(payload.data(), m, m);
    mean += Eigen::Map<const Vector>(payload.data() + m * m, m);
  }
  total = correlations_of(total - mean * mean.transpose());
  Vector sd(m);
  for (Index i = 0; i < m; ++i) sd[i] = std::sqrt(block.at(i).variance());
  return sd.asDiagonal() * total * sd.asDiagonal();
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
