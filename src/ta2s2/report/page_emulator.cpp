#include <algorithm>
#include <cmath>

#include "ta2s2/gp/spec.hpp"
#include "ta2s2/predictive/normal_score.hpp"
#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/report/sections.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::report {
namespace {

constexpr Index kNumProbes = 256;
constexpr Index kNumShownProbes = 5;
constexpr Index kFewestDraws = 32, kMostDraws = 256;
// Differences from the whole sample's mean and interval ends, in its predictive standard deviations.
constexpr double kPageTolerance = 0.1;
// A draw that weighs less, of its share in all, belongs to a member that the runs speak against.
constexpr double kLeastRelativeWeight = 1e-3;
const std::vector<double> kEnds = {0.025, 0.975};

// What a draw says at each probe of the three numbers that the page shows, in predictive standard deviations of all
// draws: its mean (its median where the output is transformed), and its probability below either end of the interval.
// All three are linear in the weights of a mixture, so that few draws predict as all do if these are on average the
// same. A column per draw.
Matrix features_of(const MixtureBlock& block, const PredictionSummary& all) {
  const auto student = student_table(block.degrees_of_freedom);
  Matrix features(3 * block.num_points(), block.means.rows());
  for (Index i = 0; i < block.num_points(); ++i) {
    const PredictiveLaw law = block.at(i);
    // Turns probability into standard deviations.
    const auto density_at = [&](Index end) { return all.sd[i] * std::exp(law.log_density(all.quantiles(i, end))); };
    const double at_low = density_at(0), at_high = density_at(1);
    for (Index draw = 0; draw < block.means.rows(); ++draw) {
      const auto below = [&](double y) { return student->cdf(block.standardised(draw, i, y)); };
      features.col(draw).segment<3>(3 * i) << (block.median_of(draw, i) - all.mean[i]) / all.sd[i],
          below(all.quantiles(i, 0)) / at_low, below(all.quantiles(i, 1)) / at_high;
    }
  }
  return features;
}

// One draw after another, each the one that brings the average of the chosen closest to the average of all. The error
// falls about as 1 / count, where that of a random choice falls as its root.
std::vector<Index> choose_greedily(const Matrix& features, const Vector& target, const Vector& weights, Index count) {
  Vector costs = features.colwise().squaredNorm().transpose();
  Index num_candidates = 0;
  for (Index i = 0; i < costs.size(); ++i) {
    const bool counts = weights[i] * static_cast<double>(weights.size()) >= kLeastRelativeWeight;
    counts ? void(++num_candidates) : void(costs[i] = kInfinity);
  }
  Vector residual = -target;
  std::vector<Index> chosen;
  for (Index i = 0; i < std::min(count, num_candidates); ++i) {
    Index best = 0;
    (2.0 * (features.transpose() * residual) + costs).minCoeff(&best);
    costs[best] = kInfinity;  // not again
    chosen.push_back(best);
    residual += features.col(best) - target;
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Weights of these draws whose average is closer yet: non-negative least squares, one weight at a time. That they sum
// to one is a further equation; what it leaves open is scaled away.
Vector refine_weights(const Matrix& features, const Vector& target) {
  constexpr int kSweeps = 500;
  Vector weights = Vector::Constant(features.cols(), 1.0 / static_cast<double>(features.cols()));
  const Matrix away = features.colwise() - target;
  Matrix gram = away.transpose() * away;
  const double heavy = std::max(1.0, gram.trace() / static_cast<double>(gram.rows()));  // draws may be all alike
  gram.array() += heavy;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (Index k = 0; k < weights.size(); ++k) {
      const double slope = gram.col(k).dot(weights) - heavy;
      weights[k] = std::max(0.0, weights[k] - slope / gram(k, k));
    }
  }
  return weights / weights.sum();
}

Predictive few_draws(const Predictive& all, const Matrix& features, Index count) {
  const Vector target = features * all.weights();
  const std::vector<Index> chosen = choose_greedily(features, target, all.weights(), count);
  const Vector weights = refine_weights(features(Eigen::all, chosen), target);
  std::vector<Index> used, kept;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (weights[static_cast<Index>(i)] <= 0.0) continue;
    used.push_back(static_cast<Index>(i));
    kept.push_back(chosen[i]);
  }
  return all.with_draws(kept, weights(used));
}

// The farthest that the few are from all, at any probe.
double farthest(const PredictionSummary& few, const PredictionSummary& all) {
  const Vector by_mean = (few.mean - all.mean).cwiseAbs();
  const Vector by_ends = (few.quantiles - all.quantiles).cwiseAbs().rowwise().maxCoeff();
  return by_mean.cwiseMax(by_ends).cwiseQuotient(all.sd).maxCoeff();
}

struct FewDraws {
  Predictive predictive;
  PredictionSummary predictions;
  double distance = 0.0;
};

FewDraws choose_draws(const Predictive& whole, const Matrix& probes, Executor& executor) {
  const PredictionSummary all = summarise(whole, probes, Predict::new_run, kEnds, executor);
  const Matrix features = features_of(whole.mixtures(probes, Predict::new_run, executor), all);
  const Index most = affordable(whole.num_runs(), 8, kMostDraws);
  for (Index count = std::min(kFewestDraws, most);; count = std::min(2 * count, most)) {
    Predictive predictive = few_draws(whole, features, count);
    PredictionSummary few = summarise(predictive, probes, Predict::new_run, kEnds, executor);
    const double distance = farthest(few, all);
    if (distance <= 0.5 * kPageTolerance || count == most) return {predictive, few, distance};
  }
}

Numbers numbers(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& values) {
  return {values.begin(), values.end()};
}

std::vector<Numbers> rows_of(const Matrix& matrix) {
  std::vector<Numbers> rows;
  for (Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers(matrix.row(i).transpose()));
  return rows;
}

// The trend as the page builds it, found from its columns.
std::vector<TrendTerm> trend_terms(const Trend& trend, Index num_inputs) {
  const Vector half = Vector::Constant(num_inputs, 0.5);
  const Matrix at_half = trend.columns(half.transpose());
  std::vector<TrendTerm> terms(static_cast<std::size_t>(trend.size()));
  for (Index j = 0; j < trend.size(); ++j) {
    for (Index d = 0; d < num_inputs; ++d) {
      Vector moved = half;
      moved[d] = 1.0;
      const double ratio = trend.columns(moved.transpose())(0, j) / at_half(0, j);
      const Index power = std::lround(std::log2(ratio));
      if (power > 0) terms[static_cast<std::size_t>(j)] = {d, power};
    }
  }
  return terms;
}

CorrelationTerm correlation_term(const std::string& text) {
  const ParsedSpec spec = parse_spec(text).value();
  CorrelationTerm term{spec.name, {}, {}};
  if (spec.arguments.empty()) return term;
  const bool is_rational = spec.name == "rational";
  (is_rational ? term.share : term.power) = parse_number(spec.arguments.front(), is_rational ? "share" : "power");
  return term;
}

std::vector<Probe> shown_probes(const Matrix& probes, const PredictionSummary& few) {
  std::vector<Probe> rows;
  for (Index i = 0; i < std::min(kNumShownProbes, probes.rows()); ++i) {
    rows.push_back(
        {numbers(probes.row(i).transpose()), few.mean[i], few.sd[i], few.quantiles(i, 0), few.quantiles(i, 1)});
  }
  return rows;
}

// The page interpolates by cubics.
StudentTable table_of(double df) {
  constexpr Index kNodes = 121;
  constexpr double kLast = 6.0;  // sinh(6) = 202 scales
  const auto student = student_table(df);
  StudentTable table{kLast, {}, {}};
  for (Index i = 0; i < kNodes; ++i) {
    const double u = kLast * static_cast<double>(i) / static_cast<double>(kNodes - 1);
    table.cdf.push_back(student->cdf(std::sinh(u)));
    table.slope.push_back(std::exp(student->log_density(std::sinh(u))) * std::cosh(u));
  }
  return table;
}

std::vector<PageDraw> page_draws(const Predictive& predictive) {
  std::vector<PageDraw> draws;
  for (Index i = 0; i < predictive.num_draws(); ++i) {
    const GpParameters& parameters = predictive.parameters_of(i);
    PageDraw draw{static_cast<Index>(predictive.part_of(i)),
                  predictive.weights()[i],
                  numbers(parameters.phi),
                  parameters.nugget,
                  {},
                  numbers(parameters.transform)};
    if (predictive.model_of(i).covariance().shape()) draw.log_shape = parameters.log_shape;
    draws.push_back(std::move(draw));
  }
  return draws;
}

std::optional<PageClips> page_clips(const LawFrame& frame) {
  if (frame.is_plain()) return std::nullopt;
  return PageClips{frame.units().low, frame.units().high};
}

// Where the normal score is z, the recalibrated law has the quantile that the law before it has at kappa z. The
// trapezoidal rule over z: quantiles of a mixture of many widths bend, and at this step means err by some 3e-4 standard
// deviations. The page tells levels apart to 1e-8.
std::optional<PageRecalibration> page_recalibration(double kappa) {
  constexpr int kLastNode = 6;
  constexpr double kStep = 0.7, kFarthest = 5.2;
  if (kappa == 1.0) return std::nullopt;
  const auto level_at = [&](double z) { return normal_tail(std::clamp(-kappa * z, -kFarthest, kFarthest)); };
  PageRecalibration shown{kappa, level_at(normal_score(kEnds[0])), level_at(normal_score(kEnds[1])), {}};
  double total = 0.0;
  for (int k = -kLastNode; k <= kLastNode; ++k) {
    const double z = kStep * k;
    shown.nodes.push_back({level_at(z), std::exp(-0.5 * z * z)});
    total += shown.nodes.back().weight;
  }
  for (LevelNode& node : shown.nodes) node.weight /= total;
  return shown;
}

std::vector<PageMember> page_members(const OutputRecord& output, const Predictive& predictive) {
  std::vector<PageMember> members;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    const GpModel& model = *predictive.parts()[k].model;
    members.push_back({correlation_term(output.members[k].options.correlation),
                       trend_terms(model.trend(), model.num_inputs()), numbers(model.trend_shares()),
                       model.transform()});
  }
  return members;
}

}  // namespace

PageEmulator page_emulator(const OutputRecord& output, Executor& executor) {
  const MemberRecord& fit = output.members.front();
  const Matrix probes = random_points(fit, kNumProbes, 3);
  const Predictive whole = make_predictive(output);
  const FewDraws few = choose_draws(whole, probes, executor);
  const GpModel& model = *whole.parts().front().model;
  return {.inputs = rows_of(model.X()),
          .output = numbers(model.y()),
          .low = numbers(fit.scaling.low()),
          .width = numbers(fit.scaling.width()),
          .scales = stored_form(fit.scaling).scales,
          .output_mean = fit.scaling.output_mean(),
          .output_sd = fit.scaling.output_sd(),
          .degrees_of_freedom = model.degrees_of_freedom(),
          .student = table_of(static_cast<double>(model.degrees_of_freedom())),
          .clips = page_clips(*whole.law_frame()),
          .recalibration = page_recalibration(whole.kappa()),
          .members = page_members(output, few.predictive),
          .draws = page_draws(few.predictive),
          .num_draws = few.predictive.num_draws(),
          .all_draws = whole.num_draws(),
          // What was measured at the probes, doubled: other points may be a little farther.
          .tolerance = std::max(kPageTolerance, 2.0 * few.distance),
          .measured = few.distance,
          .probes = shown_probes(probes, few.predictions)};
}

}  // namespace ta2s2::report
