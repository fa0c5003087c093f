// Samples a density of your own: two unequal normal modes in three dimensions, far apart.
// A random walk started in one mode would never see the other; the tempered levels find both, with their weights.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/sample.hpp"

int main() {
  using namespace ta2s2;

  // Weight 0.8 at (-5, -5, -5) with sd 1, weight 0.2 at (5, 5, 5) with sd 0.5; not normalised, and it need not be.
  const auto log_density = [](VectorView x) {
    const double left = std::log(0.8) - 0.5 * (x.array() + 5.0).square().sum();
    const double right = std::log(0.2 / 0.125) - 0.5 * ((x.array() - 5.0) / 0.5).square().sum();
    return log_add_exp(left, right);
  };
  const FunctionTarget target(log_density, Vector::Constant(3, -20.0), Vector::Constant(3, 20.0));

  AnnealOptions options;
  options.num_samples = 4000;
  options.seed = 1;
  ThreadExecutor executor(0);
  Observer silent;
  const AnnealResult run = anneal(target, options, {executor, silent});

  const Population& sample = run.final();
  const double weight_right = (sample.positions.row(0).array() > 0.0).cast<double>().mean();
  const double log_evidence = 1.5 * std::log(2.0 * std::numbers::pi);  // of the function above
  std::printf("levels                 %zu\n", run.levels.size());
  std::printf("evaluations            %lld\n", static_cast<long long>(run.evaluations()));
  std::printf("weight of right mode   %.3f   (truth 0.200)\n", weight_right);
  std::printf("log evidence           %.3f +- %.3f   (truth %.3f)\n", run.log_evidence, run.log_evidence_error,
              log_evidence);
}
