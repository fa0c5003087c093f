#include "ta2s2/smc/sampler_result.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/smc/growth.hpp"

namespace ta2s2 {
namespace {

// c with sum min(w / c, 1) = count: the k heaviest stay, and c = (what the others weigh) / (count - k).
double threshold(const Vector& weights, Index count) {
  std::vector<double> falling(weights.begin(), weights.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  // Summed from the lightest: what is left of one after subtracting the heavy is rounding, where the light weigh 1e-17.
  std::vector<double> others(falling.size());
  std::partial_sum(falling.rbegin(), falling.rend(), others.rbegin());
  others[0] = weights.sum();  // without rounding where all weigh the same
  std::size_t k = 0;
  const auto places = [&] { return static_cast<double>(count) - static_cast<double>(k); };
  while (places() > 1.0 && falling[k] * places() > others[k]) ++k;
  return others[k] / places();
}

}  // namespace

ThinnedDraws thin(const Vector& weights, Index count, Stream& stream) {
  ThinnedDraws thinned;
  if (weights.size() <= count) {
    thinned.kept.resize(static_cast<std::size_t>(weights.size()));
    std::iota(thinned.kept.begin(), thinned.kept.end(), Index{0});
    thinned.weights = weights;
    return thinned;
  }
  const double c = threshold(weights, count);
  std::vector<Index> light;
  for (Index i = 0; i < weights.size(); ++i) (weights[i] > c ? thinned.kept : light).push_back(i);
  const Vector light_weights = weights(light);
  const Index num_light = light_weights.sum() > 0.0 ? count - static_cast<Index>(thinned.kept.size()) : 0;
  for (const Index i : systematic_resample(light_weights / light_weights.sum(), num_light, stream)) {
    thinned.kept.push_back(light[static_cast<std::size_t>(i)]);
  }
  std::sort(thinned.kept.begin(), thinned.kept.end());
  thinned.weights = weights(thinned.kept).cwiseMax(c);
  thinned.weights /= thinned.weights.sum();
  return thinned;
}

ThinnedDraws resample(const Vector& weights, Index count, Stream& stream) {
  return {systematic_resample(weights, count, stream), Vector::Constant(count, 1.0 / static_cast<double>(count))};
}

namespace {

// Levels with beta <= 1, and their states with a density, in the order of RecycledSample.
struct PooledLevels {
  std::vector<double> betas, log_sizes, log_normalisers;
  std::vector<const double*> positions;
  std::vector<Energy> energies;
  std::vector<std::size_t> chain_begin = {0};  // into the states
  std::vector<Index> group_begin = {0};        // into the chains
  std::vector<Index> parents, chain_levels;
};

void add_chains(PooledLevels& pooled, const Population& population, std::size_t level, Index group) {
  const Index end_chain = population.group_begin[static_cast<std::size_t>(group) + 1];
  for (Index c = population.group_begin[static_cast<std::size_t>(group)]; c < end_chain; ++c) {
    const Index end = population.chain_begin[static_cast<std::size_t>(c) + 1];
    for (Index i = population.chain_begin[static_cast<std::size_t>(c)]; i < end; ++i) {
      const Energy& energy = population.energies[static_cast<std::size_t>(i)];
      if (!energy.possible()) continue;
      pooled.positions.push_back(population.positions.col(i).data());
      pooled.energies.push_back(energy);
    }
    pooled.chain_begin.push_back(pooled.energies.size());
    pooled.chain_levels.push_back(static_cast<Index>(level));
    pooled.parents.push_back(level > 0 ? population.parents[static_cast<std::size_t>(c)] : 0);
  }
}

PooledLevels pool(const AnnealResult& run) {
  PooledLevels pooled;
  double log_normaliser = 0.0;
  std::size_t num_states = 0;
  for (std::size_t k = 0; k < run.levels.size() && run.levels[k].beta <= 1.0; ++k) {
    log_normaliser += run.levels[k].log_mean_weight;
    pooled.betas.push_back(run.levels[k].beta);
    pooled.log_sizes.push_back(std::log(static_cast<double>(run.populations[k]->size())));
    pooled.log_normalisers.push_back(log_normaliser);
    num_states += run.populations[k]->energies.size();
  }
  pooled.positions.reserve(num_states);
  pooled.energies.reserve(num_states);
  for (Index g = 0; g < run.final().num_groups(); ++g) {
    for (std::size_t k = 0; k < pooled.betas.size(); ++k) add_chains(pooled, *run.populations[k], k, g);
    pooled.group_begin.push_back(static_cast<Index>(pooled.chain_begin.size()) - 1);
  }
  return pooled;
}

constexpr Index kStretch = 2048;  // states that are taken together, whoever takes them

// Column i holds N_k exp(-beta_k E1_i) / Z_k of state i for every level k, up to a factor of the state's own: E0 and
// that factor cancel from all that follows. The Z_k are those of the levels' mean weights; iterations correct them by
// factors, so that each exponential is taken once.
struct LevelTerms {
  Matrix terms;                     // (levels, states)
  std::vector<double> log_factors;  // of each state, without E0
};

LevelTerms level_terms(const PooledLevels& pooled, Executor* executor) {
  const auto num_levels = static_cast<Index>(pooled.betas.size());
  const Eigen::Map<const Vector> betas(pooled.betas.data(), num_levels);
  const Vector offsets = Eigen::Map<const Vector>(pooled.log_sizes.data(), num_levels) -
                         Eigen::Map<const Vector>(pooled.log_normalisers.data(), num_levels);
  LevelTerms table{Matrix(num_levels, static_cast<Index>(pooled.energies.size())),
                   std::vector<double>(pooled.energies.size())};
  for_each_stretch(executor, table.terms.cols(), kStretch, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto column = table.terms.col(i);
      column = offsets - pooled.energies[static_cast<std::size_t>(i)].tempered * betas;
      const double largest = column.maxCoeff();
      for (double& term : column) term = std::exp(term - largest);
      table.log_factors[static_cast<std::size_t>(i)] = largest;
    }
  });
  return table;
}

// Ten MBAR iterations: of each level, by what its Z was wrong.
Vector mbar_corrections(const PooledLevels& pooled, const Matrix& terms, Executor* executor) {
  constexpr int kIterations = 10;
  const Vector log_sizes = Eigen::Map<const Vector>(pooled.log_sizes.data(), terms.rows());
  Vector corrections = Vector::Ones(terms.rows());
  Matrix sums_of(terms.rows(), (terms.cols() + kStretch - 1) / kStretch);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Vector reciprocals = corrections.cwiseInverse();
    for_each_stretch(executor, terms.cols(), kStretch, [&](Index begin, Index end) {
      Vector sums = Vector::Zero(terms.rows());
      for (Index i = begin; i < end; ++i) sums += terms.col(i) / terms.col(i).dot(reciprocals);
      sums_of.col(begin / kStretch) = sums;
    });
    corrections = sums_of.rowwise().sum().array() / log_sizes.array().exp();
    corrections[0] = 1.0;  // level 0 is normalised by construction and anchors the others
  }
  return corrections;
}

// log of exp(-H) / sum_k N_k exp(-E0 - beta_k E1) / Z_k.
std::vector<double> log_weights_of(const PooledLevels& pooled, Executor* executor) {
  const LevelTerms table = level_terms(pooled, executor);
  const Vector reciprocals = mbar_corrections(pooled, table.terms, executor).cwiseInverse();
  std::vector<double> log_weights(pooled.energies.size());
  for_each_stretch(executor, table.terms.cols(), kStretch, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const double density = table.terms.col(static_cast<Index>(i)).dot(reciprocals);
      log_weights[i] = -pooled.energies[i].tempered - table.log_factors[i] - std::log(density);
    }
  });
  return log_weights;
}

constexpr double kNegligible = 1e-6;  // weight of all states that are left out

}  // namespace

RecycledSample recycle(const AnnealResult& run, Executor* executor) {
  const PooledLevels pooled = pool(run);
  const std::vector<double> log_weights = log_weights_of(pooled, executor);
  const double log_sum = log_sum_exp(log_weights);

  RecycledSample sample;
  sample.log_evidence = log_sum;
  sample.group_begin = pooled.group_begin;
  sample.parents = pooled.parents;
  sample.chain_levels = pooled.chain_levels;
  sample.chain_begin = {0};
  std::vector<std::size_t> kept;
  kept.reserve(log_weights.size());
  const double log_least = log_sum + std::log(kNegligible / static_cast<double>(log_weights.size()));
  for (std::size_t c = 0; c + 1 < pooled.chain_begin.size(); ++c) {
    for (std::size_t i = pooled.chain_begin[c]; i < pooled.chain_begin[c + 1]; ++i) {
      if (log_weights[i] > log_least) kept.push_back(i);
    }
    sample.chain_begin.push_back(static_cast<Index>(kept.size()));
  }
  const Index dim = run.final().positions.rows();
  sample.positions.resize(dim, static_cast<Index>(kept.size()));
  sample.weights.resize(static_cast<Index>(kept.size()));
  sample.energies.reserve(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto column = static_cast<Index>(i);
    sample.positions.col(column) = Eigen::Map<const Vector>(pooled.positions[kept[i]], dim);
    sample.energies.push_back(pooled.energies[kept[i]]);
    sample.weights[column] = std::exp(log_weights[kept[i]] - log_sum);
  }
  sample.weights /= sample.weights.sum();
  return sample;
}

WeightedPopulation equally_weighted(Population population) {
  const Index size = population.size();
  const auto num_chains = static_cast<std::size_t>(population.num_chains());
  return {std::move(population), Vector::Constant(size, 1.0 / static_cast<double>(size)),
          std::vector<Index>(num_chains, 0)};
}

Population in_batches(Population population) {
  std::vector<Index> chain_begin, group_begin;
  for (Index c = 0; c < population.num_chains(); ++c) {
    group_begin.push_back(static_cast<Index>(chain_begin.size()));
    const Index begin = population.chain_begin[static_cast<std::size_t>(c)];
    const Index length = population.chain_begin[static_cast<std::size_t>(c) + 1] - begin;
    const auto num_batches = static_cast<Index>(std::cbrt(static_cast<double>(length)));
    for (Index b = 0; b < num_batches; ++b) chain_begin.push_back(begin + b * length / num_batches);
  }
  group_begin.push_back(static_cast<Index>(chain_begin.size()));
  chain_begin.push_back(population.size());
  population.chain_begin = std::move(chain_begin);
  population.group_begin = std::move(group_begin);
  population.parents.clear();
  return population;
}

SamplerResult annealed_run(AnnealResult result, bool all_levels, Index num_samples, Executor& executor) {
  SamplerResult run;
  run.states = all_levels ? recycle(result, &executor) : equally_weighted(result.final());
  run.num_draws = std::max(num_samples, result.final().size());
  run.evidence = {result.log_evidence, result.log_evidence_error, result.group_log_evidences()};
  run.levels = std::move(result.levels);
  return run;
}

}  // namespace ta2s2
