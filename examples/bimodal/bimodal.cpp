// Samples a density of your own: two unequal normal modes in three dimensions, far apart.
// A random walk started in one mode would never see the other; the tempered levels find both, with their weights.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <ta2s2/ta2s2.hpp>

int main() {
  using namespace ta2s2;

  // Weight 0.8 at (-5, -5, -5) with sd 1, weight 0.2 at (5, 5, 5) with sd 0.5; not normalised, and it need not be.
  const auto log_density = [](VectorView x) {
    const double left = std::log(0.8) - 0.5 * (x.array() + 5.0).square().sum();
    const double right = std::log(0.2 / 0.125) - 0.5 * ((x.array() - 5.0) / 0.5).square().sum();
    return std::max(left, right) + std::log1p(std::exp(-std::abs(left - right)));
  };
  const FunctionTarget target(log_density, Vector::Constant(3, -20.0), Vector::Constant(3, 20.0));

  const Sample run = sample(target, {.samples = 4000, .seed = 1}, {});

  const double truth = 1.5 * std::log(2.0 * std::numbers::pi);  // the integral of the function above
  std::printf("levels                 %zu\n", run.levels.size());
  std::printf("log evidence           %.3f +- %.3f   (truth %.3f)\n", run.evidence->log_evidence,
              run.evidence->standard_error, truth);
  for (const Mode& mode : run.modes) {
    std::printf("mode at (%5.2f, %5.2f, %5.2f) with weight %.3f   (truth %.3f)\n", mode.position[0], mode.position[1],
                mode.position[2], mode.weight, mode.position[0] < 0.0 ? 0.8 : 0.2);
  }
}
