#include "ta2s2/smc/level_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/mixture_fit.hpp"
#include "ta2s2/smc/move.hpp"

namespace ta2s2 {
namespace {

int max_components(Index dim) {
  return dim > 3 ? 6 : 8;
}

std::vector<Index> order_by_energy(const Population& markers, double beta) {
  std::vector<Index> order(static_cast<std::size_t>(markers.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return markers.energies[static_cast<std::size_t>(a)].at(beta) <
           markers.energies[static_cast<std::size_t>(b)].at(beta);
  });
  return order;
}

// As many independent points as would leave the weighted mean with the scatter that whole chains show: states of one
// chain resemble each other, and those of a chain that did not move are the same.
double independent_number(const Population& markers, const Vector& weights, const Vector& mean, const Matrix& factor) {
  double scatter = 0.0;
  for (Index c = 0; c < markers.num_chains(); ++c) {
    const Index begin = markers.chain_begin[static_cast<std::size_t>(c)];
    const Index length = markers.chain_begin[static_cast<std::size_t>(c) + 1] - begin;
    const auto own = weights.segment(begin, length);
    const Vector excess = markers.positions.middleCols(begin, length) * own - own.sum() * mean;
    scatter += factor.triangularView<Eigen::Lower>().solve(excess).squaredNorm();
  }
  return static_cast<double>(mean.size()) / scatter;
}

// Points without weight tell the mixture nothing and would cost as much as the others, and so would a state that is
// there several times.
struct FittedMarkers {
  std::vector<Index> indices;
  std::vector<double> weights;
};

FittedMarkers markers_to_fit(const Population& markers, const Vector& weights) {
  const double negligible = 1e-4 / static_cast<double>(weights.size());
  FittedMarkers fitted;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] <= negligible) continue;
    if (!fitted.indices.empty() && markers.positions.col(i) == markers.positions.col(fitted.indices.back())) {
      fitted.weights.back() += weights[i];
    } else {
      fitted.indices.push_back(i);
      fitted.weights.push_back(weights[i]);
    }
  }
  return fitted;
}

ProposalMixture fit_to_markers(const Population& markers, const Vector& weights, const MixtureFitOptions& options,
                               Stream& stream) {
  const FittedMarkers fitted = markers_to_fit(markers, weights);
  const auto count = static_cast<Index>(fitted.weights.size());
  const Eigen::Map<const Vector> fitted_weights(fitted.weights.data(), count);
  return fit_proposal_mixture(markers.positions(Eigen::all, fitted.indices), fitted_weights / fitted_weights.sum(),
                              options, stream);
}

}  // namespace

MarkerMixture mix_markers(const Population& markers, const Vector& weights, const Matrix& factor, double beta) {
  const FittedMarkers kept = markers_to_fit(markers, weights);
  std::vector<Marker> mixed;
  double squares = 0.0;
  for (std::size_t k = 0; k < kept.indices.size(); ++k) {
    const Index i = kept.indices[k];
    mixed.push_back(
        {markers.positions.col(i), kept.weights[k], markers.energies[static_cast<std::size_t>(i)].at(beta)});
    squares += kept.weights[k] * kept.weights[k];
  }
  const auto d = static_cast<double>(factor.rows());
  const double spread = proposal_spread(factor.rows()) * std::pow(squares, 1.0 / (d + 4.0));
  return MarkerMixture(mixed, factor, spread);
}

LevelPlan plan_level(const LevelStart& start, std::shared_ptr<const Population> markers, const LogWeights& weights,
                     const Move& kernel, const AnnealOptions& options, Executor* executor) {
  const auto stream_for = [&](Purpose purpose) {
    return Stream({options.seed, purpose, static_cast<std::uint64_t>(start.level), 0, 0});
  };
  const Index dim = markers->positions.rows();
  const Vector& w = weights.normalised();
  const Index chain_length =
      options.chain_length > 0 ? options.chain_length : default_chain_length(dim, options.num_samples);

  LevelPlan plan;
  plan.level = start.level;
  plan.beta = start.beta;
  plan.walk_scale = start.walk_scale;
  const WeightedMoments moments = weighted_moments(markers->positions, w);
  plan.covariance_factor = regularised_factor(moments.covariance);
  if (kernel.needs_mixture()) {
    Stream stream = stream_for(Purpose::mixture_fit);
    const double num_independent = independent_number(*markers, w, moments.mean, plan.covariance_factor);
    plan.mixture = fit_to_markers(
        *markers, w,
        {max_components(dim), weights.effective_sample_size(), num_independent, start.mixture, options.simd, executor},
        stream);
  }
  if (kernel.needs_marker_mixture()) {
    plan.marker_mixture = mix_markers(*markers, w, plan.covariance_factor, plan.beta);
  }
  if (kernel.needs_markers()) plan.markers_by_energy = order_by_energy(*markers, start.beta);
  Stream stream = stream_for(Purpose::resample);
  plan.chains = grow_in_groups(options.growth, w, *markers, options.num_samples, chain_length, stream);
  plan.markers = std::move(markers);
  return plan;
}

double adapt_walk_scale(double scale, double acceptance, Index dim) {
  const double target = dim <= 3 ? 0.35 : 0.25;
  constexpr double kGain = 2.0;  // one level corrects an acceptance that is off by 0.35 with a factor of two
  return std::clamp(scale * std::exp(kGain * (acceptance - target)), 0.02, 5.0);
}

double adapt_walk_scale(double scale, const Move& kernel, const std::vector<PartTally>& parts, Index dim) {
  const int part = kernel.walk_part();
  return part < 0 ? scale : adapt_walk_scale(scale, parts[static_cast<std::size_t>(part)].acceptance(), dim);
}

namespace {

void put(Payload& payload, const Matrix& matrix) {
  payload.insert(payload.end(), matrix.data(), matrix.data() + matrix.size());
}

void put(Payload& payload, const std::vector<Index>& indices) {
  payload.push_back(static_cast<double>(indices.size()));
  payload.insert(payload.end(), indices.begin(), indices.end());
}

Payload pack(const LevelPlan& plan) {
  Payload payload = {plan.beta, plan.walk_scale, static_cast<double>(plan.mixture.freedom()),
                     static_cast<double>(plan.mixture.components().size())};
  put(payload, plan.covariance_factor);
  for (const TComponent& component : plan.mixture.components()) {
    payload.push_back(component.weight);
    put(payload, component.mean);
    put(payload, component.factor);
  }
  put(payload, plan.markers_by_energy);
  put(payload, plan.chains.starts);
  put(payload, plan.chains.lengths);
  put(payload, plan.chains.group_begin);
  return payload;
}

class Reader {
 public:
  explicit Reader(const Payload& payload) : next_(payload.data()) {}

  double number() { return *next_++; }
  Matrix matrix(Index rows, Index columns) {
    const Matrix matrix = Eigen::Map<const Matrix>(next_, rows, columns);
    next_ += matrix.size();
    return matrix;
  }
  std::vector<Index> indices() {
    std::vector<Index> indices(static_cast<std::size_t>(number()));
    for (Index& index : indices) index = static_cast<Index>(number());
    return indices;
  }

 private:
  const double* next_;
};

void unpack(const Payload& payload, LevelPlan& plan) {
  Reader reader(payload);
  const Index dim = plan.dim();
  plan.beta = reader.number();
  plan.walk_scale = reader.number();
  const int freedom = static_cast<int>(reader.number());
  std::vector<TComponent> components(static_cast<std::size_t>(reader.number()));
  plan.covariance_factor = reader.matrix(dim, dim);
  for (TComponent& component : components) {
    component.weight = reader.number();
    component.mean = reader.matrix(dim, 1);
    component.factor = reader.matrix(dim, dim);
  }
  plan.mixture = components.empty() ? ProposalMixture() : ProposalMixture(std::move(components), freedom);
  plan.markers_by_energy = reader.indices();
  plan.chains = {reader.indices(), reader.indices(), reader.indices()};
}

}  // namespace

LevelPlan agreed_plan(LevelPlan plan, Executor& executor) {
  unpack(executor.agree(pack(plan)), plan);
  return plan;
}

}  // namespace ta2s2
