#include "ta2s2/predictive/student_table.hpp"

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <map>
#include <mutex>
#include <numbers>
#include <string>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {

namespace {

constexpr double kSmallestTail = 1e-40;
constexpr double kNegligible = 1e-13;

double log_density_at_zero(double df) {
  if (std::isinf(df)) return -0.5 * std::log(2.0 * std::numbers::pi);
  // Gamma((df + 1)/2) / Gamma(df/2) as one ratio: the difference of two lgamma loses digits for large df.
  const double ratio = boost::math::tgamma_delta_ratio(0.5 * df, 0.5);  // Gamma(df/2) / Gamma((df + 1)/2)
  return -std::log(ratio) - 0.5 * std::log(df * std::numbers::pi);
}

}  // namespace

StudentTable::StudentTable(double df) : df_(df) {
  if (!(df > 2.0)) {
    throw Error(ErrorCode::usage, "A Student predictive needs more than 2 degrees of freedom to have a variance, not " +
                                      std::to_string(df) + ".");
  }
  log_constant_ = log_density_at_zero(df);
  fill_cells();
  while (deviation_kernel(reach_) > kNegligible) reach_ *= 2.0;  // E max(T - t, 0) = kernel(t) - t P(T > t)
}

// Interpolation at the Chebyshev points of each cell: (L/4)^8 / 8! times the eighth derivative, with L <= 1/8
// up to t = 7.
void StudentTable::fill_cells() {
  const boost::math::students_t_distribution<double> student(df_);
  Eigen::Vector<double, kTerms> nodes;
  Eigen::Matrix<double, kTerms, kTerms> powers;
  for (int k = 0; k < kTerms; ++k) {
    nodes[k] = std::cos(std::numbers::pi * (k + 0.5) / kTerms);
    for (int j = 0; j < kTerms; ++j) powers(k, j) = std::pow(nodes[k], j);
  }
  const Eigen::PartialPivLU<Eigen::Matrix<double, kTerms, kTerms>> interpolate(powers);
  for (std::uint64_t cell = 0;; ++cell) {
    const double left = std::bit_cast<double>((kFirstCell + cell) << (52 - kCellBits)) - 1.0;
    const double right = std::bit_cast<double>((kFirstCell + cell + 1) << (52 - kCellBits)) - 1.0;
    if (boost::math::cdf(boost::math::complement(student, left)) < kSmallestTail) {
      cells_.push_back({});
      cells_end_ = 1.0 + left;
      return;
    }
    Eigen::Vector<double, kTerms> tails;
    for (int k = 0; k < kTerms; ++k) {
      const double t = left + 0.5 * (right - left) * (1.0 + nodes[k]);
      tails[k] = boost::math::cdf(boost::math::complement(student, t));
    }
    Eigen::Map<Eigen::Vector<double, kTerms>>(cells_.emplace_back().terms.data()) = interpolate.solve(tails);
  }
}

double StudentTable::log_density(double t) const {
  if (std::isinf(df_)) return log_constant_ - 0.5 * t * t;
  return log_constant_ - 0.5 * (df_ + 1.0) * std::log1p(t * t / df_);
}

double StudentTable::quantile(double u) const {
  return boost::math::quantile(boost::math::students_t_distribution<double>(df_), u);
}

// df C (1 + t^2/df)^(-(df - 1)/2) / (df - 1), C = f(0): written so that no inf * 0 arises.
double StudentTable::deviation_kernel(double t) const {
  if (std::isinf(df_)) return std::exp(log_density(t));
  return df_ / (df_ - 1.0) * std::exp(log_constant_ - 0.5 * (df_ - 1.0) * std::log1p(t * t / df_));
}

// t (2 F(t) - 1) + 2 f(t) (df + t^2) / (df - 1), by parts.
double StudentTable::mean_absolute_deviation(double t) const {
  const double magnitude = std::abs(t);
  return magnitude * (1.0 - 2.0 * beyond(magnitude)) + 2.0 * deviation_kernel(magnitude);
}

double StudentTable::variance() const {
  return std::isinf(df_) ? 1.0 : df_ / (df_ - 2.0);
}

std::shared_ptr<const StudentTable> student_table(double df) {
  constexpr std::size_t kMostTables = 32;  // about 100 kB each
  static std::mutex mutex;
  static std::map<double, std::shared_ptr<const StudentTable>> tables;
  const std::scoped_lock lock(mutex);
  if (const auto found = tables.find(df); found != tables.end()) return found->second;
  auto table = std::make_shared<const StudentTable>(df);
  if (tables.size() >= kMostTables) tables.clear();
  tables.emplace(df, table);
  return table;
}

}  // namespace ta2s2
