#include "ta2s2/gp/detail/transformed_runs.hpp"

#include <cmath>

namespace ta2s2::detail {

TransformedRuns::TransformedRuns(const GpModel& model, InstructionSet path, Index num_leading)
    : model_(model), routines_(output_routines(path)), num_leading_(num_leading) {
  for (const double y : model.y()) reduced_.push_back(transform().reduced(y));
}

TransformedBlock TransformedRuns::make_block(std::size_t lanes) const {
  TransformedBlock block;
  const auto width = static_cast<Index>(lanes);
  block.parameters.assign(lanes, nullptr);
  block.log_jacobians = block.leading_log_jacobians = Vector::Zero(width);
  if (is_fixed()) {
    Vector outputs;
    block.log_jacobians.setConstant(model_.transform_outputs(Vector(), outputs));
    block.leading_log_jacobians.setConstant(model_.log_jacobian(num_leading_, Vector()));
    return block;
  }
  block.outputs.resize(reduced_.size() * lanes);
  block.log_v.resize(reduced_.size() * lanes);
  block.shifts.resize(lanes);
  block.powers.resize(lanes);
  return block;
}

void TransformedRuns::fill(TransformedBlock& block) const {
  if (is_fixed()) return;
  if (uses_routines()) {
    fill_box_cox(block);
  } else {
    fill_plainly(block);
  }
}

// Logarithms of v are added run after run, in lanes and for a single point alike: the same bits.
void TransformedRuns::fill_box_cox(TransformedBlock& block) const {
  const std::size_t lanes = block.lanes(), n = reduced_.size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    block.shifts[lane] = std::exp(block.parameters[lane][0]);
    block.powers[lane] = block.parameters[lane][1];
  }
  double *log_v = block.log_v.data(), *outputs = block.outputs.data();
  if (lanes == 1) routines_->box_cox_of_runs(n, reduced_.data(), block.shifts[0], block.powers[0], log_v, outputs);
  block.log_jacobians.setZero();
  for (std::size_t i = 0; i < n; ++i, log_v += lanes, outputs += lanes) {
    if (lanes > 1) {
      routines_->box_cox_in_lanes(reduced_[i], block.shifts.data(), block.powers.data(), log_v, outputs);
    }
    if (static_cast<Index>(i) == num_leading_) block.leading_log_jacobians = block.log_jacobians;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      outputs[lane] *= transform().sign();
      block.log_jacobians[static_cast<Index>(lane)] += log_v[lane];
    }
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double power = block.powers[lane], log_scale = std::log(transform().scale());
    const auto jacobian = [&](double sum_of_log_v, Index count) {
      return model_.jacobian_share(count) * ((power - 1.0) * sum_of_log_v - static_cast<double>(count) * log_scale);
    };
    const auto at = static_cast<Index>(lane);
    block.log_jacobians[at] = jacobian(block.log_jacobians[at], model_.num_runs());
    if (num_leading_ > 0) block.leading_log_jacobians[at] = jacobian(block.leading_log_jacobians[at], num_leading_);
  }
}

void TransformedRuns::fill_plainly(TransformedBlock& block) const {
  const std::size_t lanes = block.lanes();
  Vector outputs;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Vector parameters = Eigen::Map<const Vector>(block.parameters[lane], transform().num_parameters());
    const auto at = static_cast<Index>(lane);
    block.log_jacobians[at] = model_.transform_outputs(parameters, outputs);
    block.leading_log_jacobians[at] = model_.log_jacobian(num_leading_, parameters);
    for (Index i = 0; i < outputs.size(); ++i) block.outputs[static_cast<std::size_t>(i) * lanes + lane] = outputs[i];
  }
}

void TransformedRuns::differentiate(const TransformedBlock& block, std::size_t lane, const double* by_output,
                                    Vector& out) const {
  const std::size_t lanes = block.lanes();
  const double share = model_.jacobian_share(model_.num_runs());
  out.setZero(transform().num_parameters());
  for (std::size_t i = 0; i < reduced_.size(); ++i) {
    const OutputTransform::Derivatives d =
        uses_routines() ? transform().box_cox_derivatives(reduced_[i], block.shifts[lane], block.powers[lane],
                                                          block.log_v[i * lanes + lane])
                        : transform().derivatives(model_.y()[static_cast<Index>(i)], block.parameters[lane]);
    for (Index k = 0; k < out.size(); ++k) out[k] += by_output[i * lanes + lane] * d.value[k] + share * d.log_slope[k];
  }
}

}  // namespace ta2s2::detail
