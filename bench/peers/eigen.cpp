// What a good C++ user would compose of Eigen: array expressions, its exp and its Cholesky, all flags for this machine.
#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "evaluator.hpp"

namespace ta2s2::bench {
namespace {

class EigenComposition final : public Evaluator {
 public:
  explicit EigenComposition(const PeerProblem& problem)
      : nugget_(problem.nugget),
        X_(Eigen::Map<const Eigen::MatrixXd>(problem.X.data(), problem.n, problem.p)),
        y_(Eigen::Map<const Eigen::VectorXd>(problem.y.data(), problem.n)),
        K_(problem.n, problem.n),
        exponent_(problem.n) {
    const double half = 0.5 * static_cast<double>(y_.size());
    constant_ = half * std::log(std::numbers::pi) - std::lgamma(half);
  }

  int lanes() const override { return 1; }

  void evaluate(const double* position, double* energy) override {
    const Eigen::ArrayXd weights = -0.5 * (-Eigen::Map<const Eigen::ArrayXd>(position, X_.cols())).exp();
    fill(weights);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(K_);
    residual_ = y_;
    factor.matrixL().solveInPlace(residual_);
    const double half = 0.5 * static_cast<double>(y_.size());
    *energy = K_.diagonal().array().log().sum() + half * std::log(residual_.squaredNorm()) + constant_;
  }

 private:
  // The lower triangle, a column at a time.
  void fill(const Eigen::ArrayXd& weights) {
    const Eigen::Index n = y_.size();
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index below = n - j;
      auto exponent = exponent_.head(below);
      exponent.setZero();
      for (Eigen::Index d = 0; d < X_.cols(); ++d) {
        exponent += weights[d] * (X_.col(d).tail(below).array() - X_(j, d)).square();
      }
      K_.col(j).tail(below) = exponent.exp();
      K_(j, j) += nugget_;
    }
  }

  double nugget_, constant_;
  Eigen::MatrixXd X_;
  Eigen::VectorXd y_;
  Eigen::MatrixXd K_;
  Eigen::ArrayXd exponent_;
  Eigen::VectorXd residual_;
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const PeerProblem& problem) {
  return std::make_unique<EigenComposition>(problem);
}

}  // namespace ta2s2::bench
