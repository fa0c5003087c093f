#include <algorithm>
#include <utility>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/data/detail/latin_hypercube.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::detail {

namespace {

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

}  // namespace

Matrix maximin_latin_hypercube(Index runs, Index inputs, std::uint64_t seed) {
  // With one input, or fewer than three runs, every Latin hypercube has the same distances.
  const bool has_choice = inputs > 1 && runs > 2;
  Stream stream({.seed = seed, .purpose = Purpose::design});
  const Matrix strata = has_choice ? best_strata(runs, inputs, seed) : random_strata(runs, inputs, stream);
  return (strata.array() + 0.5) / static_cast<double>(runs);
}

}  // namespace ta2s2::detail
