#include "ta2s2/workflow/compare_runs.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/predictive/effective_sample_size.hpp"

namespace ta2s2 {
namespace {

// How many independent draws a coordinate's mean is worth: what its chains say, or its groups if they say fewer.
double worth(const MemberRecord& record, std::size_t coordinate) {
  const CoordinateDiagnostics& d = record.diagnostics[coordinate];
  const double chains =
      d.effective_sample_size > 0.0 ? d.effective_sample_size : static_cast<double>(record.levels.back().num_chains);
  if (!d.r_hat) return chains;
  const double share_of_variance = (*d.r_hat * *d.r_hat - 1.0) / static_cast<double>(record.num_groups());
  return 1.0 / std::max(1.0 / chains, share_of_variance);
}

double least_worth(const MemberRecord& record) {
  double least = worth(record, 0);
  for (std::size_t d = 1; d < record.diagnostics.size(); ++d) least = std::min(least, worth(record, d));
  return least;
}

struct Moments {
  double mean = 0.0, sd = 0.0;
  double mean_error = 0.0, sd_error = 0.0;
};

// The variance of an sd is that of (x - mean)^2, (kurtosis - 1) sd^4, over 4 sd^2 and the number of draws.
Moments moments(const MemberRecord& record, std::size_t coordinate) {
  const Vector values = record.sample.positions.row(static_cast<Index>(coordinate)).transpose();
  const Vector& weights = record.sample.weights;
  Moments m;
  m.mean = weights.dot(values);
  const Eigen::ArrayXd squares = (values.array() - m.mean).square();
  const double variance = (weights.array() * squares).sum();
  const double variance_of_square = (weights.array() * (squares - variance).square()).sum();
  const double draws = worth(record, coordinate);
  m.sd = std::sqrt(variance);
  m.mean_error = m.sd / std::sqrt(draws);
  m.sd_error = m.sd > 0.0 ? 0.5 * std::sqrt(variance_of_square / draws) / m.sd : 0.0;
  return m;
}

double evidence_error(const Evidence& evidence) {
  return std::max(evidence.standard_error, error_from_groups(evidence.by_group).value_or(0.0));
}

// Refined maxima agree to a small part of a mode's width, unless the mode is flat there; modes are farther apart.
bool are_one(const Mode& a, const Mode& b) {
  return ((a.position - b.position).array().abs() <= a.sd.array() + b.sd.array()).all();
}

const Mode* find_same(const Mode& mode, const std::vector<Mode>& others) {
  for (const Mode& other : others) {
    if (are_one(mode, other)) return &other;
  }
  return nullptr;
}

class Comparison {
 public:
  Comparison(const MemberRecord& first, const MemberRecord& second) : first_(first), second_(second) {}

  void add_coordinate(std::size_t d) {
    const Moments a = moments(first_, d), b = moments(second_, d);
    add("mean of " + first_.diagnostics[d].name, a.mean, b.mean, std::hypot(a.mean_error, b.mean_error));
    add("sd of " + first_.diagnostics[d].name, a.sd, b.sd, std::hypot(a.sd_error, b.sd_error));
  }

  void add_evidence() {
    if (!first_.evidence || !second_.evidence) return;
    add("log evidence", first_.evidence->log_evidence, second_.evidence->log_evidence,
        std::hypot(evidence_error(*first_.evidence), evidence_error(*second_.evidence)));
  }

  // A mode that the other run has not found has weight 0 there: a small one may be missed by chance, so that not the
  // number of modes decides but their weights.
  void add_modes() {
    for (std::size_t m = 0; m < first_.modes.size(); ++m) {
      add_weight("weight of mode " + std::to_string(m + 1), &first_.modes[m],
                 find_same(first_.modes[m], second_.modes));
    }
    for (std::size_t m = 0; m < second_.modes.size(); ++m) {
      if (find_same(second_.modes[m], first_.modes) != nullptr) continue;
      add_weight("weight of mode " + std::to_string(m + 1) + " of the second run", nullptr, &second_.modes[m]);
    }
  }

  std::vector<ComparedQuantity> quantities() && { return std::move(quantities_); }

 private:
  void add(std::string name, double a, double b, double error) {
    quantities_.push_back({std::move(name), a, b, error});
  }

  void add_weight(std::string name, const Mode* a, const Mode* b) {
    const double first = a != nullptr ? a->weight : 0.0, second = b != nullptr ? b->weight : 0.0;
    const double pooled = 0.5 * (first + second);
    const double binomial = pooled * (1.0 - pooled);
    const auto error = [&](const Mode* mode, const MemberRecord& record) {
      const double by_groups = mode != nullptr ? error_from_groups(mode->group_weights).value_or(0.0) : 0.0;
      return std::max(std::sqrt(binomial / least_worth(record)), by_groups);
    };
    add(std::move(name), first, second, std::hypot(error(a, first_), error(b, second_)));
  }

  const MemberRecord& first_;
  const MemberRecord& second_;
  std::vector<ComparedQuantity> quantities_;
};

}  // namespace

RunComparison compare_runs(const MemberRecord& first, const MemberRecord& second) {
  Comparison comparison(first, second);
  for (std::size_t d = 0; d < first.diagnostics.size(); ++d) comparison.add_coordinate(d);
  comparison.add_evidence();
  comparison.add_modes();
  return {second.options.annealing.seed, static_cast<Index>(second.modes.size()), std::move(comparison).quantities()};
}

double standardised_difference(const ComparedQuantity& quantity) {
  const double difference = std::abs(quantity.first - quantity.second);
  if (difference == 0.0) return 0.0;
  return quantity.error > 0.0 ? std::min(difference / quantity.error, kFarthest) : kFarthest;
}

}  // namespace ta2s2
