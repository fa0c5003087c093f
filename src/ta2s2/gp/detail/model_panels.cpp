#include "ta2s2/gp/detail/model_panels.hpp"

#include <cmath>

namespace ta2s2::detail {

namespace {

std::vector<double> table_of_runs(const GpModel& model) {
  const Index n = model.num_runs(), p = model.num_inputs();
  std::vector<double> table;
  table.reserve(static_cast<std::size_t>(n * n * p) + kPaddedTable);
  for (Index j = 0; j < n; ++j) {
    for (Index d = 0; d < p; ++d) {
      for (Index i = 0; i < n; ++i) {
        table.push_back(model.covariance().feature(std::abs(model.X()(i, d) - model.X()(j, d))));
      }
    }
  }
  table.resize(table.size() + kPaddedTable);
  return table;
}

// Where the transformation has parameters, every point brings outputs of its own.
Vector fixed_outputs(const GpModel& model) {
  Vector outputs = model.y();
  if (model.transform().num_parameters() == 0) model.transform_outputs(Vector(), outputs);
  return outputs;
}

}  // namespace

ModelPanels::ModelPanels(const GpModel& model, InformationOver over, Index num_leading)
    : borders_(model.num_runs(), model.num_trend_columns() + 1) {
  const Covariance& covariance = model.covariance();
  borders_ << model.H(), fixed_outputs(model);
  problem_.num_runs = static_cast<std::size_t>(model.num_runs());
  problem_.num_inputs = static_cast<std::size_t>(model.num_inputs());
  problem_.columns.count = static_cast<std::size_t>(borders_.cols());
  problem_.num_leading = static_cast<std::size_t>(num_leading);
  problem_.columns.num_flat = static_cast<std::size_t>(model.num_flat_columns());
  if (model.has_proper_columns()) problem_.columns.removed = 1.0 - std::sqrt(1.0 - model.trend_shares().tail(1)[0]);
  problem_.form = covariance.form();
  problem_.constant_share = covariance.constant_share();
  problem_.feature = covariance.pair_feature();
  problem_.derivative_scale = covariance.derivative_scale();
  problem_.degrees_of_freedom = static_cast<double>(model.degrees_of_freedom());
  problem_.inputs = model.X().data();
  problem_.borders = borders_.data();
  problem_.with_information = over != InformationOver::nothing;
  problem_.with_nugget = over == InformationOver::length_scales_and_nugget;
  if (problem_.feature != PairFeature::table) return;
  table_ = table_of_runs(model);
  problem_.table = table_.data();
}

}  // namespace ta2s2::detail
