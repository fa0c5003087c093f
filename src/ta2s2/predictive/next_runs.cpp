#include "ta2s2/predictive/next_runs.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/predictive/box_search.hpp"

namespace ta2s2 {
namespace {

// What the streams and designs of one call are for.
enum Part : std::uint64_t { kThinning = 10, kReference = 11, kSearch = 12 };

constexpr Index kFewestDraws = 16;
constexpr Index kMostNumbers = 60'000'000;  // in the factors of all draws and their reference points: 480 MB

Index affordable_draws(Index wanted, Index num_runs) {
  const Index affordable = kMostNumbers / (num_runs * (num_runs + kReferencePoints));
  return std::min(wanted, std::max(affordable, kFewestDraws));
}

Predictive few_draws(const Predictive& predictive, const NextRunsOptions& options) {
  Stream stream({options.seed, Purpose::next_runs, kThinning});
  return predictive.thinned(affordable_draws(options.draws, predictive.num_runs()), stream);
}

std::uint64_t design_seed(const NextRunsOptions& options, Part part, Index step) {
  return Stream({options.seed, Purpose::next_runs, part, 0, static_cast<std::uint64_t>(step)}).bits();
}

// Runs and chosen points, rows in the unit cube.
class Taken {
 public:
  explicit Taken(Matrix runs) : points_(std::move(runs)) {}

  bool is_free(const Vector& point) const {
    for (Index i = 0; i < points_.rows(); ++i) {
      if ((points_.row(i) - point.transpose()).cwiseAbs().maxCoeff() < kLeastDistance) return false;
    }
    return true;
  }
  void add(const Vector& point) {
    points_.conservativeResize(points_.rows() + 1, Eigen::NoChange);
    points_.bottomRows(1) = point.transpose();
  }

 private:
  Matrix points_;
};

CriterionMap draw_map(const RunCriterion& criterion, const Scaling& scaling, Index size, Executor& executor) {
  const Index p = scaling.low().size(), count = p == 1 ? size : size * size;
  const Vector grid = Vector::LinSpaced(size, 0.0, 1.0);
  Matrix unit(count, p);
  for (Index i = 0; i < count; ++i) {
    unit(i, 0) = grid[i % size];
    if (p == 2) unit(i, 1) = grid[i / size];
  }
  return {scaling.to_user(unit), criterion_at(criterion, unit, executor)};
}

Vector in_short_decimals(const Vector& unit_point, const Scaling& scaling) {
  Vector point = scaling.to_user(unit_point.transpose()).row(0);
  for (Index d = 0; d < point.size(); ++d) {
    point[d] = detail::short_decimal(point[d], scaling.low()[d], scaling.width()[d]);
  }
  return point;
}

struct ChosenPoint {
  Vector point;  // in the user's units
  double value = 0.0;
  std::optional<Index> row;
};

// Where the next point may be.
class Choice {
 public:
  virtual ~Choice() = default;
  virtual std::optional<ChosenPoint> best(const RunCriterion& criterion, Index step, const IsAllowed& is_allowed,
                                          Executor& executor) const = 0;
};

class WholeBox final : public Choice {
 public:
  WholeBox(const Scaling& scaling, const NextRunsOptions& options) : scaling_(scaling), options_(options) {}

  std::optional<ChosenPoint> best(const RunCriterion& criterion, Index step, const IsAllowed& is_allowed,
                                  Executor& executor) const override {
    const std::optional<FoundPoint> found =
        search_cube(criterion, scaling_.low().size(), design_seed(options_, kSearch, step), is_allowed, executor);
    if (!found) return std::nullopt;
    return ChosenPoint{in_short_decimals(found->unit_point, scaling_), found->value, std::nullopt};
  }

 private:
  const Scaling& scaling_;
  const NextRunsOptions& options_;
};

class AmongCandidates final : public Choice {
 public:
  AmongCandidates(const Scaling& scaling, const Matrix& candidates)
      : candidates_(candidates), unit_(scaling.to_unit(candidates)) {}

  std::optional<ChosenPoint> best(const RunCriterion& criterion, Index, const IsAllowed& is_allowed,
                                  Executor& executor) const override {
    const Vector values = criterion_at(criterion, unit_, executor);
    const std::optional<Index> row = best_row(values, unit_, is_allowed);
    if (!row) return std::nullopt;
    return ChosenPoint{candidates_.row(*row), values[*row], *row};
  }

 private:
  const Matrix& candidates_;
  Matrix unit_;
};

std::unique_ptr<Choice> make_choice(const Scaling& scaling, const NextRunsOptions& options,
                                    const std::optional<Matrix>& candidates) {
  if (candidates) return std::make_unique<AmongCandidates>(scaling, *candidates);
  return std::make_unique<WholeBox>(scaling, options);
}

[[noreturn]] void refuse(Index chosen, Index count) {
  throw Error(ErrorCode::usage, "found " + std::to_string(chosen) +
                                    " points that lie apart from the runs and from each "
                                    "other by at least a thousandth of some input's range, expected " +
                                    std::to_string(count));
}

}  // namespace

NextRuns choose_next_runs(const Predictive& predictive, const NextRunsOptions& options,
                          const std::optional<Matrix>& candidates, Executor& executor, const PointChosen& on_chosen) {
  const Predictive few = few_draws(predictive, options);
  const Scaling& scaling = predictive.scaling();
  const Index p = predictive.num_inputs();
  const std::unique_ptr<RunCriterion> criterion =
      make_criterion(options.criterion, few, design_seed(options, kReference, 0), executor);
  NextRuns result{Matrix(options.count, p), Vector(options.count), {}, few.num_draws(), {}, {}};
  if (options.map_size > 0) result.map = draw_map(*criterion, scaling, options.map_size, executor);

  const auto note_variance = [&] {
    if (const std::optional<double> variance = criterion->average_variance()) {
      result.average_variance.push_back(*variance);
    }
  };
  note_variance();
  const std::unique_ptr<Choice> choice = make_choice(scaling, options, candidates);
  Taken taken(few.parts().front().model->X());
  const IsAllowed is_allowed = [&](const Vector& point) { return taken.is_free(point); };
  for (Index i = 0; i < options.count; ++i) {
    const std::optional<ChosenPoint> chosen = choice->best(*criterion, i, is_allowed, executor);
    if (!chosen) refuse(i, options.count);
    result.points.row(i) = chosen->point.transpose();
    result.values[i] = chosen->value;
    if (chosen->row) result.rows.push_back(*chosen->row);
    const Vector unit_point = scaling.to_unit(chosen->point.transpose()).row(0);
    taken.add(unit_point);
    criterion->add_run(unit_point, executor);
    note_variance();
    if (on_chosen) on_chosen(i + 1);
  }
  return result;
}

double detail::short_decimal(double value, double low, double width) {
  constexpr int kDigits = 6;
  const int places = kDigits - static_cast<int>(std::floor(std::log10(width)));
  // A power of ten that is a whole number is exact, and dividing by it gives the double nearest to the decimal.
  const double power = std::pow(10.0, std::abs(places));
  const auto decimal = [&](double whole) { return places > 0 ? whole / power : whole * power; };
  const double whole = std::round(places > 0 ? value * power : value / power), slack = 1e-12 * width;
  if (decimal(whole) > low + width + slack) return decimal(whole - 1.0);
  if (decimal(whole) < low - slack) return decimal(whole + 1.0);
  return decimal(whole);
}

}  // namespace ta2s2
