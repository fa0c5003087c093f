#include "ta2s2/gp/gp_model.hpp"

#include <algorithm>
#include <string>

#include "ta2s2/base/error.hpp"

namespace ta2s2 {

GpModel::GpModel(Matrix X, Vector y, Trend trend, std::shared_ptr<const Covariance> covariance, Exponent exponent)
    : X_(std::move(X)),
      y_(std::move(y)),
      trend_(std::move(trend)),
      H_(trend_.columns(X_)),
      covariance_(std::move(covariance)),
      exponent_(exponent) {
  check();
}

Index GpModel::degrees_of_freedom() const {
  return exponent_ == Exponent::model ? residual_rank() : num_runs() - num_inputs();
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
  if (degrees_of_freedom() <= 2) {
    const bool paper = exponent_ == Exponent::paper;
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
