#include "targets/prior_path_gaussian.hpp"

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

constexpr double kPriorVariance = 9.0;

// First-order autoregression with correlation 0.8 and sds from 0.5 to 3.
Matrix autoregression(Index dim) {
  const Vector sds = Vector::LinSpaced(dim, 0.5, 3.0);
  Matrix covariance(dim, dim);
  for (Index i = 0; i < dim; ++i) {
    for (Index j = 0; j < dim; ++j) {
      covariance(i, j) = sds[i] * sds[j] * std::pow(0.8, std::abs(static_cast<double>(i - j)));
    }
  }
  return covariance;
}

double log_determinant(const Matrix& positive) {
  return 2.0 * Matrix(positive.llt().matrixL()).diagonal().array().log().sum();
}

}  // namespace

PriorPathGaussian::PriorPathGaussian(Index dim)
    : data_mean_(Vector::LinSpaced(dim, -2.0, 3.0)),
      data_precision_(autoregression(dim).inverse()),
      data_covariance_(autoregression(dim)) {}

std::vector<std::string> PriorPathGaussian::names() const {
  std::vector<std::string> names;
  for (Index d = 0; d < dim(); ++d) names.push_back("x" + std::to_string(d + 1));
  return names;
}

void PriorPathGaussian::energies(MatrixView points, Workspace&, std::span<Energy> out) const {
  const double log_constant = 0.5 * static_cast<double>(dim()) * std::log(2.0 * std::numbers::pi * kPriorVariance);
  for (Index i = 0; i < points.cols(); ++i) {
    const auto x = points.col(i);
    double form = 0.0;
    for (Index r = 0; r < dim(); ++r) {
      double row = 0.0;
      for (Index c = 0; c < dim(); ++c) row += data_precision_(c, r) * (x[c] - data_mean_[c]);
      form += row * (x[r] - data_mean_[r]);
    }
    out[static_cast<std::size_t>(i)] = {0.5 * x.squaredNorm() / kPriorVariance + log_constant, 0.5 * form,
                                        Impossible::no};
  }
}

Matrix PriorPathGaussian::precision(double beta) const {
  return Matrix::Identity(dim(), dim()) / kPriorVariance + beta * data_precision_;
}

Vector PriorPathGaussian::mean(double beta) const {
  return precision(beta).llt().solve(beta * (data_precision_ * data_mean_));
}

Vector PriorPathGaussian::draw_exact(double beta, Stream& stream) const {
  const Matrix factor = precision(beta).llt().matrixU();
  return mean(beta) + factor.triangularView<Eigen::Upper>().solve(draw_normals(stream, dim()));
}

// The integral of N(x; 0, 9 I) exp(-(x - m)' A (x - m) / 2) is |2 pi A^-1|^(1/2) N(m; 0, 9 I + A^-1).
Truth PriorPathGaussian::truth() const {
  const Matrix marginal = Matrix(kPriorVariance * Matrix::Identity(dim(), dim())) + data_covariance_;
  Truth truth;
  truth.log_evidence = 0.5 * (log_determinant(data_covariance_) - log_determinant(marginal) -
                              data_mean_.dot(marginal.llt().solve(data_mean_)));
  truth.mean = mean(1.0);
  truth.sd = precision(1.0).inverse().diagonal().array().sqrt();
  truth.quantiles.resize(dim(), kTruthLevels.size());
  for (std::size_t q = 0; q < kTruthLevels.size(); ++q) {
    const double z = boost::math::quantile(boost::math::normal(), kTruthLevels[q]);
    truth.quantiles.col(static_cast<Index>(q)) = truth.mean + z * truth.sd;
  }
  truth.mode_weights = Vector::Ones(1);
  return truth;
}

}  // namespace ta2s2
