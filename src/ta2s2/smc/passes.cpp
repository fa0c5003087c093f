#include "ta2s2/smc/passes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/error.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/draw_lineage.hpp"
#include "ta2s2/smc/mixture_fit.hpp"
#include "ta2s2/smc/mode_search.hpp"
#include "ta2s2/smc/tempering.hpp"

namespace ta2s2 {
namespace {

constexpr const char* kScout = "scout";
constexpr Index kLevelsOfARun = 1000;   // numbers that the levels of a scout or a pass may take in streams' names
constexpr double kStartShare = 0.05;    // of the start density in a reference
constexpr double kWiden = 1.05;         // of a reference's covariances
constexpr double kNewModeShare = 0.25;  // of a reference, for all modes that its mixture lacks
constexpr int kMostComponents = 4;
constexpr Index kStartSearches = 32;  // from draws of the start law
constexpr Index kScoutLevels = 8;     // from whose states modes are searched for
constexpr double kLinearSds = 6.0;    // a coordinate farther than this from both walls is linear

struct Limits {
  static constexpr double evidence = 0.3, evidence_errors = 3.0;
  static constexpr double mean = 0.2, log_sd = 0.2, errors = 4.0;  // in sds, and in logarithms
  static constexpr double drift = 3.5;
  static constexpr double least_share_of_draws = 0.6;
  static constexpr double log_sd_error = 0.12;
  static constexpr double tail_index = 0.87;
};

// One pass, as its weighted states tell it.
struct PassResult {
  TemperingResult levels;
  RecycledSample states;  // in the coordinates of the space
  std::vector<Index> roots;
  LineageMoments moments, in_box;
  double tail_index = 0.0;
  double log_evidence = 0.0, log_evidence_error = 0.0;

  double effective_sample_size() const {
    return std::min(moments.effective_sample_size(), in_box.effective_sample_size());
  }
  double log_sd_error() const { return std::max(moments.log_sd_error.maxCoeff(), in_box.log_sd_error.maxCoeff()); }
};

double larger(double limit, double errors, double first, double second) {
  return std::max(limit, errors * std::hypot(first, second));
}

// In the worst coordinate, relative to what is allowed.
double mean_difference(const LineageMoments& a, const LineageMoments& b) {
  double worst = 0.0;
  for (Index k = 0; k < a.mean.size(); ++k) {
    const double sd = std::max({a.sd[k], b.sd[k], 1e-300});
    const double allowed = larger(Limits::mean, Limits::errors, a.mean_error[k] / sd, b.mean_error[k] / sd);
    worst = std::max(worst, std::abs(a.mean[k] - b.mean[k]) / sd / allowed);
  }
  return worst;
}
double sd_difference(const LineageMoments& a, const LineageMoments& b) {
  double worst = 0.0;
  for (Index k = 0; k < a.mean.size(); ++k) {
    const double allowed = larger(Limits::log_sd, Limits::errors, a.log_sd_error[k], b.log_sd_error[k]);
    const double difference = std::log(std::max(a.sd[k], 1e-300)) - std::log(std::max(b.sd[k], 1e-300));
    worst = std::max(worst, std::abs(difference) / allowed);
  }
  return worst;
}

// Hill's index of the squared distances from the median, of the top 5% by weight, in the worst coordinate.
double tail_index(const Matrix& values, const Vector& weights) {
  constexpr double kShare = 0.05;
  double worst = 0.0;
  std::vector<Index> order(static_cast<std::size_t>(values.cols()));
  for (Index k = 0; k < values.rows(); ++k) {
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values(k, a) < values(k, b); });
    double below = 0.0, median = values(k, order.back());
    for (const Index i : order) {
      below += weights[i];
      if (below >= 0.5) {
        median = values(k, i);
        break;
      }
    }
    const auto distance = [&](Index i) { return std::abs(values(k, i) - median); };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return distance(a) > distance(b); });
    double above = 0.0, sum = 0.0;
    std::size_t j = 0;
    for (; j < order.size() && above < kShare; ++j) above += weights[order[j]];
    const double threshold = j < order.size() ? distance(order[j]) : 0.0;
    if (!(threshold > 0.0)) continue;
    for (std::size_t i = 0; i < j; ++i) sum += weights[order[i]] * 2.0 * std::log(distance(order[i]) / threshold);
    worst = std::max(worst, sum / above);
  }
  return worst;
}

Matrix positions_with_density(const Population& population) {
  std::vector<Index> possible;
  for (Index i = 0; i < population.size(); ++i) {
    if (population.energies[static_cast<std::size_t>(i)].possible()) possible.push_back(i);
  }
  return population.positions(Eigen::all, possible);
}

// What a run has found so far, and how it goes on.
class PassRun {
 public:
  PassRun(const TargetDensity& target, const PassOptions& options, Execution context)
      : target_(target), options_(options), context_(context) {}

  SamplerResult run(const NearbyDraws* nearby) {
    nearby != nullptr ? start_from(*nearby) : scout();
    std::vector<PassResult> passes;
    PassReport report;
    for (Index k = 0; k < options_.most_passes; ++k) {
      passes.push_back(pass(k));
      if (passes.size() > 2) passes.erase(passes.begin());
      report.passes.push_back(summary_of(passes.back()));
      report.agreement = agreement_of(passes);
      if (k > 0 && is_settled(report)) break;
      if (evaluations_ >= options_.most_evaluations) break;
      if (k + 1 < options_.most_passes) fit_reference(passes.back(), k == 0 ? modes_ : std::vector<LaplaceMode>{});
      if (k > 0) effort_ *= 1.5;
    }
    return result_of(std::move(passes), std::move(report));
  }

 private:
  Executor& executor() { return context_.executor; }
  bool has_gradient() const { return space_->has_gradient(); }
  Index dim() const { return space_->dim(); }

  // ---- finding the place ----

  void scout() {
    const std::vector<bool> all_linear(static_cast<std::size_t>(target_.dim()), true);
    const SamplingSpace box(target_, all_linear);
    space_.emplace(target_, std::vector<bool>(static_cast<std::size_t>(target_.dim()), false));
    if (!has_gradient()) return scout_without_gradient();
    search_from_start_law();
    const TemperingResult found = scout_levels(box);
    choose_coordinates(found.final().positions, Vector::Constant(found.final().size(), 1.0), box);
    std::vector<Matrix> levels;
    for (const auto& population : found.populations) {
      levels.push_back(space_->from_box(box.to_box(positions_with_density(*population))));
    }
    const Matrix& last = levels.back();
    const Vector equal = Vector::Constant(last.cols(), 1.0 / static_cast<double>(last.cols()));
    hunt(levels);
    count_searches(levels_.back());
    step_ = found.step;
    fit_reference(last, equal, modes_);
  }

  TemperingResult scout_levels(const SamplingSpace& box) {
    TemperingOptions options;
    options.stage = kScout;
    options.num_chains = 48;
    options.chain_length = 3;
    options.num_start = 3 * options.num_chains;
    options.ess_target = 0.5;
    options.most_leapfrogs = 8;
    options.seed = options_.seed;
    options.simd = options_.simd;
    TemperingResult found = temper(box, nullptr, options, context_);
    take_levels(found);
    return found;
  }

  // An annealed run of today's exact move; what it says of the evidence is thrown away.
  void scout_without_gradient() {
    AnnealOptions options;
    options.seed = options_.seed;
    options.simd = options_.simd;
    const AnnealResult found = anneal(target_, options, context_);
    for (const LevelSummary& level : found.levels) evaluations_ += level.evaluations;
    levels_ = found.levels;
    for (LevelSummary& level : levels_) level.stage = kScout;
    const std::vector<bool> all_linear(static_cast<std::size_t>(target_.dim()), true);
    const Matrix last = positions_with_density(found.final());
    const Vector equal = Vector::Constant(last.cols(), 1.0 / static_cast<double>(last.cols()));
    choose_coordinates(last, equal, SamplingSpace(target_, all_linear));
    fit_reference(space_->from_box(last), equal, {});
  }

  void start_from(const NearbyDraws& nearby) {
    const std::vector<bool> all_linear(static_cast<std::size_t>(target_.dim()), true);
    choose_coordinates(nearby.positions, nearby.weights, SamplingSpace(target_, all_linear));
    fit_reference(space_->from_box(nearby.positions), nearby.weights, {});
  }

  void take_levels(const TemperingResult& found) {
    for (const LevelSummary& level : found.levels) {
      evaluations_ += level.evaluations;
      levels_.push_back(level);
    }
  }

  void search_from_start_law() {
    Matrix starts(dim(), kStartSearches + options_.starts.cols());
    starts.rightCols(options_.starts.cols()) = space_->from_box(options_.starts);
    for (Index i = 0; i < kStartSearches; ++i) {
      Stream stream({options_.seed, Purpose::mode_search, 0, static_cast<std::uint64_t>(i), 0});
      starts.col(i) = space_->draw_start(stream);
    }
    search(starts, Matrix(space_->scales().cwiseAbs2().asDiagonal()));
  }

  void search(const Matrix& starts, const Matrix& covariance) {
    ModeSearch search{*space_, executor()};
    search.add_modes(modes_, starts, covariance);
    search_gradients_ += search.gradients;
    evaluations_ += search.gradients;
  }

  // They are of the scout, and it has no other place for them.
  void count_searches(LevelSummary& level) const {
    level.evaluations += search_gradients_;
    level.gradients += search_gradients_;
    level.impossible[static_cast<std::size_t>(Impossible::no)] += search_gradients_;
  }

  // Linear where the states keep far from both walls, else a score.
  void choose_coordinates(const Matrix& states, const Vector& weights, const SamplingSpace& box) {
    const WeightedMoments moments = weighted_moments(states, weights / weights.sum());
    std::vector<bool> is_linear;
    for (Index k = 0; k < target_.dim(); ++k) {
      const double reach = kLinearSds * std::sqrt(moments.covariance(k, k));
      is_linear.push_back(moments.mean[k] - box.law().low[k] > reach && box.law().high[k] - moments.mean[k] > reach);
    }
    SamplingSpace chosen(target_, is_linear);
    for (LaplaceMode& mode : modes_) {
      const Vector position = chosen.from_box(space_->to_box(mode.position));
      const double energy = energies_of(chosen, position, executor()).front().total();
      mode = in_space(mode, *space_, chosen, energy);
    }
    space_.reset();
    space_.emplace(target_, std::move(is_linear));
  }

  // From hot and cold states of the scout, some at random, some of those farthest from the last level.
  void hunt(const std::vector<Matrix>& levels) {
    const Matrix& last = levels.back();
    const Vector equal = Vector::Constant(last.cols(), 1.0 / static_cast<double>(last.cols()));
    const WeightedMoments moments = weighted_moments(last, equal);
    const Matrix factor = regularised_factor(moments.covariance);
    const Index per_level = options_.num_hunted / kScoutLevels;
    std::vector<Vector> starts;
    const auto count = static_cast<Index>(levels.size());
    for (Index j = 0; j < std::min(count, kScoutLevels); ++j) {
      const Index k = count <= kScoutLevels ? j : j * (count - 1) / (kScoutLevels - 1);
      const Matrix& states = levels[static_cast<std::size_t>(k)];
      add_random_states(states, per_level, k, starts);
      if (k > 0 && k + 1 < count) add_far_states(states, per_level, moments.mean, factor, starts);
    }
    Matrix points(dim(), static_cast<Index>(starts.size()));
    for (std::size_t i = 0; i < starts.size(); ++i) points.col(static_cast<Index>(i)) = starts[i];
    search(points, factor * factor.transpose());
  }

  // Each at most once, and most from level 0: its states are spread over the box, where a narrow mode's basin is
  // largest.
  void add_random_states(const Matrix& states, Index count, Index level, std::vector<Vector>& starts) const {
    Stream stream({options_.seed, Purpose::mode_search, static_cast<std::uint64_t>(level) + 1, 0, 0});
    std::vector<Index> order(static_cast<std::size_t>(states.cols()));
    std::iota(order.begin(), order.end(), Index{0});
    const auto wanted = static_cast<std::size_t>(level == 0 ? options_.num_hunted : count);
    const std::size_t taken = std::min(order.size(), wanted);
    for (std::size_t i = 0; i < taken; ++i) {
      const Index left = std::ssize(order) - static_cast<Index>(i);
      std::swap(order[i], order[i + static_cast<std::size_t>(draw_index(stream, left))]);
      starts.push_back(states.col(order[i]));
    }
  }

  static void add_far_states(const Matrix& states, Index count, const Vector& mean, const Matrix& factor,
                             std::vector<Vector>& starts) {
    const Matrix whitened = factor.triangularView<Eigen::Lower>().solve(states.colwise() - mean);
    const Vector distances = whitened.colwise().squaredNorm();
    std::vector<Index> order(static_cast<std::size_t>(states.cols()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return distances[a] > distances[b]; });
    double last = -1.0;
    Index taken = 0;
    for (const Index i : order) {
      if (taken == count) break;
      if (distances[i] == last) continue;  // a chain that did not move
      last = distances[i];
      starts.push_back(states.col(i));
      ++taken;
    }
  }

  // ---- references ----

  void fit_reference(const PassResult& pass, const std::vector<LaplaceMode>& modes) {
    const Matrix states = positions_with_density(pass.levels.final());
    fit_reference(states, Vector::Constant(states.cols(), 1.0 / static_cast<double>(states.cols())), modes,
                  parts_between_chains(pass.levels.final()));
    step_ = pass.levels.step;
  }

  // Where chains keep to one side of a direction and never cross it: the states on either side. Nothing if they cross.
  // In many dimensions EM is slow to find that direction by itself.
  static std::vector<TComponent> parts_between_chains(const Population& population) {
    constexpr double kNeverCrossed = 0.9;  // share of the variance that is between chains
    const Matrix& states = population.positions;
    const auto count = static_cast<double>(states.cols());
    const WeightedMoments moments = weighted_moments(states, Vector::Constant(states.cols(), 1.0 / count));
    const Matrix factor = regularised_factor(moments.covariance);
    const Matrix whitened = factor.triangularView<Eigen::Lower>().solve(states.colwise() - moments.mean);
    Matrix between = Matrix::Zero(states.rows(), states.rows());
    for (Index c = 0; c < population.num_chains(); ++c) {
      const Index begin = population.chain_begin[static_cast<std::size_t>(c)];
      const Index length = population.chain_begin[static_cast<std::size_t>(c) + 1] - begin;
      const Vector mean = whitened.middleCols(begin, length).rowwise().mean();
      between += static_cast<double>(length) / count * mean * mean.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(between);
    if (!(eigen.eigenvalues()[states.rows() - 1] > kNeverCrossed)) return {};
    const Vector sides = whitened.transpose() * eigen.eigenvectors().col(states.rows() - 1);
    std::vector<TComponent> parts;
    for (const double side : {-1.0, 1.0}) {
      const Vector share = (side * sides.array() > 0.0).cast<double>() / count;
      if (share.sum() * count < static_cast<double>(states.rows()) + 2.0) return {};
      const WeightedMoments of_side = weighted_moments(states, share / share.sum());
      parts.push_back({share.sum(), of_side.mean, of_side.covariance});
    }
    const Matrix within = parts[0].weight * parts[0].factor + parts[1].weight * parts[1].factor;
    for (TComponent& part : parts) part.factor = regularised_factor(within);
    return parts;
  }

  // A t mixture, with heavier tails unless lighter ones are clearly likelier, and the modes that it lacks.
  void fit_reference(const Matrix& states, const Vector& weights, const std::vector<LaplaceMode>& modes,
                     const std::vector<TComponent>& parts = {}) {
    constexpr int kHeavy = 3, kLight = 8;
    constexpr double kClearly = 0.02;  // of the mean log density
    ProposalMixture mixture = fit_mixture(states, weights, kHeavy, parts);
    const ProposalMixture light = fit_mixture(states, weights, kLight, parts);
    if (mean_log_density(light, states, weights) > mean_log_density(mixture, states, weights) + kClearly) {
      mixture = light;
    }
    std::vector<TComponent> components = mixture.components();
    std::vector<const LaplaceMode*> lacking;
    const double far = 2.0 * static_cast<double>(dim()) + 10.0;
    for (const LaplaceMode& mode : modes) {
      const MixturePoint point = mixture.at(mode.position);
      const auto nearest = std::min_element(point.squared_distance_to.begin(),
                                            point.squared_distance_to.begin() + std::ptrdiff_t(point.num_components));
      if (*nearest > far) lacking.push_back(&mode);
    }
    if (!lacking.empty()) {
      for (TComponent& component : components) component.weight *= 1.0 - kNewModeShare;
    }
    for (const LaplaceMode* mode : lacking) {
      components.push_back(
          {kNewModeShare / static_cast<double>(lacking.size()), mode->position, regularised_factor(mode->covariance)});
    }
    for (TComponent& component : components) component.factor *= std::sqrt(kWiden);
    set_reference(std::move(components), mixture.freedom());
  }

  // From one component on, or from `parts` if that fits better.
  ProposalMixture fit_mixture(const Matrix& states, const Vector& weights, int freedom,
                              const std::vector<TComponent>& parts) {
    MixtureFitOptions options;
    options.max_components = kMostComponents;
    options.simd = options_.simd;
    options.executor = &executor();
    options.freedom = freedom;
    Stream stream({options_.seed, Purpose::mixture_fit, static_cast<std::uint64_t>(num_references_), 0,
                   static_cast<std::uint64_t>(freedom)});
    ProposalMixture mixture = fit_proposal_mixture(states, weights, options, stream);
    if (parts.empty()) return mixture;
    options.start = ProposalMixture(parts, freedom);
    ProposalMixture other = fit_proposal_mixture(states, weights, options, stream);
    return worth(other, states, weights) > worth(mixture, states, weights) ? other : mixture;
  }

  // By BIC, as the fit itself has it.
  static double worth(const ProposalMixture& mixture, const Matrix& states, const Vector& weights) {
    const auto d = static_cast<double>(states.rows());
    const auto n = static_cast<double>(std::min(states.cols(), kMostFittedPoints));
    const double price = 0.5 * std::log(n) / n * (1.0 + d + 0.5 * d * (d + 1.0));
    return mean_log_density(mixture, states, weights) - price * static_cast<double>(mixture.components().size());
  }

  static double mean_log_density(const ProposalMixture& mixture, const Matrix& states, const Vector& weights) {
    double sum = 0.0;
    for (Index i = 0; i < states.cols(); ++i) sum += weights[i] * mixture.log_density(states.col(i));
    return sum;
  }

  // The first process's reference is everyone's: agreed_plan of smc/level_plan.hpp says why.
  void set_reference(std::vector<TComponent> components, int freedom) {
    LevelPlan plan;
    plan.covariance_factor = Matrix::Identity(dim(), dim());
    plan.mixture = ProposalMixture(std::move(components), freedom);
    plan = agreed_plan(std::move(plan), executor());
    reference_.emplace(std::move(plan.mixture), kStartShare, *space_);
    ++num_references_;
  }

  // ---- passes ----

  PassResult pass(Index k) {
    TemperingOptions options;
    constexpr Index kChainLengthWithoutGradient = 40;
    const Index length = has_gradient() ? kPassChainLength : kChainLengthWithoutGradient;
    options.num_chains =
        8 * std::lround(static_cast<double>(kPassChains) / 8.0 * effort_ * size_of(k));  // whole blocks
    options.chain_length = std::lround(static_cast<double>(length) * effort_);
    options.num_start = num_start(k);
    options.ess_target = has_gradient() ? 0.7 : 0.5;
    options.first_step = step_;
    options.metric = RunMetric{reference_->mean(), regularised_factor(reference_->within_covariance())};
    if (k > 0) options.wanted_draws = options_.wanted_draws;
    options.longest_chain = std::max<Index>(options.longest_chain, 2 * options.chain_length);
    options.seed = options_.seed;
    options.stage = "pass " + std::to_string(k + 1);
    options.first_level = (k + 1) * kLevelsOfARun;
    options.simd = options_.simd;
    const ReferencePath path(*reference_);
    PassResult pass;
    pass.levels = temper(path, &*reference_, options, context_);
    take_levels(pass.levels);
    describe(pass);
    efficiency_ = reweight(pass.levels.populations.front()->energies, 1.0).effective_sample_size() /
                  static_cast<double>(pass.levels.populations.front()->size());
    return pass;
  }

  // The first pass only improves the reference. Later ones have as many times more chains as more draws are wanted
  // than a pass of the usual size is worth.
  double size_of(Index k) const {
    constexpr double kUsual = 400.0;
    return k == 0 ? 1.0 : std::max(1.0, options_.wanted_draws / kUsual);
  }

  // Where the reference is good, its draws are the cheapest effective draws there are.
  Index num_start(Index k) const {
    const double least = 1000.0 * effort_ * size_of(k);
    if (k == 0) return static_cast<Index>(least);
    const double all = options_.wanted_draws / std::max(efficiency_, 1e-6);
    return static_cast<Index>(all < 10.0 * least ? std::max(all, least) : least);
  }

  void describe(PassResult& pass) {
    executor().throw_if_stopped();
    pass.states = recycle(pass.levels, &executor());
    pass.roots = lineage_roots(pass.states);
    pass.moments = lineage_moments(pass.states.positions, pass.states.weights, pass.roots);
    const Matrix in_box = space_->to_box(pass.states.positions);
    pass.in_box = lineage_moments(in_box, pass.states.weights, pass.roots);
    pass.tail_index = tail_index(in_box, pass.states.weights);
    pass.log_evidence = pass.states.log_evidence;
    pass.log_evidence_error = pass.levels.log_evidence_error;
  }

  PassSummary summary_of(const PassResult& pass) const {
    PassSummary summary{pass.log_evidence, pass.log_evidence_error, static_cast<Index>(pass.levels.levels.size()) - 1,
                        static_cast<Index>(reference_->mixture().components().size()), pass.effective_sample_size()};
    for (const LevelSummary& level : pass.levels.levels) {
      summary.evaluations += level.evaluations;
      summary.gradients += level.gradients;
    }
    return summary;
  }

  PassAgreement agreement_of(const std::vector<PassResult>& passes) const {
    const PassResult& last = passes.back();
    PassAgreement agreement;
    agreement.drift = last.levels.drift;
    agreement.effective_sample_size = last.effective_sample_size();
    agreement.wanted_sample_size = options_.wanted_draws;
    agreement.log_sd_error = last.log_sd_error();
    agreement.tail_index = last.tail_index;
    agreement.evidence_error = last.log_evidence_error;
    agreement.wanted_evidence_error = options_.wanted_evidence_error;
    if (passes.size() < 2) return agreement;
    const PassResult& before = passes[passes.size() - 2];
    const double difference = last.log_evidence - before.log_evidence;
    agreement.evidence_difference = std::abs(difference) / larger(Limits::evidence, Limits::evidence_errors,
                                                                  last.log_evidence_error, before.log_evidence_error);
    agreement.mean_difference =
        std::max(mean_difference(before.moments, last.moments), mean_difference(before.in_box, last.in_box));
    agreement.sd_difference =
        std::max(sd_difference(before.moments, last.moments), sd_difference(before.in_box, last.in_box));
    agreement.evidence_error = std::hypot(last.log_evidence_error, 0.5 * difference);
    return agreement;
  }

  bool is_settled(const PassReport& report) {
    return executor().agree({problems_of(report).empty() ? 1.0 : 0.0}).front() != 0.0;
  }

  // ---- the answer ----

  // States by lineages, which share nothing: each counts as a chain.
  SamplerResult result_of(std::vector<PassResult> passes, PassReport report) {
    const PassResult& last = passes.back();
    SamplerResult result;
    result.states = by_lineage(last);
    result.num_draws =
        options_.may_hold_fewer ? std::min(options_.num_draws, result.states.size()) : options_.num_draws;
    result.has_equal_draws = true;
    result.levels = std::move(levels_);
    result.evidence = EvidenceEstimate{last.log_evidence, report.agreement.evidence_error, {}};
    result.passes = std::move(report);
    return result;
  }

  WeightedPopulation by_lineage(const PassResult& pass) const {
    std::vector<Index> order(pass.roots.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto root = [&](Index i) { return pass.roots[static_cast<std::size_t>(i)]; };
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return root(a) < root(b); });
    WeightedPopulation states;
    states.positions = space_->to_box(pass.states.positions(Eigen::all, order));
    states.weights = pass.states.weights(order);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Index state = order[i];
      states.energies.push_back(
          space_->in_box(pass.states.energies[static_cast<std::size_t>(state)], pass.states.positions.col(state)));
      if (i == 0 || root(state) != root(order[i - 1])) states.chain_begin.push_back(static_cast<Index>(i));
    }
    const auto num_lineages = static_cast<Index>(states.chain_begin.size());
    states.chain_begin.push_back(static_cast<Index>(order.size()));
    states.chain_levels.assign(static_cast<std::size_t>(num_lineages), 0);
    states.group_begin = {0, num_lineages};
    return states;
  }

  const TargetDensity& target_;
  const PassOptions& options_;
  Execution context_;
  std::optional<SamplingSpace> space_;
  std::optional<Reference> reference_;
  std::vector<LaplaceMode> modes_;
  std::vector<LevelSummary> levels_;
  std::int64_t evaluations_ = 0, search_gradients_ = 0;
  Index num_references_ = 0;
  double step_ = 0.7, effort_ = 1.0, efficiency_ = 0.0;
};

}  // namespace

std::vector<PassProblem> problems_of(const PassReport& report) {
  const PassAgreement& a = report.agreement;
  std::vector<PassProblem> problems;
  const auto ask = [&](bool is_wrong, PassProblem problem) {
    if (is_wrong) problems.push_back(problem);
  };
  ask(report.passes.size() < 2, PassProblem::one_pass);
  ask(!(a.evidence_difference <= 1.0), PassProblem::evidence_differs);
  ask(!(a.mean_difference <= 1.0), PassProblem::means_differ);
  ask(!(a.sd_difference <= 1.0), PassProblem::sds_differ);
  ask(!(std::abs(a.drift) <= Limits::drift), PassProblem::energy_drifts);
  ask(!(a.effective_sample_size >= least_effective_draws(a)), PassProblem::few_draws);
  ask(!(a.log_sd_error <= Limits::log_sd_error) && !has_heavy_tails(a), PassProblem::sd_uncertain);
  ask(!(a.evidence_error <= a.wanted_evidence_error), PassProblem::evidence_uncertain);
  return problems;
}

double least_effective_draws(const PassAgreement& agreement) {
  return Limits::least_share_of_draws * agreement.wanted_sample_size;
}

bool has_heavy_tails(const PassAgreement& agreement) {
  return agreement.tail_index > Limits::tail_index;
}

SamplerResult run_passes(const TargetDensity& target, const PassOptions& options, Execution context,
                         const NearbyDraws* nearby) {
  return PassRun(target, options, context).run(nearby);
}

}  // namespace ta2s2
