// Samples the weights of a small Bayesian neural network, y = sum_j a_j tanh(b_j x + c_j) with two hidden units (the
// example of Beck and Zuev 2013). Swapping the units, or changing the signs of all three weights of a unit, leaves the
// network as it is: every mode has eight copies of exactly equal weight, a truth that a sampler can be held against.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>
#include <ta2s2/ta2s2.hpp>
#include <utility>
#include <vector>

namespace {

using namespace ta2s2;

// 1.5 tanh(2 x + 2) - tanh(x - 1.5) at 13 points, with noise.
constexpr std::array<double, 13> kX{-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
constexpr std::array<double, 13> kY{-0.82, -0.37, -0.46, -0.04, 0.72, 2.01, 2.17, 2.26, 2.17, 1.46, 0.87, 0.59, 0.54};
constexpr double kNoise = 0.2;    // its sd, taken as known
constexpr double kPriorSd = 2.0;  // of every weight
constexpr double kBound = 10.0;   // of the box: five prior sds
constexpr Index kUnits = 2;
constexpr Index kCopies = 8;

// Position: a_1, b_1, c_1, a_2, b_2, c_2.
double network(VectorView weights, double x) {
  double sum = 0.0;
  for (Index j = 0; j < kUnits; ++j) sum += weights[3 * j] * std::tanh(weights[3 * j + 1] * x + weights[3 * j + 2]);
  return sum;
}

double log_normal_density(double residual, double sd) {
  return -0.5 * std::pow(residual / sd, 2) - std::log(sd) - 0.5 * std::log(2.0 * std::numbers::pi);
}

double log_posterior(VectorView weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += log_normal_density(weight, kPriorSd);
  for (std::size_t i = 0; i < kX.size(); ++i) sum += log_normal_density(kY[i] - network(weights, kX[i]), kNoise);
  return sum;
}

// The slope of a unit at its steepest, which both signs of its weights share.
double slope(VectorView weights, Index unit) {
  return weights[3 * unit] * weights[3 * unit + 1];
}

// Which of the eight copies a point belongs to, by the signs of b_1 and b_2 and by which unit rises more.
Index copy_of(VectorView weights) {
  const bool is_swapped = slope(weights, 0) < slope(weights, 1);
  return (weights[1] < 0.0 ? 1 : 0) + (weights[4] < 0.0 ? 2 : 0) + (is_swapped ? 4 : 0);
}

// The same network, in copy 0.
Vector folded(VectorView weights) {
  Vector first = weights.head(3), second = weights.tail(3);
  if (slope(weights, 0) < slope(weights, 1)) std::swap(first, second);
  if (first[1] < 0.0) first = -first;
  if (second[1] < 0.0) second = -second;
  Vector same(3 * kUnits);
  same << first, second;
  return same;
}

struct Estimate {
  double value = 0.0;
  double error = 0.0;
};

// A weighted mean over the draws, with its error from the scatter between groups, which share no ancestor.
Estimate mean_over(const PosteriorSample& draws, const std::function<double(VectorView)>& quantity) {
  const std::vector<Index>& begin = draws.lineage.group_begin;
  const Index num_groups = static_cast<Index>(begin.size()) - 1;
  Vector means(num_groups);
  for (Index g = 0; g < num_groups; ++g) {
    double sum = 0.0, weight = 0.0;
    for (Index i = begin[g]; i < begin[g + 1]; ++i) {
      sum += draws.weights[i] * quantity(draws.positions.col(i));
      weight += draws.weights[i];
    }
    means[g] = sum / weight;
  }
  const double variance = (means.array() - means.mean()).square().sum() / static_cast<double>(num_groups - 1);
  return {means.mean(), std::sqrt(variance / static_cast<double>(num_groups))};
}

void print_copies(const PosteriorSample& draws) {
  std::printf("# copy,share,error,truth\n");
  for (Index copy = 0; copy < kCopies; ++copy) {
    const Estimate share = mean_over(draws, [&](VectorView weights) { return copy_of(weights) == copy ? 1.0 : 0.0; });
    std::printf("# %d,%.4f,%.4f,%.4f\n", static_cast<int>(copy), share.value, share.error, 1.0 / kCopies);
  }
}

// Modes that are the same network count as one.
std::vector<Mode> folded_modes(const std::vector<Mode>& modes) {
  std::vector<Mode> different;
  for (const Mode& mode : modes) {
    const Vector position = folded(mode.position);
    const auto same = std::ranges::find_if(
        different, [&](const Mode& other) { return (other.position - position).cwiseAbs().maxCoeff() < 0.05; });
    if (same != different.end()) {
      same->weight += mode.weight;
    } else {
      different.push_back({.position = position, .energy = mode.energy, .weight = mode.weight, .mean = {}, .sd = {}});
    }
  }
  return different;
}

void print_modes(const std::vector<Mode>& modes) {
  std::printf("# mode,weight,a1,b1,c1,a2,b2,c2\n");
  for (std::size_t m = 0; m < modes.size(); ++m) {
    std::printf("# %zu,%.4f", m + 1, modes[m].weight);
    for (const double weight : modes[m].position) std::printf(",%.3f", weight);
    std::printf("\n");
  }
}

// Of 95% of the new observations at x: every draw predicts one, with noise of its own.
Interval predictive_interval(const PosteriorSample& draws, double x, std::mt19937_64& engine) {
  std::normal_distribution<double> noise(0.0, kNoise);
  std::vector<std::pair<double, double>> observations;  // value, weight
  for (Index i = 0; i < draws.size(); ++i) {
    observations.emplace_back(network(draws.positions.col(i), x) + noise(engine), draws.weights[i]);
  }
  std::ranges::sort(observations);
  Interval interval;
  double below = 0.0;
  for (const auto& [value, weight] : observations) {
    if (below < 0.025) interval.low = value;
    if (below < 0.975) interval.high = value;
    below += weight;
  }
  return interval;
}

void print_band(const PosteriorSample& draws, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::printf("x,mean,error,low,high\n");
  for (int row = 0; row <= 32; ++row) {
    const double x = -4.0 + 0.25 * row;
    const Estimate mean = mean_over(draws, [&](VectorView weights) { return network(weights, x); });
    const Interval interval = predictive_interval(draws, x, engine);
    std::printf("%.2f,%.4f,%.4f,%.4f,%.4f\n", x, mean.value, mean.error, interval.low, interval.high);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Index num_samples = 60000;  // a third as many lose touch with some of the copies
  std::uint64_t seed = 1;
  CLI::App app("Samples the posterior of a small neural network and prints its predictive band as CSV");
  app.add_option("--samples", num_samples, "draws per level")->check(CLI::Range(60, 1000000))->capture_default_str();
  app.add_option("--seed", seed, "of every random number")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const FunctionTarget target(log_posterior, Vector::Constant(3 * kUnits, -kBound),
                              Vector::Constant(3 * kUnits, kBound), {"a1", "b1", "c1", "a2", "b2", "c2"});
  const Sample run =
      sample(target, {.sampler = parse_sampler("annealed"), .samples = num_samples, .groups = 16, .seed = seed}, {});
  std::int64_t evaluations = 0;
  for (const LevelSummary& level : run.levels) evaluations += level.evaluations;

  std::printf("# levels,%zu\n", run.levels.size());
  std::printf("# evaluations,%lld\n", static_cast<long long>(evaluations));
  std::printf("# log evidence,%.3f,+-,%.3f\n", run.evidence->log_evidence, run.evidence->standard_error);
  print_copies(run.sample);
  print_modes(folded_modes(run.modes));
  print_band(run.sample, seed);
}
