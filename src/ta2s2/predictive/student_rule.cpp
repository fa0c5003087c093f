#include "ta2s2/predictive/student_rule.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace ta2s2 {
namespace {

constexpr double kStep = 0.3;
// Logarithm of what a weight has fallen by where the rules end.
constexpr double kFall = 21.0;

using Legendre = boost::math::quadrature::gauss<double, 10>;
constexpr int kPanels = 3;

}  // namespace

StudentRule::StudentRule(double df) : root_df_(std::sqrt(df)) {
  const double reach = root_df_ * std::acosh(std::exp(kFall / df));
  const int half = static_cast<int>(std::ceil(reach / kStep));
  double sum = 0.0;
  for (int k = -half; k <= half; ++k) {
    const double w = kStep * k;
    nodes_.push_back({root_df_ * std::sinh(w / root_df_), weight_at(w)});
    sum += nodes_.back().weight;
  }
  for (Node& node : nodes_) node.weight /= sum;
  density_at_zero_ = 1.0 / (kStep * sum);
}

// cosh^-df by its logarithm: |u| + log1p(exp(-2 |u|)) - log 2.
double StudentRule::weight_at(double w) const {
  const double u = std::abs(w) / root_df_;
  const double log_cosh = u + std::log1p(std::exp(-2.0 * u)) - std::numbers::ln2;
  return std::exp(-root_df_ * root_df_ * log_cosh);
}

// From where w ends to where the weight is exp(-kFall) of what it is there.
std::vector<StudentRule::Node> StudentRule::beyond(double end) const {
  const double u = std::asinh(end / root_df_), first = root_df_ * u;
  const double grown = kFall / (root_df_ * root_df_);
  // acosh(cosh(u) e^grown), without overflow.
  const double far = u > 20.0 ? u + grown : std::acosh(std::cosh(u) * std::exp(grown));
  const double half = 0.5 * (root_df_ * far - first) / kPanels;
  std::vector<Node> nodes;
  for (int panel = 0; panel < kPanels; ++panel) {
    const double middle = first + half * (2 * panel + 1);
    for (std::size_t i = 0; i < Legendre::abscissa().size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        const double w = middle + side * half * Legendre::abscissa()[i];
        const double share = density_at_zero_ * half * Legendre::weights()[i];
        nodes.push_back({root_df_ * std::sinh(w / root_df_), share * weight_at(w)});
      }
    }
  }
  return nodes;
}

}  // namespace ta2s2
