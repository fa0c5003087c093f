#include "plain_energy.hpp"

#include <cmath>
#include <numbers>

#include "ta2s2/gp/spec.hpp"

namespace ta2s2::bench {
namespace {

template <class Real>
using MatrixOf = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// One input's factor of a correlation, and its derivative by log phi.
template <class Real>
struct Factor {
  Real value, derivative;
};

template <class Real>
Factor<Real> factor_of(const ParsedSpec& correlation, Real distance, Real phi) {
  using std::exp, std::pow, std::sqrt;
  const Real r = distance / sqrt(phi);
  if (correlation.name == "matern52") {
    const Real s = sqrt(Real(5)) * r;
    return {(1 + s + s * s / 3) * exp(-s), s * s * (1 + s) / 6 * exp(-s)};
  }
  if (correlation.name == "matern32") {
    const Real s = sqrt(Real(3)) * r;
    return {(1 + s) * exp(-s), s * s / 2 * exp(-s)};
  }
  if (correlation.name == "rational") {
    const Real share = Real(std::stod(correlation.arguments[0])), s = r * r / 2;
    return {share + (1 - share) / (1 + s), (1 - share) * s / ((1 + s) * (1 + s))};
  }
  const Real alpha = correlation.name == "power-exponential" ? Real(std::stod(correlation.arguments[0])) : Real(2);
  const Real power = r > 0 ? pow(r, alpha) : Real(0);
  const Real value = exp(-power / 2);
  return {value, alpha * power / 4 * value};
}

template <class Real>
class PlainPoint {
 public:
  PlainPoint(const GpModel& model, VectorView z, const ParsedSpec& correlation)
      : n_(model.num_runs()), m_(model.residual_rank()), X_(model.X()), correlation_(correlation) {
    phi_ = z.cast<Real>().array().exp();
    fill_correlation();
    invert(model.H().cast<Real>());
    const Eigen::Matrix<Real, Eigen::Dynamic, 1> y = model.y().cast<Real>();
    S2_ = y.dot(Q_ * y);
  }

  Real minus_log_likelihood() const {
    const Real half = Real(m_) / 2;
    return log_det_ / 2 + half * std::log(S2_) - std::lgamma(half) + half * std::log(std::numbers::pi_v<Real>);
  }

  // Paulo (2005): |I|^(1/2), by products with Q.
  Real log_reference_prior() const {
    const Index p = phi_.size();
    std::vector<MatrixOf<Real>> W;
    for (Index d = 0; d < p; ++d) W.push_back(derivative(d) * Q_);
    MatrixOf<Real> information(p + 1, p + 1);
    information(0, 0) = Real(m_);
    for (Index d = 0; d < p; ++d) {
      information(d + 1, 0) = information(0, d + 1) = W[d].trace();
      for (Index e = 0; e <= d; ++e) {
        information(d + 1, e + 1) = information(e + 1, d + 1) = W[d].cwiseProduct(W[e].transpose()).sum();
      }
    }
    return log_det(Eigen::LLT<MatrixOf<Real>>(information)) / 2;
  }

 private:
  static Real log_det(const Eigen::LLT<MatrixOf<Real>>& factor) {
    return 2 * factor.matrixLLT().diagonal().array().log().sum();
  }

  Factor<Real> factor(Index i, Index j, Index d) const {
    return factor_of<Real>(correlation_, std::abs(Real(X_(i, d)) - Real(X_(j, d))), phi_[d]);
  }

  void fill_correlation() {
    K_.setOnes(n_, n_);
    for (Index j = 0; j < n_; ++j) {
      for (Index i = j + 1; i < n_; ++i) {
        for (Index d = 0; d < phi_.size(); ++d) K_(i, j) *= factor(i, j, d).value;
        K_(j, i) = K_(i, j);
      }
    }
  }

  // Q and log |K_delta| + log |H' K_delta^-1 H|.
  void invert(const MatrixOf<Real>& H) {
    const MatrixOf<Real> identity = MatrixOf<Real>::Identity(n_, n_);
    const Eigen::LLT<MatrixOf<Real>> K_delta(K_ + Real(kNugget) * identity);
    log_det_ = log_det(K_delta);
    Q_ = K_delta.solve(identity);
    if (H.cols() == 0) return;
    const MatrixOf<Real> G = K_delta.solve(H);
    const Eigen::LLT<MatrixOf<Real>> trend(H.transpose() * G);
    log_det_ += log_det(trend);
    Q_ -= G * trend.solve(G.transpose());
  }

  MatrixOf<Real> derivative(Index d) const {
    MatrixOf<Real> result = MatrixOf<Real>::Zero(n_, n_);
    for (Index j = 0; j < n_; ++j) {
      for (Index i = j + 1; i < n_; ++i) {
        const Factor<Real> own = factor(i, j, d);
        result(i, j) = result(j, i) = own.value > 0 ? K_(i, j) * (own.derivative / own.value) : Real(0);
      }
    }
    return result;
  }

  Index n_, m_;
  const Matrix& X_;
  ParsedSpec correlation_;
  Eigen::Array<Real, Eigen::Dynamic, 1> phi_;
  MatrixOf<Real> K_, Q_;
  Real log_det_ = 0, S2_ = 0;
};

template <class Real>
double energy_in(const GpTarget& target, const ModelChoice& choice, VectorView z) {
  const PlainPoint<Real> point(*target.model(), z, *parse_spec(choice.correlation));
  const Real log_prior =
      choice.has_reference_prior() ? point.log_reference_prior() : -Real(target.space().log_volume());
  return static_cast<double>(point.minus_log_likelihood() - log_prior);
}

bool is_cheap_in_extended_precision(const GpTarget& target, const ModelChoice& choice) {
  return target.model()->num_runs() <= (choice.has_reference_prior() ? 100 : 300);
}

}  // namespace

double plain_energy(const GpTarget& target, const ModelChoice& choice, VectorView z) {
  return is_cheap_in_extended_precision(target, choice) ? energy_in<long double>(target, choice, z)
                                                        : energy_in<double>(target, choice, z);
}

}  // namespace ta2s2::bench
