#include "ta2s2/design.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <string>
#include <utility>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/data/input_scale.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {
namespace {

// Strata 0, ..., n - 1 in random order, independently in each column.
Matrix random_strata(Index runs, Index inputs, Stream& stream) {
  Matrix strata = Matrix::Zero(runs, inputs);
  for (Index input = 0; input < inputs; ++input) {
    for (Index run = 0; run < runs; ++run) {
      // Fisher and Yates, growing: a random earlier stratum moves to the end and the new one takes its place.
      const Index place = draw_index(stream, run + 1);
      strata(run, input) = strata(place, input);
      strata(place, input) = static_cast<double>(run);
    }
  }
  return strata;
}

// A Latin hypercube with each point anywhere in its strata.
Matrix random_latin_hypercube(Index runs, Index inputs, Stream& stream) {
  Matrix design = random_strata(runs, inputs, stream);
  for (Index input = 0; input < inputs; ++input) {
    for (Index run = 0; run < runs; ++run)
      design(run, input) = (design(run, input) + draw_uniform(stream)) / static_cast<double>(runs);
  }
  return design;
}

using Array = Eigen::ArrayXd;

// Work is counted in coordinates looked at, about 4 ns each: at most a second or two, whatever the size. It
// must not be measured by a clock, or the same seed would not give the same design.
constexpr Index kMaxWork = 300'000'000;
constexpr Index kTrialsPerCoordinate = 100;
constexpr Index kMaxStarts = 10;

// Downhill exchanges for phi = sum over pairs of distance^-20 (Morris and Mitchell 1995, with their p = 20):
// smooth enough to descend, steep enough to be ruled by the nearest pairs. At equal cost, annealing
// the exchanges instead changed the smallest squared distance by +1% on 100 x 10 and by -5% on 1000 x 10.
class Exchanges {
 public:
  explicit Exchanges(Matrix strata)
      : strata_(std::move(strata)),
        // Mean squared distance of two points of the cube: keeps the powers near 1.
        unit_(static_cast<double>(strata_.cols() * strata_.rows() * strata_.rows()) / 6.0) {}

  // Exchanges two runs' strata in one column if that lowers phi.
  void try_exchange(Index a, Index b, Index column) {
    const auto values = strata_.col(column).array();
    to_a_ = squared_distances(a);
    to_b_ = squared_distances(b);
    // Their own distance does not change.
    to_a_[b] = to_b_[a] = kInfinity;
    change_ = (values - values[b]).square() - (values - values[a]).square();
    if (phi_of(to_a_ + change_) + phi_of(to_b_ - change_) < phi_of(to_a_) + phi_of(to_b_))
      std::swap(strata_(a, column), strata_(b, column));
  }

  double smallest_squared_distance() const {
    double smallest = kInfinity;
    for (Index run = 0; run < strata_.rows(); ++run) smallest = std::min(smallest, squared_distances(run).minCoeff());
    return smallest;
  }

  const Matrix& strata() const { return strata_; }

 private:
  // To itself: infinite.
  Array squared_distances(Index run) const {
    Array distances = Array::Zero(strata_.rows());
    for (Index column = 0; column < strata_.cols(); ++column)
      distances += (strata_.col(column).array() - strata_(run, column)).square();
    distances[run] = kInfinity;
    return distances;
  }

  double phi_of(const Array& squared_distances) const {
    const Array inverse = unit_ / squared_distances;
    const Array fifth = inverse.square().square() * inverse;
    return fifth.square().sum();
  }

  Matrix strata_;
  double unit_;
  Array to_a_, to_b_, change_;
};

Exchanges improved_from_start(Index runs, Index inputs, Index trials, Stream stream) {
  Exchanges exchanges(random_strata(runs, inputs, stream));
  for (Index trial = 0; trial < trials; ++trial) {
    const Index a = draw_index(stream, runs);
    const Index b = (a + 1 + draw_index(stream, runs - 1)) % runs;
    exchanges.try_exchange(a, b, draw_index(stream, inputs));
  }
  return exchanges;
}

Matrix best_strata(Index runs, Index inputs, std::uint64_t seed) {
  const Index max_trials = std::max<Index>(1, kMaxWork / (runs * inputs));
  const Index trials = std::min(max_trials, kTrialsPerCoordinate * runs * inputs);
  const Index starts = std::clamp<Index>(max_trials / trials, 1, kMaxStarts);
  Matrix best;
  double largest = -1.0;
  for (Index start = 0; start < starts; ++start) {
    const StreamName name{.seed = seed, .purpose = Purpose::design, .chain = static_cast<std::uint64_t>(start)};
    const Exchanges exchanges = improved_from_start(runs, inputs, trials, Stream(name));
    if (starts == 1) return exchanges.strata();
    const double smallest = exchanges.smallest_squared_distance();
    if (smallest <= largest) continue;
    largest = smallest;
    best = exchanges.strata();
  }
  return best;
}

// Points at the centres of their strata, the nearest two far apart.
Matrix maximin_latin_hypercube(Index runs, Index inputs, std::uint64_t seed) {
  // With one input, or fewer than three runs, every Latin hypercube has the same distances.
  const bool has_choice = inputs > 1 && runs > 2;
  Stream stream({.seed = seed, .purpose = Purpose::design});
  const Matrix strata = has_choice ? best_strata(runs, inputs, seed) : random_strata(runs, inputs, stream);
  return (strata.array() + 0.5) / static_cast<double>(runs);
}

constexpr Index kMaxSobolInputs = boost::random::default_sobol_table::max_dimension;

void check(const DesignOptions& options) {
  if (options.inputs < 1 || options.runs < 1)
    throw Error(ErrorCode::usage, "a design of " + std::to_string(options.runs) + " runs and " +
                                      std::to_string(options.inputs) + " inputs: expected at least one of each");
  if (options.kind == DesignKind::sobol && options.inputs > kMaxSobolInputs)
    throw Error(ErrorCode::usage, "a Sobol design of " + std::to_string(options.inputs) + " inputs: expected at most " +
                                      std::to_string(kMaxSobolInputs));
}

// Cranley and Patterson (1976): the whole sequence is moved by one random vector modulo 1, here exactly, in
// 64-bit integers. The zero point, which boost skips, is put back: shifted, it is as good as any, and the
// first 2^k points are balanced only with it.
Matrix shifted_sobol(Index runs, Index inputs, Stream& stream) {
  const auto num_inputs = static_cast<std::size_t>(inputs);
  boost::random::sobol sequence(num_inputs);
  std::vector<std::uint64_t> shift(num_inputs), point(num_inputs, 0);
  for (std::uint64_t& word : shift) word = stream.bits();
  Matrix design(runs, inputs);
  for (Index run = 0; run < runs; ++run) {
    for (std::size_t input = 0; input < num_inputs; ++input) {
      const std::uint64_t shifted = point[input] + shift[input];
      design(run, static_cast<Index>(input)) = (static_cast<double>(shifted >> 12) + 0.5) * 0x1.0p-52;
    }
    sequence.generate(point.begin(), point.end());
  }
  return design;
}

}  // namespace

Matrix make_design(const DesignOptions& options) {
  check(options);
  if (options.kind == DesignKind::maximin) return maximin_latin_hypercube(options.runs, options.inputs, options.seed);
  Stream stream({.seed = options.seed, .purpose = Purpose::design});
  if (options.kind == DesignKind::random) return random_latin_hypercube(options.runs, options.inputs, stream);
  return shifted_sobol(options.runs, options.inputs, stream);
}

Matrix to_ranges(MatrixView unit, const std::vector<InputRange>& ranges) {
  if (static_cast<Index>(ranges.size()) != unit.cols())
    throw Error(ErrorCode::usage, std::to_string(ranges.size()) + " ranges for " + std::to_string(unit.cols()) +
                                      " inputs: expected one each");
  Matrix points(unit.rows(), unit.cols());
  for (Index input = 0; input < unit.cols(); ++input) {
    const InputRange& range = ranges[static_cast<std::size_t>(input)];
    require_positive(range);
    const double low = on_scale(range.scale, range.low), high = on_scale(range.scale, range.high);
    const Vector share = unit.col(input);
    const Vector values = (1.0 - share.array()) * low + share.array() * high;
    const auto to_user = [&](double value) { return from_scale(range.scale, value); };
    // Rounding must not put a point outside its range.
    points.col(input) = values.unaryExpr(to_user).cwiseMax(range.low).cwiseMin(range.high);
  }
  return points;
}

}  // namespace ta2s2
