#include "ta2s2/gp/gp_model.hpp"

#include <algorithm>
#include <string>

#include "ta2s2/error.hpp"

namespace ta2s2 {

GpModel::GpModel(Matrix X, Vector y, Trend trend, std::shared_ptr<const Covariance> covariance, Exponent exponent,
                 TrendPrior trend_prior)
    : X_(std::move(X)),
      y_(std::move(y)),
      trend_(std::move(trend)),
      H_(trend_.columns(X_)),
      covariance_(std::move(covariance)),
      exponent_(exponent),
      trend_prior_(trend_prior),
      num_flat_columns_(trend_prior == TrendPrior::flat ? H_.cols() : std::min<Index>(H_.cols(), 1)),
      trend_shares_(Vector::Ones(H_.cols())) {
  const double g = static_cast<double>(num_runs());
  trend_shares_.tail(H_.cols() - num_flat_columns_).setConstant(g / (1.0 + g));
  check();
}

Index GpModel::degrees_of_freedom() const {
  return num_runs() - (exponent_ == Exponent::model ? num_flat_columns_ : num_inputs());
}

Index GpModel::first_informative() const {
  constexpr Index kSpare = 5;  // degrees of freedom: two more than a model needs
  Index count = kSpare + (exponent_ == Exponent::paper ? num_inputs() : num_trend_columns());
  Matrix columns(num_runs(), num_trend_columns() + 1);
  columns << H_, y_;
  while (count < num_runs() && columns.topRows(count).colPivHouseholderQr().rank() < columns.cols()) ++count;
  return std::min(count, num_runs());
}

void GpModel::check() const {
  if (y_.size() != num_runs()) throw Error(ErrorCode::internal, "as many outputs as runs are needed");
  if (exponent_ == Exponent::paper && num_trend_columns() > 0) {
    throw Error(ErrorCode::usage,
                "the paper's exponent is stated for a zero mean: it needs the trend none, not " + trend_.spec());
  }
  const bool paper = exponent_ == Exponent::paper;
  if ((paper ? degrees_of_freedom() : residual_rank()) <= 2) {
    const Index used = paper ? num_inputs() : num_trend_columns();
    throw Error(
        ErrorCode::bad_data,
        std::to_string(num_runs()) + " runs are too few: at least " + std::to_string(used + 3) + " are needed with " +
            (paper ? std::to_string(used) + " inputs under the paper's exponent" : "the trend " + trend_.spec()));
  }
  if (num_trend_columns() > 0 && H_.colPivHouseholderQr().rank() < num_trend_columns()) {
    throw Error(ErrorCode::bad_data, "the columns of the trend " + trend_.spec() +
                                         " depend linearly on one another at these runs: leave some out");
  }
}

}  // namespace ta2s2
