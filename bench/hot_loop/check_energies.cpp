#include "check_energies.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "plain_energy.hpp"

namespace ta2s2::bench {
namespace {

// What docs/performance.md promises at this nugget.
constexpr double kAllowedError = 2e-8;

[[noreturn]] void fail(const GpTarget& target, const ModelChoice& choice, double found, double plain) {
  std::fprintf(stderr, "wrong answer: n = %lld, p = %lld, %s, trend %s, prior %s: H = %.15g, plain H = %.15g\n",
               static_cast<long long>(target.model()->num_runs()), static_cast<long long>(target.dim()),
               choice.correlation.c_str(), choice.trend.c_str(), choice.prior.c_str(), found, plain);
  std::exit(1);
}

std::vector<Energy> one_by_one(const GpTarget& target, const Matrix& positions, Workspace& workspace) {
  std::vector<Energy> energies(static_cast<std::size_t>(positions.cols()));
  for (std::size_t i = 0; i < energies.size(); ++i) {
    target.energies(positions.col(static_cast<Index>(i)), workspace, std::span(&energies[i], 1));
  }
  return energies;
}

}  // namespace

double check_energies(const GpTarget& target, const ModelChoice& choice, const Matrix& positions) {
  const auto workspace = target.make_workspace();
  std::vector<Energy> block(static_cast<std::size_t>(positions.cols()));
  target.energies(positions, *workspace, block);
  const std::vector<Energy> single = one_by_one(target, positions, *workspace);
  double worst = 0.0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const double plain = plain_energy(target, choice, positions.col(static_cast<Index>(i)));
    for (const double found : {block[i].total(), single[i].total()}) {
      const double error = std::abs(found - plain);
      if (!(error <= kAllowedError)) fail(target, choice, found, plain);
      worst = std::max(worst, error);
    }
  }
  return worst;
}

}  // namespace ta2s2::bench
