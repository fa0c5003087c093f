// E max(f(x) - b, 0), b the best value so far; for a minimum of -f. A batch is worth E max(max f(S) - b, 0), and one
// more point adds E max(f(x) - max(b, max f(S)), 0). Values of f(S) are drawn from each draw's Student process; given
// them f(x) is Student t again, so that the expectation over f(x) is in closed form and only that over f(S) is a mean
// over draws. Drawing f(S) given the draw needs no new weights: the pairs are draws of their joint law. Of a
// transformed output f = g^-1(process) by each draw's own g, and the expectation over the process is a quadrature.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/design.hpp"
#include "ta2s2/predictive/run_criterion.hpp"
#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::detail {
namespace {

// Of the values at the chosen points, for each draw of the posterior.
constexpr Index kValuesPerDraw = 16;
// Relative to c = 1: what keeps the covariance of chosen points positive definite.
constexpr double kJitter = 1e-10;
// A search looks at some points near the best runs, at each of these distances.
constexpr Index kBestRuns = 4, kPointsNearEach = 8;
constexpr double kNear[] = {0.1, 0.02};

// E max(T - t, 0).
double mean_excess(const StudentTable& table, double t) {
  const double df = table.df();
  return std::max(std::exp(table.log_density(t)) * (df + t * t) / (df - 1.0) - t * table.cdf(-t), 0.0);
}

// Values at the chosen points, as one draw of the posterior supposes them; standardised units, of the process in those
// of g, signs turned.
struct Supposed {
  Matrix whitened;  // a column for each: T^-1 (f(S) - mean(S))
  Vector best;      // the best output so far, f(S) included
  Vector S2;        // given f(S)
};

class ImprovementCriterion final : public RunCriterion {
 public:
  ImprovementCriterion(const Predictive& predictive, double sign, std::uint64_t seed, Executor& executor)
      : draws_(make_processes(predictive, executor)),
        supposed_(draws_.size()),
        sign_(sign),
        seed_(seed),
        output_sd_(predictive.scaling().output_sd()),
        df_(predictive.degrees_of_freedom()),
        runs_(predictive.parts().front().model->X()) {
    Vector at_runs = Vector::Zero(runs_.rows());
    for (const auto& draw : draws_) at_runs += draw->weight() * sign_ * mean_outputs(*draw);
    order_ = std::vector<Index>(static_cast<std::size_t>(runs_.rows()));
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) { return at_runs[a] > at_runs[b]; });
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      supposed_[i] = {Matrix(0, 1), Vector::Constant(1, at_runs[order_.front()]), Vector::Constant(1, draws_[i]->S2())};
    }
    use_freedom(df_);
  }

  Vector values(MatrixView unit_points) const override {
    Vector sum = Vector::Zero(unit_points.rows());
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      const DrawProcess& draw = *draws_[i];
      const DrawProcess::Points points = draw.at(unit_points);
      for (Index k = 0; k < unit_points.rows(); ++k) {
        sum[k] += draw.weight() * improvement(draw.output(), points, k, supposed_[i]);
      }
    }
    return output_sd_ * sum;
  }

  void add_run(const Vector& unit_point, Executor& executor) override {
    executor.for_each_here(static_cast<Index>(draws_.size()), [&](Index i) { suppose(i, unit_point); });
    num_chosen_ += 1;
    use_freedom(df_ + static_cast<double>(num_chosen_));
  }

  Matrix places_to_look() const override {
    const Index p = runs_.cols(), best = std::min<Index>(kBestRuns, runs_.rows());
    const Matrix around = make_design({p, kPointsNearEach, DesignKind::sobol, seed_}).array() - 0.5;
    Matrix places(best * 2 * kPointsNearEach, p);
    Index next = 0;
    for (Index b = 0; b < best; ++b) {
      for (const double distance : kNear) {
        const auto block = (distance * around).rowwise() + runs_.row(order_[static_cast<std::size_t>(b)]);
        places.middleRows(next, kPointsNearEach) = block.cwiseMax(0.0).cwiseMin(1.0);
        next += kPointsNearEach;
      }
    }
    return places;
  }

 private:
  void use_freedom(double df) {
    table_ = student_table(df);
    rule_ = std::make_shared<const StudentRule>(df);
  }

  Vector mean_outputs(const DrawProcess& draw) const {
    ConditionalPredictor::Points points = draw.predictor().at(runs_);
    return draw.is_plain() ? std::move(points.mean) : draw.output_moments(points).means;
  }

  // The mean over the supposed values.
  double improvement(const DrawOutput& output, const DrawProcess::Points& points, Index k,
                     const Supposed& supposed) const {
    const double c = points.c[k], mean = sign_ * points.given_runs.mean[k];
    double sum = 0.0;
    for (Index m = 0; m < supposed.best.size(); ++m) {
      const double moved = num_chosen_ > 0 ? mean + points.told.col(k).dot(supposed.whitened.col(m)) : mean;
      const double scale = std::sqrt(supposed.S2[m] / table_->df() * c);
      const double best = supposed.best[m];
      if (!(scale > 0.0)) {
        sum += std::max(sign_ * output.of_process(sign_ * moved) - best, 0.0);
      } else if (output.is_plain()) {
        sum += scale * mean_excess(*table_, (best - moved) / scale);
      } else {
        sum += output.mean_gain(sign_ * best, sign_, sign_ * moved, scale, *rule_);
      }
    }
    return sum / static_cast<double>(supposed.best.size());
  }

  // The value there given those before is Student t; what it is in units of its scale becomes the last whitened one.
  void suppose(Index i, const Vector& unit_point) {
    const auto number = static_cast<std::size_t>(i);
    DrawProcess& draw = *draws_[number];
    const DrawProcess::Points point = draw.at(unit_point.transpose());
    draw.add_run(unit_point, kJitter);
    Supposed next = num_chosen_ > 0 ? supposed_[number] : repeated(supposed_[number]);
    next.whitened.conservativeResize(num_chosen_ + 1, Eigen::NoChange);
    Stream stream({seed_, Purpose::next_runs, kSupposedValues, static_cast<std::uint64_t>(i),
                   static_cast<std::uint64_t>(num_chosen_)});
    const double df = df_ + static_cast<double>(num_chosen_);
    for (Index m = 0; m < kValuesPerDraw; ++m) {
      const double chi2 = 2.0 * draw_gamma(stream, 0.5 * df);
      const double whitened = draw_normal(stream) * std::sqrt(next.S2[m] / chi2);
      double value = sign_ * point.given_runs.mean[0] + draw.latest_scale() * whitened;
      if (num_chosen_ > 0) value += point.told.col(0).dot(next.whitened.col(m).head(num_chosen_));
      next.whitened(num_chosen_, m) = whitened;
      next.best[m] = std::max(next.best[m], sign_ * draw.output().of_process(sign_ * value));
      next.S2[m] += whitened * whitened;
    }
    supposed_[number] = std::move(next);
  }

  static Supposed repeated(const Supposed& one) {
    return {Matrix(0, kValuesPerDraw), one.best.replicate(kValuesPerDraw, 1), one.S2.replicate(kValuesPerDraw, 1)};
  }

  static constexpr std::uint64_t kSupposedValues = 1;  // level of the stream's name

  std::vector<std::unique_ptr<DrawProcess>> draws_;
  std::vector<Supposed> supposed_;  // by each draw
  double sign_;
  std::uint64_t seed_;
  double output_sd_, df_;
  Matrix runs_;
  std::vector<Index> order_;  // of the runs, the best first
  Index num_chosen_ = 0;
  std::shared_ptr<const StudentTable> table_;
  std::shared_ptr<const StudentRule> rule_;
};

}  // namespace

std::unique_ptr<RunCriterion> make_improvement_criterion(const Predictive& predictive, double sign, std::uint64_t seed,
                                                         Executor& executor) {
  return std::make_unique<ImprovementCriterion>(predictive, sign, seed, executor);
}

}  // namespace ta2s2::detail
