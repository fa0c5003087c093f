// Evaluations of H per effective draw: the default kernel beside every single one, on a collection of posteriors.
// usage: kernels train|confirm|synthetic [number of seeds] [folder for the long runs' results]
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gp_cases.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "targets/target_catalogue.hpp"

namespace ta2s2::bench {
namespace {

struct Moments {
  Vector mean, variance;
};

Moments recycled_moments(const AnnealResult& run) {
  const RecycledSample sample = recycle(run);
  Moments moments{sample.positions * sample.weights, {}};
  moments.variance = (sample.positions.colwise() - moments.mean).array().square().matrix() * sample.weights;
  return moments;
}

AnnealResult anneal_alone(const TargetDensity& target, const AnnealOptions& options) {
  ThreadExecutor executor(1);
  Observer silent;
  return anneal(target, options, {executor, silent});
}

// The answer that is measured against, and its error in posterior sds.
struct KnownMoments {
  Moments moments;
  double error;
};

// The mean of long runs, and its error from their scatter.
KnownMoments long_runs(const TargetDensity& target) {
  constexpr int kRuns = 4;
  const auto task = [&](Index run, int) {
    AnnealOptions options;
    options.num_samples = 16000;
    options.chain_length = 100;
    options.seed = static_cast<std::uint64_t>(1000 + run);
    const Moments moments = recycled_moments(anneal_alone(target, options));
    Payload payload(moments.mean.begin(), moments.mean.end());
    payload.insert(payload.end(), moments.variance.begin(), moments.variance.end());
    return payload;
  };
  ThreadExecutor executor(0);
  Matrix found(2 * target.dim(), kRuns);
  const auto payloads = executor.map(std::vector<double>(kRuns, 1.0), task);
  for (int run = 0; run < kRuns; ++run) {
    found.col(run) = Eigen::Map<const Vector>(payloads[static_cast<std::size_t>(run)].data(), found.rows());
  }
  const Vector mean = found.rowwise().mean();
  const Moments moments{mean.head(target.dim()), mean.tail(target.dim())};
  const Vector scatter = (found.colwise() - mean).topRows(target.dim()).array().square().rowwise().sum();
  return {moments, std::sqrt((scatter.array() / moments.variance.array()).maxCoeff() / (kRuns * (kRuns - 1)))};
}

KnownMoments truth_of(const std::filesystem::path& file, const TargetDensity& target) {
  KnownMoments truth{{Vector(target.dim()), Vector(target.dim())}, 0.0};
  if (std::ifstream in(file); in) {
    in >> truth.error;
    for (double& x : truth.moments.mean) in >> x;
    for (double& x : truth.moments.variance) in >> x;
    return truth;
  }
  truth = long_runs(target);
  std::ofstream out(file);
  out.precision(17);
  out << truth.error << '\n' << truth.moments.mean.transpose() << '\n' << truth.moments.variance.transpose() << '\n';
  return truth;
}

// Mean over coordinates of the squared errors of mean and variance, each in the unit in which one independent draw of a
// normal has 1: the reciprocal of the effective sample size.
double squared_error(const Moments& found, const Moments& truth) {
  const auto of_mean = (found.mean - truth.mean).array().square() / truth.variance.array();
  const auto of_variance = (found.variance.array() / truth.variance.array() - 1.0).square() / 2.0;
  return 0.5 * (of_mean.mean() + of_variance.mean());
}

struct Cost {
  double evaluations = 0.0;  // per run
  double per_draw = 0.0;     // per effective draw
  double error = 0.0;        // its standard error over seeds
};

Cost measure(const TargetDensity& target, const AnnealOptions& options, const Moments& truth, int num_seeds) {
  const auto task = [&](Index seed, int) {
    AnnealOptions mine = options;
    mine.seed = static_cast<std::uint64_t>(seed + 1);
    const AnnealResult run = anneal_alone(target, mine);
    return Payload{static_cast<double>(run.evaluations()), squared_error(recycled_moments(run), truth)};
  };
  ThreadExecutor executor(0);
  Cost cost;
  double squares = 0.0;
  for (const Payload& payload : executor.map(std::vector<double>(static_cast<std::size_t>(num_seeds), 1.0), task)) {
    cost.evaluations += payload[0] / num_seeds;
    cost.per_draw += payload[0] * payload[1] / num_seeds;
    squares += std::pow(payload[0] * payload[1], 2) / num_seeds;
  }
  cost.error = std::sqrt((squares - cost.per_draw * cost.per_draw) / (num_seeds - 1));
  return cost;
}

struct Contestant {
  std::string name;
  AnnealOptions options;
};

std::vector<Contestant> contestants() {
  std::vector<Contestant> all(3);
  all[0].name = "exact (default)";
  all[1].name = all[1].options.kernel.name = "random-walk";
  all[2].name = all[2].options.kernel.name = "neal";
  return all;
}

void print_row(const std::string& name, const TargetDensity& target, const KnownMoments& truth, int num_seeds) {
  std::printf("| %s | %lld |", name.c_str(), static_cast<long long>(target.dim()));
  std::vector<Cost> costs;
  for (const Contestant& contestant : contestants()) {
    costs.push_back(measure(target, contestant.options, truth.moments, num_seeds));
    std::printf(" %.1f ± %.1f |", costs.back().per_draw, costs.back().error);
  }
  const double best_single = std::min(costs[1].per_draw, costs[2].per_draw);
  std::printf(" %.2f | %.0f | %.4f |\n", costs[0].per_draw / best_single, costs[0].evaluations, truth.error);
  std::fflush(stdout);
}

void run_cases(const std::vector<GpCase>& cases, int num_seeds, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const GpCase& gp_case : cases) {
    const GpTarget target = make_case(gp_case);
    print_row(gp_case.name, target, truth_of(folder / (gp_case.name + ".txt"), target), num_seeds);
  }
}

// Densities with closed forms, harder than posteriors in one way each.
void run_synthetic(int num_seeds) {
  for (const char* name : {"Skewed_d1", "Border_d2", "TwoModes_d2", "Banana_d2", "ThreeModes_d3", "Skewed_d6",
                           "TwoModes_d6", "Banana_d6", "Skewed_d11", "TwoModes_d11", "Banana_d11"}) {
    const auto target = make_named_target(name);
    const Truth exact = target->truth();
    print_row(name, *target, {{exact.mean, exact.sd.array().square()}, 0.0}, num_seeds);
  }
}

int run(int argc, char** argv) {
  const std::string collection = argc > 1 ? argv[1] : "confirm";
  const int num_seeds = argc > 2 ? std::atoi(argv[2]) : 20;
  const std::filesystem::path folder = argc > 3 ? argv[3] : "results/kernels";
  const bool is_known = collection == "train" || collection == "confirm" || collection == "synthetic";
  if (!is_known || num_seeds < 2) {
    std::fprintf(stderr, "usage: kernels train|confirm|synthetic [seeds, at least 2] [folder]\n");
    return 2;
  }
  std::printf("| posterior | d |");
  for (const Contestant& contestant : contestants()) std::printf(" %s |", contestant.name.c_str());
  std::printf(" default / best single | evaluations | error of the truth |\n|---|---|---|---|---|---|---|---|\n");
  if (collection == "synthetic") {
    run_synthetic(num_seeds);
  } else {
    run_cases(collection == "train" ? training_cases() : confirmation_cases(), num_seeds, folder);
  }
  return 0;
}

}  // namespace
}  // namespace ta2s2::bench

int main(int argc, char** argv) {
  return ta2s2::bench::run(argc, argv);
}
