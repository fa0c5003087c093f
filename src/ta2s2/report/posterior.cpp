#include <cmath>

#include "ta2s2/data/design.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/predictive/effects.hpp"
#include "ta2s2/report/sections.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::report {
namespace {

constexpr Index kPairDraws = 500;
constexpr Index kComparedPoints = 256;
constexpr Index kEffectPoints = 256;

NaturalNumbers natural_numbers(const MemberRecord& fit, VectorView position) {
  const NaturalPoint point = natural_point(fit, position);
  NaturalNumbers numbers(point.length_scales.begin(), point.length_scales.end());
  if (make_space(fit.data, fit.options).samples_nugget()) numbers.push_back(point.nugget);
  return numbers;
}

// The mode whose normal approximation with independent coordinates is highest: good enough to colour a draw.
Index nearest_mode(const std::vector<Mode>& modes, VectorView position) {
  Index best = 0;
  double highest = -kInfinity;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const Vector sd = modes[m].sd.cwiseMax(1e-6);
    const double height = std::log(std::max(modes[m].weight, 1e-12)) - sd.array().log().sum() -
                          0.5 * ((position - modes[m].mean).array() / sd.array()).square().sum();
    if (height <= highest) continue;
    highest = height;
    best = static_cast<Index>(m);
  }
  return best;
}

std::vector<PairDraw> pair_draws(const MemberRecord& fit) {
  const PosteriorSample sample = detail::thinned_sample(fit, kPairDraws, detail::Thinning::pairs);
  std::vector<PairDraw> draws;
  for (Index i = 0; i < sample.size(); ++i) {
    const auto position = sample.positions.col(i);
    draws.push_back({natural_numbers(fit, position), nearest_mode(fit.modes, position) + 1});
  }
  return draws;
}

// One draw per mode, at its maximum.
Predictive modes_predictive(const MemberRecord& fit) {
  const auto count = static_cast<Index>(fit.modes.size());
  PosteriorSample sample{fit.sample.names, Matrix(fit.sample.positions.rows(), count),
                         Vector::Constant(count, 1.0 / static_cast<double>(count)), Vector::Zero(count)};
  for (Index m = 0; m < count; ++m) sample.positions.col(m) = fit.modes[static_cast<std::size_t>(m)].position;
  return make_predictive(fit, sample);
}

std::string ignored_inputs(const MemberRecord& fit, const Eigen::Ref<const Eigen::RowVectorXd>& effects) {
  Texts names;
  for (Index d = 0; d < effects.size(); ++d) {
    if (effects[d] < kInertShare) names.push_back(fit.data.input_names()[static_cast<std::size_t>(d)]);
  }
  return listed(names);
}

// What tells a mode from the heaviest one: the coordinate in which they are farthest apart, for the heavier one's
// spread.
std::string difference_from_first(const MemberRecord& fit, const Mode& mode) {
  const Mode& first = fit.modes.front();
  Index farthest = 0;
  ((mode.position - first.position).array().abs() / first.sd.array().max(1e-6)).maxCoeff(&farthest);
  const NaturalPoint here = natural_point(fit, mode.position), there = natural_point(fit, first.position);
  if (farthest == fit.data.num_inputs()) {
    return "nugget " + number_text(here.nugget, 2) + " instead of " + number_text(there.nugget, 2);
  }
  return "length-scale of " + fit.data.input_names()[static_cast<std::size_t>(farthest)] + " " +
         number_text(here.length_scales[farthest], 2) + " instead of " + number_text(there.length_scales[farthest], 2);
}

std::string mode_description(const MemberRecord& fit, std::size_t number, const std::string& ignored,
                             const std::string& ignored_by_first) {
  if (number == 0) return ignored.empty() ? "uses every input" : "ignores " + ignored;
  if (!ignored.empty() && ignored != ignored_by_first) return "ignores " + ignored;
  return difference_from_first(fit, fit.modes[number]);
}

std::vector<ModeRow> mode_rows(const MemberRecord& fit, Executor& executor) {
  if (fit.modes.empty()) return {};
  const Index p = fit.data.num_inputs();
  const Predictive predictive = modes_predictive(fit);
  const Matrix effects = total_effects(predictive, kEffectPoints, executor);
  const Matrix unit = make_design({p, kComparedPoints, DesignKind::random, 2});
  const Matrix points = (unit * fit.scaling.width().asDiagonal()).rowwise() + fit.scaling.low().transpose();
  const Matrix means = predictive.mixtures(points, Predict::latent, executor).means;
  const std::string ignored_by_first = ignored_inputs(fit, effects.row(0));
  std::vector<ModeRow> modes;
  for (std::size_t m = 0; m < fit.modes.size(); ++m) {
    const Mode& mode = fit.modes[m];
    const auto row = static_cast<Index>(m);
    const Eigen::RowVectorXd difference = means.row(row) - means.row(0);
    Index where = 0;
    const double largest = difference.cwiseAbs().maxCoeff(&where);
    const std::string description = mode_description(fit, m, ignored_inputs(fit, effects.row(row)), ignored_by_first);
    std::vector<NamedNumber> at;
    for (Index d = 0; d < p; ++d) {
      at.push_back({fit.data.input_names()[static_cast<std::size_t>(d)], points(where, d)});
    }
    const std::string number = std::to_string(m + 1);
    modes.push_back({row + 1, mode.weight, error_from_groups(mode.group_weights), description,
                     "mode " + number + ", weight " + number_text(mode.weight, 2) + ": " + description,
                     natural_numbers(fit, mode.position), mode.energy, m == 0,
                     std::sqrt(difference.squaredNorm() / static_cast<double>(kComparedPoints)), largest, at});
  }
  return modes;
}

std::string sentence_on(const std::vector<ModeRow>& modes) {
  const std::string what = "Look for separate clouds: each is a different reading of the same runs. ";
  if (modes.empty()) return what + "Here no modes were sought.";
  if (modes.size() == 1) return what + "Here there is one mode, which " + modes[0].description + ".";
  std::string text = what + "Here there are " + std::to_string(modes.size()) + ": ";
  for (const ModeRow& mode : modes) text += (mode.is_first ? "" : "; ") + mode.name;
  return text + ".";
}

}  // namespace

PosteriorSection posterior_section(const MemberRecord& fit, Executor& executor) {
  PosteriorSection section;
  for (const std::string& input : fit.data.input_names()) {
    section.coordinates.push_back({input, "length-scale of " + input, false});
  }
  if (make_space(fit.data, fit.options).samples_nugget()) section.coordinates.push_back({"nugget", "nugget", true});
  section.draws = pair_draws(fit);
  section.all_draws = fit.sample.size();
  section.modes = mode_rows(fit, executor);
  section.map = {natural_numbers(fit, fit.map.position), fit.map.energy};
  section.sentence = sentence_on(section.modes);
  return section;
}

}  // namespace ta2s2::report
