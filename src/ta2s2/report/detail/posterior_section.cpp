#include "ta2s2/report/detail/posterior_section.hpp"

#include <cmath>

#include "ta2s2/data/design.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/predictive/effects.hpp"
#include "ta2s2/report/detail/thinned_sample.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::detail {
namespace {

constexpr Index kPairDraws = 500;
constexpr Index kComparedPoints = 256;
constexpr Index kEffectPoints = 256;

// Length-scales, then the nugget if it was sampled.
Json natural_json(const MemberRecord& fit, VectorView position) {
  const NaturalPoint point = natural_point(fit, position);
  Json numbers = Json::array();
  for (const double length : point.length_scales) numbers.push_back(shown(length));
  if (make_space(fit.data, fit.options).samples_nugget()) numbers.push_back(shown(point.nugget));
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

Json draws_json(const MemberRecord& fit) {
  const PosteriorSample sample = thinned_sample(fit, kPairDraws, Thinning::pairs);
  Json draws = Json::array();
  for (Index i = 0; i < sample.size(); ++i) {
    const auto position = sample.positions.col(i);
    draws.push_back({{"at", natural_json(fit, position)}, {"mode", nearest_mode(fit.modes, position) + 1}});
  }
  return draws;
}

// One draw per mode, at its maximum.
Predictive modes_emulator(const MemberRecord& fit) {
  const auto count = static_cast<Index>(fit.modes.size());
  PosteriorSample sample{fit.sample.names, Matrix(fit.sample.positions.rows(), count),
                         Vector::Constant(count, 1.0 / static_cast<double>(count)), Vector::Zero(count)};
  for (Index m = 0; m < count; ++m) sample.positions.col(m) = fit.modes[static_cast<std::size_t>(m)].position;
  return make_predictive(fit, sample);
}

std::string ignored_inputs(const MemberRecord& fit, const Eigen::Ref<const Eigen::RowVectorXd>& effects) {
  std::string names;
  for (Index d = 0; d < effects.size(); ++d) {
    if (effects[d] >= kInertShare) continue;
    names += (names.empty() ? "" : ", ") + fit.data.input_names()[static_cast<std::size_t>(d)];
  }
  return names;
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

Json modes_json(const MemberRecord& fit, Executor& executor) {
  if (fit.modes.empty()) return Json::array();
  const Index p = fit.data.num_inputs();
  const Predictive predictive = modes_emulator(fit);
  const Matrix effects = total_effects(predictive, kEffectPoints, executor);
  const Matrix unit = make_design({p, kComparedPoints, DesignKind::random, 2});
  const Matrix points = (unit * fit.scaling.width().asDiagonal()).rowwise() + fit.scaling.low().transpose();
  const Matrix means = predictive.mixtures(points, Predict::latent, executor).means;
  const std::string ignored_by_first = ignored_inputs(fit, effects.row(0));
  Json modes = Json::array();
  for (std::size_t m = 0; m < fit.modes.size(); ++m) {
    const Mode& mode = fit.modes[m];
    const auto row = static_cast<Index>(m);
    const Eigen::RowVectorXd difference = means.row(row) - means.row(0);
    Index where = 0;
    const double largest = difference.cwiseAbs().maxCoeff(&where);
    const std::string description = mode_description(fit, m, ignored_inputs(fit, effects.row(row)), ignored_by_first);
    Json at = Json::array();
    for (Index d = 0; d < p; ++d) {
      at.push_back({{"name", fit.data.input_names()[static_cast<std::size_t>(d)]}, {"value", shown(points(where, d))}});
    }
    const auto error = error_from_groups(mode.group_weights);
    modes.push_back(
        {{"number", m + 1},
         {"weight", shown(mode.weight)},
         {"weight_error", error ? Json(shown(*error)) : Json()},
         {"description", description},
         {"name", "mode " + std::to_string(m + 1) + ", weight " + number_text(mode.weight, 2) + ": " + description},
         {"at", natural_json(fit, mode.position)},
         {"energy", shown(mode.energy)},
         {"is_first", m == 0},
         {"rms_difference", shown(std::sqrt(difference.squaredNorm() / static_cast<double>(kComparedPoints)))},
         {"largest_difference", shown(largest)},
         {"largest_at", at}});
  }
  return modes;
}

std::string sentence_on(const Json& modes) {
  const std::string what = "Look for separate clouds: each is a different reading of the same runs. ";
  if (modes.empty()) return what + "Here no modes were sought.";
  if (modes.size() == 1)
    return what + "Here there is one mode, which " + modes[0].at("description").get<std::string>() + ".";
  std::string text = what + "Here there are " + std::to_string(modes.size()) + ": ";
  for (const Json& mode : modes) text += (mode.at("is_first") ? "" : "; ") + mode.at("name").get<std::string>();
  return text + ".";
}

}  // namespace

Json posterior_json(const MemberRecord& fit, Executor& executor) {
  Json coordinates = Json::array();
  for (const std::string& input : fit.data.input_names()) {
    coordinates.push_back({{"name", input}, {"label", "length-scale of " + input}, {"is_nugget", false}});
  }
  if (make_space(fit.data, fit.options).samples_nugget()) {
    coordinates.push_back({{"name", "nugget"}, {"label", "nugget"}, {"is_nugget", true}});
  }
  const Json modes = modes_json(fit, executor);
  return {{"coordinates", coordinates},
          {"draws", draws_json(fit)},
          {"all_draws", fit.sample.size()},
          {"modes", modes},
          {"map", {{"at", natural_json(fit, fit.map.position)}, {"energy", shown(fit.map.energy)}}},
          {"sentence", sentence_on(modes)}};
}

}  // namespace ta2s2::detail
