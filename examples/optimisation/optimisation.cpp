// Finds every global optimum of a function of your own: its negative is a log density, and the levels go on past
// temperature 1 towards zero, where the draws that are left stand at the optima, at all of them at once.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <string>
#include <ta2s2/ta2s2.hpp>
#include <vector>

namespace {

using namespace ta2s2;

struct Problem {
  std::string name;
  double (*value)(VectorView);
  double bound;               // the box is [-bound, bound] in both inputs
  std::vector<Vector> known;  // its global minima
};

Vector point(double x, double y) {
  return Vector{{x, y}};
}

// Himmelblau (1972): four minima, all of value 0, of different curvature.
double himmelblau(VectorView x) {
  return std::pow(x[0] * x[0] + x[1] - 11.0, 2) + std::pow(x[0] + x[1] * x[1] - 7.0, 2);
}

std::vector<Vector> himmelblau_minima() {
  return {point(3.0, 2.0), point(-2.805118086953, 3.131312518250), point(-3.779310253378, -3.283185991286),
          point(3.584428340330, -1.848126526964)};
}

// Shubert (1972): about 760 minima, of which 18 are global: one factor at its greatest, the other at its least.
double shubert_factor(double x) {
  double sum = 0.0;
  for (int i = 1; i <= 5; ++i) sum += i * std::cos((i + 1) * x + i);
  return sum;
}

double shubert(VectorView x) {
  return shubert_factor(x[0]) * shubert_factor(x[1]);
}

std::vector<Vector> shubert_minima() {
  const std::vector<double> greatest{-7.083506407652, -0.800321100472, 5.482864206708};
  const std::vector<double> least{-7.708313735499, -1.425128428320, 4.858056878860};
  std::vector<Vector> minima;
  for (const double high : greatest) {
    for (const double low : least) {
      minima.push_back(point(high, low));
      minima.push_back(point(low, high));
    }
  }
  return minima;
}

std::vector<Problem> problems() {
  return {{"himmelblau", himmelblau, 6.0, himmelblau_minima()}, {"shubert", shubert, 10.0, shubert_minima()}};
}

struct Optimum {
  Vector position;  // of its best draw
  double value = 0.0;
  Index draws = 0;
};

// Two points share a valley if nothing between them is higher than both.
bool share_a_valley(const Problem& problem, const Vector& a, const Vector& b) {
  const double rim = std::max(problem.value(a), problem.value(b));
  for (int k = 1; k < 10; ++k) {
    if (problem.value(a + 0.1 * k * (b - a)) > rim) return false;
  }
  return true;
}

// The best draw of each valley, the deepest valley first.
std::vector<Optimum> optima_of(const Problem& problem, const PosteriorSample& sample) {
  std::vector<Index> by_value(static_cast<std::size_t>(sample.size()));
  std::iota(by_value.begin(), by_value.end(), Index{0});
  std::ranges::stable_sort(by_value, {}, [&](Index i) { return sample.energies[i]; });
  std::vector<Optimum> optima;
  for (const Index i : by_value) {
    const Vector draw = sample.positions.col(i);
    const auto nearest = std::ranges::min_element(
        optima, {}, [&](const Optimum& optimum) { return (optimum.position - draw).squaredNorm(); });
    if (nearest != optima.end() && share_a_valley(problem, nearest->position, draw)) {
      ++nearest->draws;
    } else {
      optima.push_back({draw, problem.value(draw), 1});
    }
  }
  return optima;
}

void print_known(const Problem& problem, const std::vector<Optimum>& optima, Index num_draws) {
  std::printf("%12s %12s %14s %14s %10s %7s\n", "known x1", "known x2", "least value", "found value", "distance",
              "share");
  for (const Vector& known : problem.known) {
    const auto nearest =
        std::ranges::min_element(optima, {}, [&](const Optimum& optimum) { return (optimum.position - known).norm(); });
    std::printf("%12.6f %12.6f %14.6f", known[0], known[1], problem.value(known));
    if (share_a_valley(problem, known, nearest->position)) {
      std::printf(" %14.6f %10.2e %7.4f\n", nearest->value, (nearest->position - known).norm(),
                  static_cast<double>(nearest->draws) / static_cast<double>(num_draws));
    } else {
      std::printf(" %14s %10s %7s\n", "lost", "lost", "lost");
    }
  }
}

// Towards the minima it is the density exp(-f / kCold) that is sampled, and from there the levels go on until the
// values scatter a tenth as much.
constexpr double kCold = 1e-3;

void minimise(const Problem& problem, const SamplerSettings& settings) {
  const double start = *settings.anneal_to_zero ? kCold : 1.0;
  const FunctionTarget target([&](VectorView x) { return -problem.value(x) / start; },
                              Vector::Constant(2, -problem.bound), Vector::Constant(2, problem.bound));
  const Sample run = sample(target, settings, {});
  const std::vector<Optimum> optima = optima_of(problem, run.sample);
  std::int64_t evaluations = 0;
  for (const LevelSummary& level : run.levels) evaluations += level.evaluations;

  std::printf("function         %s\n", problem.name.c_str());
  std::printf("levels           %zu\n", run.levels.size());
  std::printf("evaluations      %lld\n", static_cast<long long>(evaluations));
  std::printf("last temperature %.3e\n", start / run.levels.back().beta);
  std::printf("optima           %zu found, %zu known\n", optima.size(), problem.known.size());
  print_known(problem, optima, run.sample.size());
}

}  // namespace

int main(int argc, char** argv) {
  Index num_samples = 40000;  // half as many found all 18 in nine runs of twelve, a quarter in five
  std::uint64_t seed = 1;
  int final_temperature = 0;
  std::string function = "all";
  CLI::App app("Finds the global minima of functions that have several, and compares them with the known ones");
  app.add_option("--anneal-to", final_temperature, "0: on to the minima; 1: a sample of the density exp(-f)")
      ->check(CLI::IsMember({0, 1}))
      ->capture_default_str();
  app.add_option("--function", function, "which function")
      ->check(CLI::IsMember({"all", "himmelblau", "shubert"}))
      ->capture_default_str();
  app.add_option("--samples", num_samples, "draws per level")->check(CLI::Range(60, 1000000))->capture_default_str();
  app.add_option("--seed", seed, "of every random number")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const SamplerSettings settings{.samples = num_samples, .anneal_to_zero = final_temperature == 0, .seed = seed};
  for (const Problem& problem : problems()) {
    if (function == "all" || function == problem.name) minimise(problem, settings);
  }
}
