#include "ta2s2/smc/mixture_fit.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/detail/em_pass.hpp"
#include "ta2s2/smc/growth.hpp"

namespace ta2s2 {
namespace {

constexpr int kMaxIterations = 25;
constexpr double kTolerance = 0.01;  // EM ends when an iteration gains less than this part of a component's price
constexpr int kSplits = 2;           // ways to split a component that are tried
constexpr int kTrialIterations = 4;  // after which the best of them goes on alone
// BIC may pass a bump before it falls again: give up after this many components without a gain. A level has the next
// one to try again.
constexpr int kPatience = 2, kPatienceOfALevel = 1;

using Components = std::vector<TComponent>;

struct SampleSizes {
  double effective;    // by the points' weights; BIC's
  double independent;  // as their chains show
};

// No more than there are points to fit, else the mixture would learn which ones were taken.
SampleSizes sample_sizes(const Vector& weights, const MixtureFitOptions& options) {
  const double of_weights = options.num_effective > 0.0 ? options.num_effective : 1.0 / weights.squaredNorm();
  const double effective = std::min(of_weights, static_cast<double>(kMostFittedPoints));
  return {effective, options.num_independent > 0.0 ? std::min(options.num_independent, effective) : effective};
}

// Points of the level in coordinates where their weighted covariance is the identity: distances and the ridge then mean
// the same in every direction.
struct WhitenedPoints {
  Vector mean;
  Matrix factor;
  Matrix points;  // (d, n)
  Vector weights;
  SampleSizes sizes;
  detail::EmPoints em = {};
  InstructionSet simd = InstructionSet::plain;
  Executor* executor = nullptr;
  int freedom = kMixtureFreedom;
};

WhitenedPoints whiten(const Matrix& points, const Vector& weights, const SampleSizes& sizes) {
  const WeightedMoments moments = weighted_moments(points, weights);
  WhitenedPoints whitened{moments.mean, regularised_factor(moments.covariance), points, weights, sizes};
  whitened.points.colwise() -= moments.mean;
  whitened.factor.triangularView<Eigen::Lower>().solveInPlace(whitened.points);
  whitened.em = detail::EmPoints(whitened.points, weights);
  return whitened;
}

// Of too many points as many as are allowed, by systematic resampling.
WhitenedPoints whiten_at_most(const Matrix& points, const Vector& weights, const SampleSizes& sizes, Stream& stream) {
  if (points.cols() <= kMostFittedPoints) return whiten(points, weights, sizes);
  const Matrix chosen = points(Eigen::all, systematic_resample(weights, kMostFittedPoints, stream));
  return whiten(chosen, Vector::Constant(kMostFittedPoints, 1.0 / kMostFittedPoints), sizes);
}

void normalise_weights(Components& components) {
  double total = 0.0;
  for (const TComponent& component : components) total += component.weight;
  for (TComponent& component : components) component.weight /= total;
}

// M step of a t mixture with fixed nu (Peel and McLachlan 2000). Dividing by the sum of the precisions, which at the
// maximum is the weight, takes a fraction of the iterations (Kent, Tyler and Vardi 1994). A component that holds fewer
// than d + 2 effective points is dropped: its covariance would be a guess. Those that hold few lean on the mean of all:
// the states of one chain lie close together, and a component that shrank onto them would promise too much.
Components maximise(const Components& before, const std::vector<detail::ComponentSums>& sums,
                    const WhitenedPoints& data) {
  constexpr double kRidge = 1e-4;  // of the level's own variance: keeps a component from collapsing onto one marker
  const Index d = before.front().mean.size();
  const double least_points = static_cast<double>(d) + 2.0;
  Components components;
  for (std::size_t c = 0; c < before.size(); ++c) {
    const detail::ComponentSums& of = sums[c];
    if (of.held * data.sizes.effective < least_points) continue;
    const Vector shift = of.first / of.precise;
    Matrix covariance = of.second.selfadjointView<Eigen::Lower>();
    covariance = covariance / of.precise - shift * shift.transpose();
    covariance.diagonal().array() += kRidge;
    components.push_back({of.held, before[c].mean + shift, covariance});
  }
  normalise_weights(components);
  Matrix pooled = Matrix::Zero(d, d);
  for (const TComponent& component : components) pooled += component.weight * component.factor;
  for (TComponent& component : components) {
    const double num_own = component.weight * data.sizes.independent;
    const double own = num_own / (num_own + least_points);
    component.factor = regularised_factor(own * component.factor + (1.0 - own) * pooled);
  }
  return components;
}

struct Fit {
  Components components;
  double mean_log_density = -kInfinity;
};

// BIC per effective point: the mean log density less the price of all components.
double price_of_component(const WhitenedPoints& data) {
  const auto d = static_cast<double>(data.points.rows());
  return 0.5 * std::log(data.sizes.effective) / data.sizes.effective * (1.0 + d + 0.5 * d * (d + 1.0));
}
double price(const Fit& fit, const WhitenedPoints& data) {
  return static_cast<double>(fit.components.size()) * price_of_component(data);
}
double worth(const Fit& fit, const WhitenedPoints& data) {
  return fit.mean_log_density - price(fit, data);
}

// At most `iterations` passes; fewer where the last one's gain, again and again, would not come to `wanted`.
void improve(Fit& fit, const WhitenedPoints& data, int iterations, double wanted = -kInfinity) {
  for (int i = 0; i < iterations; ++i) {
    const detail::EmPass pass = detail::em_pass(data.em, fit.components, data.simd, data.executor, data.freedom);
    const double gain = pass.mean_log_density - fit.mean_log_density;
    fit.mean_log_density = pass.mean_log_density;
    const bool is_hopeless = fit.mean_log_density + gain * (iterations - i) < wanted;
    if (i > 1 && (gain < kTolerance * price_of_component(data) || is_hopeless)) return;
    Components next = maximise(fit.components, pass.sums, data);
    if (next.empty()) return;
    fit.components = std::move(next);
  }
}

Components one_component(Index d) {
  return {{1.0, Vector::Zero(d), Matrix::Identity(d, d)}};
}

Components whiten(const ProposalMixture& mixture, const WhitenedPoints& data) {
  Components whitened = mixture.components();
  for (TComponent& component : whitened) {
    component.mean = data.factor.triangularView<Eigen::Lower>().solve(component.mean - data.mean);
    data.factor.triangularView<Eigen::Lower>().solveInPlace(component.factor);
  }
  return whitened;
}

// A component gives way to two, on either side of its mean towards a point of its own. Which one, and where: a few
// points are looked at, and one is taken by its squared distance, as k-means++ does (Arthur and Vassilvitskii 2007).
Components split_one(const Components& components, const WhitenedPoints& data, Stream& stream) {
  constexpr Index kCandidates = 32;
  const ProposalMixture mixture(components);
  const std::vector<Index> candidates = systematic_resample(data.weights, kCandidates, stream);
  std::vector<double> chances;
  for (const Index candidate : candidates) {
    const MixturePoint point = mixture.at(data.points.col(candidate));
    for (std::size_t c = 0; c < components.size(); ++c) {
      chances.push_back(point.share_of[c] * point.squared_distance_to[c]);
    }
  }
  const auto drawn = static_cast<std::size_t>(draw_categorical(stream, chances));
  const std::size_t c = drawn % components.size();
  const Vector towards = 0.5 * (data.points.col(candidates[drawn / components.size()]) - components[c].mean);
  Components split = components;
  split[c].weight *= 0.5;
  split[c].factor *= std::pow(0.5, 1.0 / static_cast<double>(data.points.rows()));
  split.push_back(split[c]);
  split[c].mean += towards;
  split.back().mean -= towards;
  return split;
}

// Of a few ways to split the one that soon fits best; it goes on if it may yet be worth its parameters.
Fit best_split(const Fit& fit, const WhitenedPoints& data, Stream& stream) {
  Fit best;
  for (int i = 0; i < kSplits; ++i) {
    Fit trial{split_one(fit.components, data, stream)};
    improve(trial, data, kTrialIterations);
    if (trial.mean_log_density > best.mean_log_density) best = std::move(trial);
  }
  improve(best, data, kMaxIterations, worth(fit, data) + price(best, data));
  return best;
}

double log_determinant(const Matrix& factor) {
  return 2.0 * factor.diagonal().array().log().sum();
}

// Two components as one with their common mean and scale.
TComponent merged(const TComponent& a, const TComponent& b) {
  const double weight = a.weight + b.weight;
  const Vector between = b.mean - a.mean;
  const double share = b.weight / weight;
  const Matrix scale = (1.0 - share) * a.factor * a.factor.transpose() + share * b.factor * b.factor.transpose() +
                       share * (1.0 - share) * between * between.transpose();
  return {weight, a.mean + share * between, regularised_factor(scale)};
}

// The pair whose union loses least (Runnalls 2007) becomes one.
Components merge_two(const Components& components) {
  Components best;
  double least_loss = kInfinity;
  for (std::size_t a = 0; a < components.size(); ++a) {
    for (std::size_t b = a + 1; b < components.size(); ++b) {
      const TComponent both = merged(components[a], components[b]);
      const double loss = both.weight * log_determinant(both.factor) -
                          components[a].weight * log_determinant(components[a].factor) -
                          components[b].weight * log_determinant(components[b].factor);
      if (loss >= least_loss && !best.empty()) continue;
      least_loss = loss;
      best = components;
      best[a] = both;
      best.erase(best.begin() + static_cast<std::ptrdiff_t>(b));
    }
  }
  return best;
}

Fit best_merger(const Fit& fit, const WhitenedPoints& data) {
  Fit fewer{merge_two(fit.components)};
  improve(fewer, data, kMaxIterations);
  return fewer;
}

// More components while BIC gains.
Fit grow(const Fit& start, const WhitenedPoints& data, std::size_t max_components, int patience, Stream& stream) {
  Fit best = start, last = start;
  for (int without_gain = 0; without_gain < patience && last.components.size() < max_components;) {
    last = best_split(last, data, stream);
    const bool gains = worth(last, data) > worth(best, data);
    without_gain = gains ? 0 : without_gain + 1;
    if (gains) best = last;
  }
  return best;
}

// Fewer components while BIC gains.
Fit shrink(Fit best, const WhitenedPoints& data) {
  while (best.components.size() > 1) {
    Fit fewer = best_merger(best, data);
    if (worth(fewer, data) <= worth(best, data)) break;
    best = std::move(fewer);
  }
  return best;
}

ProposalMixture unwhiten(const Components& components, const WhitenedPoints& data) {
  Components original = components;
  for (TComponent& component : original) {
    component.mean = data.mean + data.factor * component.mean;
    component.factor = data.factor.triangularView<Eigen::Lower>() * component.factor;
  }
  return ProposalMixture(std::move(original), data.freedom);
}

}  // namespace

ProposalMixture fit_proposal_mixture(const Matrix& points, const Vector& weights, const MixtureFitOptions& options,
                                     Stream& stream) {
  WhitenedPoints data = whiten_at_most(points, weights, sample_sizes(weights, options), stream);
  data.simd = options.simd;
  data.executor = options.executor;
  data.freedom = options.freedom;
  const ProposalMixture& start = options.start;
  Fit fit{start.components().empty() ? one_component(points.rows()) : whiten(start, data)};
  improve(fit, data, kMaxIterations);
  const std::size_t before = fit.components.size();
  const int patience = start.components().empty() ? kPatience : kPatienceOfALevel;
  fit = grow(fit, data, static_cast<std::size_t>(options.max_components), patience, stream);
  if (fit.components.size() == before) fit = shrink(std::move(fit), data);
  return unwhiten(fit.components, data);
}

}  // namespace ta2s2
