#include "ta2s2/gp/detail/transformed_runs.hpp"

#include <cmath>

namespace ta2s2::detail {

TransformedRuns::TransformedRuns(const GpModel& model, InstructionSet path, Index num_leading)
    : model_(model), routines_(output_routines(path)) {
  problem_.num_leading = static_cast<std::size_t>(num_leading);
  if (is_fixed()) return;
  const bool is_box_cox = transform().kind() == TransformKind::box_cox;
  for (Index i = 0; i < model.num_runs(); ++i) {
    const double u = transform().reduced(model.y()[i]);
    x_.push_back(is_box_cox ? u : std::asinh(u));
    if (is_box_cox) continue;
    if (i == num_leading) leading_constants_ = constants_;
    constants_ -= std::log(std::hypot(1.0, u));
  }
  problem_.form = is_box_cox ? OutputForm::box_cox : OutputForm::sinh_arcsinh;
  problem_.num_runs = x_.size();
  problem_.sign = transform().sign();
  problem_.x = x_.data();
  problem_.slope_weight = model.jacobian_share(model.num_runs());
}

TransformedBlock TransformedRuns::make_block(std::size_t lanes) const {
  TransformedBlock block;
  const auto width = static_cast<Index>(lanes);
  block.parameters.assign(lanes, nullptr);
  block.log_jacobians = block.leading_log_jacobians = Vector::Zero(width);
  if (is_fixed()) {
    block.log_jacobians.setConstant(model_.log_jacobian(model_.num_runs(), Vector()));
    block.leading_log_jacobians.setConstant(model_.log_jacobian(static_cast<Index>(problem_.num_leading), Vector()));
    return block;
  }
  for (AlignedBuffer* per_run : {&block.outputs, &block.logarithms}) per_run->resize(x_.size() * lanes);
  for (AlignedBuffer* per_lane :
       {&block.first, &block.second, &block.sums, &block.leading_sums, &block.by_first, &block.by_second}) {
    per_lane->resize(lanes);
  }
  return block;
}

const OutputRoutines::Width& TransformedRuns::width_of(const TransformedBlock& block) const {
  return block.lanes() == 1 ? routines_->single : routines_->lanes;
}

// With log g'(y_i) = factor logarithm_i + offset + constant_i.
double TransformedRuns::log_jacobian(double sum_of_logarithms, double sum_of_constants, Index count,
                                     const double* parameters) const {
  const bool is_box_cox = problem_.form == OutputForm::box_cox;
  const double factor = is_box_cox ? parameters[1] - 1.0 : 1.0;
  const double offset = (is_box_cox ? 0.0 : parameters[0]) - std::log(transform().scale());
  return model_.jacobian_share(count) *
         (factor * sum_of_logarithms + static_cast<double>(count) * offset + sum_of_constants);
}

void TransformedRuns::fill(TransformedBlock& block) const {
  if (is_fixed()) return;
  for (std::size_t lane = 0; lane < block.lanes(); ++lane) {
    block.first[lane] = std::exp(block.parameters[lane][0]);
    block.second[lane] = block.parameters[lane][1];
  }
  width_of(block).transform(
      problem_, {block.first.data(), block.second.data()},
      {block.outputs.data(), block.logarithms.data(), block.sums.data(), block.leading_sums.data()});
  const auto num_leading = static_cast<Index>(problem_.num_leading);
  for (std::size_t lane = 0; lane < block.lanes(); ++lane) {
    const auto at = static_cast<Index>(lane);
    const double* parameters = block.parameters[lane];
    block.log_jacobians[at] = log_jacobian(block.sums[lane], constants_, model_.num_runs(), parameters);
    if (num_leading == 0) continue;
    block.leading_log_jacobians[at] =
        log_jacobian(block.leading_sums[lane], leading_constants_, num_leading, parameters);
  }
}

void TransformedRuns::differentiate(TransformedBlock& block, const double* by_output) const {
  if (is_fixed()) return;
  width_of(block).differentiate(
      problem_, {block.first.data(), block.second.data()},
      {block.outputs.data(), block.logarithms.data(), block.sums.data(), block.leading_sums.data()}, by_output,
      {block.by_first.data(), block.by_second.data()});
}

void TransformedRuns::copy_gradient(const TransformedBlock& block, std::size_t lane, Vector& out) {
  if (block.by_first.data() == nullptr) {
    out.resize(0);
    return;
  }
  out.resize(2);
  out << block.by_first[lane], block.by_second[lane];
}

}  // namespace ta2s2::detail
