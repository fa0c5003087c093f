#include "ta2s2/predictive/predictive_law.hpp"

namespace ta2s2 {
namespace {

std::variant<StudentMixture, TransformedLaw> make_law(std::span<const double> weights, std::span<const double> means,
                                                      std::span<const double> scales, double df,
                                                      std::shared_ptr<const LawFrame> frame, InstructionSet path) {
  if (!frame || frame->is_plain()) return StudentMixture(weights, means, scales, df, path);
  return TransformedLaw(weights, means, scales, df, std::move(frame), path);
}

}  // namespace

PredictiveLaw::PredictiveLaw(std::span<const double> weights, std::span<const double> means,
                             std::span<const double> scales, double df, std::shared_ptr<const LawFrame> frame,
                             InstructionSet path)
    : law_(make_law(weights, means, scales, df, std::move(frame), path)) {}

double PredictiveLaw::mean() const {
  return std::visit([](const auto& law) { return law.mean(); }, law_);
}

double PredictiveLaw::variance() const {
  return std::visit([](const auto& law) { return law.variance(); }, law_);
}

double PredictiveLaw::cdf(double y) const {
  return std::visit([y](const auto& law) { return law.cdf(y); }, law_);
}

double PredictiveLaw::log_density(double y) const {
  return std::visit([y](const auto& law) { return law.log_density(y); }, law_);
}

double PredictiveLaw::quantile(double u) const {
  return std::visit([u](const auto& law) { return law.quantile(u); }, law_);
}

double PredictiveLaw::crps(double y) const {
  return std::visit([y](const auto& law) { return law.crps(y); }, law_);
}

double PredictiveLaw::recalibrated(double y) const {
  const auto* law = std::get_if<TransformedLaw>(&law_);
  return law == nullptr ? y : law->recalibrated(y);
}

}  // namespace ta2s2
