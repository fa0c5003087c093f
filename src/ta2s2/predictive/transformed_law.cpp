#include "ta2s2/predictive/transformed_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/predictive/monotone_interpolation.hpp"
#include "ta2s2/predictive/normal_score.hpp"
#include "ta2s2/predictive/student_mixture.hpp"

namespace ta2s2 {
namespace detail {

TransformedComponents::TransformedComponents(const LawFrame& frame, const StudentTable& table,
                                             std::span<const double> weights, std::span<const double> means,
                                             std::span<const double> scales, InstructionSet path)
    : frame_(&frame), table_(&table), kernels_(law_routines(path)), weights_(weights), means_(means), scales_(scales) {
  if (kernels_ == nullptr) return;
  const std::size_t slots = frame.num_slots();
  numbers_.resize(3 * slots);
  double* const inverse_scales = numbers_.data() + 2 * slots;
  frame.place(weights, numbers_.data());
  frame.place(means, numbers_.data() + slots);
  frame.place(scales, inverse_scales);
  for (std::size_t i = 0; i < slots; ++i) inverse_scales[i] = 1.0 / std::max(inverse_scales[i], kLeastScale);
  problem_.mixture = {slots,         numbers_.data(), numbers_.data() + slots, nullptr, inverse_scales,
                      table.cells(), table.df(),      table.log_constant()};
  for (int k = 0; k < 3; ++k) problem_.parameters[k] = frame.parameters(k);
}

double TransformedComponents::standardised(Index draw, double g) const {
  const auto i = static_cast<std::size_t>(draw);
  return (g - means_[i]) / std::max(scales_[i], kLeastScale);
}

double TransformedComponents::quantile(Index draw, double t) const {
  const auto i = static_cast<std::size_t>(draw);
  return frame_->inverse(draw, means_[i] + t * scales_[i]);
}

double TransformedComponents::tail(double u, double side) const {
  if (kernels_ != nullptr) return kernels_->tail(problem_, frame_->segments_at(u), side);
  double sum = 0.0;
  for (Index i = 0; i < frame_->num_draws(); ++i) {
    sum += weight(i) * table_->cdf(-side * standardised(i, frame_->image(i, u).value));
  }
  return sum;
}

TailAndDensity TransformedComponents::tail_and_density(double u, double side) const {
  if (kernels_ != nullptr) return kernels_->tail_and_density(problem_, frame_->segments_at(u), side);
  return {tail(u, side), std::exp(log_density(u))};
}

double TransformedComponents::log_density(double u) const {
  if (kernels_ != nullptr) return kernels_->log_density(problem_, frame_->segments_at(u));
  std::vector<double> terms;
  for (Index i = 0; i < frame_->num_draws(); ++i) {
    const OutputTransform::Image image = frame_->image(i, u);
    if (weight(i) == 0.0 || image.log_slope == -kInfinity) continue;
    const double scale = std::max(scales_[static_cast<std::size_t>(i)], kLeastScale);
    terms.push_back(std::log(weight(i) / scale) + table_->log_density(standardised(i, image.value)) + image.log_slope);
  }
  return terms.empty() ? -kInfinity : log_sum_exp(terms);
}

}  // namespace detail

namespace {

constexpr std::size_t kPilotDraws = 32;

struct WeightedDraw {
  Index draw;
  double weight;
};

// All draws if there are few, else some by systematic choice.
std::vector<WeightedDraw> choose_pilot(std::span<const double> weights) {
  std::vector<WeightedDraw> chosen;
  if (weights.size() <= kPilotDraws) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] > 0.0) chosen.push_back({static_cast<Index>(i), weights[i]});
    }
    return chosen;
  }
  constexpr double kShare = 1.0 / kPilotDraws;
  double reached = 0.0, next = 0.5 * kShare;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    reached += weights[i];
    double share = 0.0;
    for (; next < reached; next += kShare) share += kShare;
    if (share > 0.0) chosen.push_back({static_cast<Index>(i), share});
  }
  return chosen;
}

struct WeightedValue {
  double value, weight;
};

// Of values in rising order: where half of a value's own weight counts as below it.
double quantile_of(const std::vector<WeightedValue>& sorted, double probability) {
  double total = 0.0, below = 0.0;
  for (const WeightedValue& each : sorted) total += each.weight;
  for (const WeightedValue& each : sorted) {
    below += each.weight;
    if (below - 0.5 * each.weight >= probability * total) return each.value;
  }
  return sorted.back().value;
}

// Normal scores at which a draw is looked at, evenly spaced.
constexpr std::array<double, 7> kPilotScores = {-2.4, -1.6, -0.8, 0.0, 0.8, 1.6, 2.4};

double student_at(const StudentTable& table, double score) {
  if (score == 0.0) return 0.0;
  const double below = table.quantile(normal_tail(std::abs(score)));
  return std::copysign(below, score);
}

double score_of(double tail, double side) {
  return side * score_of_tail(tail);
}

}  // namespace

TransformedLaw::TransformedLaw(std::span<const double> weights, std::span<const double> means,
                               std::span<const double> scales, double df, std::shared_ptr<const LawFrame> frame,
                               InstructionSet path)
    : frame_(std::move(frame)), table_(student_table(df)), weights_(weights) {
  check_components(weights, means, scales);
  if (static_cast<Index>(weights.size()) != frame_->num_draws()) {
    throw Error(ErrorCode::internal, "a predictive law needs the transformation of every draw");
  }
  components_ = std::make_shared<const detail::TransformedComponents>(*frame_, *table_, weights, means, scales, path);
}

double TransformedLaw::recalibrated_tail(double tail) const {
  const double kappa = frame_->kappa();
  return kappa == 1.0 ? tail : normal_tail(score_of_tail(tail) / kappa);
}

// ---- the profile: moments and a table of scores

TransformedLaw::Pilot TransformedLaw::make_pilot() const {
  const double low = frame_->units().low, high = frame_->units().high, kappa = frame_->kappa();
  const auto inside = [&](double u) { return std::clamp(std::isnan(u) ? low : u, low, high); };
  const std::vector<WeightedDraw> draws = choose_pilot(weights_);
  std::vector<WeightedValue> values;
  for (const double score : kPilotScores) {
    const double t = student_at(*table_, score), height = std::exp(-0.5 * score * score);
    for (const WeightedDraw& each : draws) {
      values.push_back({inside(components_->quantile(each.draw, t)), each.weight * height});
    }
  }
  std::ranges::sort(values, {}, &WeightedValue::value);
  Pilot pilot{};
  pilot.centre = quantile_of(values, 0.5);
  pilot.inner_low = quantile_of(values, normal_tail(2.0 * kappa));
  pilot.inner_high = quantile_of(values, normal_tail(-2.0 * kappa));
  pilot.unit = std::max(0.25 * (pilot.inner_high - pilot.inner_low), 1e-12 * std::max(1.0, std::abs(pilot.centre)));

  // Beyond the outer points what is left of the second moment is to be negligible, up to the clips.
  const double share = pilot.unit / (high - low);
  const double score = std::clamp(kappa * score_of_tail(1e-10 * share * share), 5.0, kFarthestScore);
  const double t = student_at(*table_, score);
  pilot.low = pilot.inner_low;
  pilot.high = pilot.inner_high;
  for (const WeightedDraw& each : draws) {
    pilot.low = std::min(pilot.low, inside(components_->quantile(each.draw, -t)));
    pilot.high = std::max(pilot.high, inside(components_->quantile(each.draw, t)));
  }
  return pilot;
}

// In x. Up to the clips only if the pilot's outer points leave too much outside.
std::vector<double> TransformedLaw::breaks_for(const Pilot& pilot) const {
  constexpr double kNegligible = 1e-8;
  const double low = frame_->units().low, high = frame_->units().high;
  const auto matters = [&](double end, double side, double clip) {
    const double reach = (clip - pilot.centre) / pilot.unit;
    return end != clip && recalibrated_tail(components_->tail(end, side)) * reach * reach > kNegligible;
  };
  std::vector<double> points;
  if (matters(pilot.low, -1.0, low)) points.push_back(low);
  for (const double u : {pilot.low, pilot.inner_low, pilot.centre, pilot.inner_high, pilot.high}) points.push_back(u);
  if (matters(pilot.high, 1.0, high)) points.push_back(high);
  std::vector<double> breaks;
  for (const double u : points) {
    const double x = std::asinh((u - pilot.centre) / pilot.unit);
    if (breaks.empty() || x > breaks.back()) breaks.push_back(x);
  }
  return breaks;
}

namespace {

struct Node {
  double u, score;
};

}  // namespace

detail::Integrals<3> TransformedLaw::heights(double x, const Profile& profile, double& tail) const {
  const double distance = profile.unit * std::sinh(x), width = profile.unit * std::cosh(x);
  tail = components_->tail(profile.centre + distance, x < 0.0 ? -1.0 : 1.0);
  const double outside = recalibrated_tail(tail);
  return {outside * width, outside * std::abs(distance) * width, outside * (1.0 - outside) * width};
}

const TransformedLaw::Profile& TransformedLaw::profile() const {
  if (!profile_) profile_ = std::make_shared<const Profile>(make_profile());
  return *profile_;
}

TransformedLaw::Profile TransformedLaw::make_profile() const {
  // QUADPACK's estimates are cautious. Against 1e-6, in twice the time, means moved by up to 7e-6 standard deviations
  // and standard deviations by 2.4e-5 of themselves, on 1000 points of the default fit to Franke's function.
  constexpr double kTolerance = 1e-4;
  // Draws whose g ends inside the law make F rough: more panels than this would resolve single draws.
  constexpr std::size_t kMostPanels = 16, kMostEvaluations = 100'000;
  const Pilot pilot = make_pilot();
  Profile profile;
  profile.centre = pilot.centre;
  profile.unit = pilot.unit;
  std::vector<Node> nodes;
  const auto integrand = [&](double x) {
    double tail = 0.0;
    const detail::Integrals<3> values = heights(x, profile, tail);
    nodes.push_back({profile.centre + profile.unit * std::sinh(x), score_of(tail, x < 0.0 ? -1.0 : 1.0)});
    return values;
  };
  const std::size_t most_panels = kMostPanels + kMostEvaluations / weights_.size();
  profile.panels =
      detail::adaptive_integrals<3>(integrand, breaks_for(pilot), kTolerance, std::min<std::size_t>(most_panels, 400))
          .panels;
  std::ranges::sort(profile.panels, {}, &detail::Panel<3>::left);
  double above = 0.0, below = 0.0, square = 0.0;
  for (const detail::Panel<3>& panel : profile.panels) {
    (panel.left < 0.0 ? below : above) += panel.integral[0];
    square += 2.0 * panel.integral[1];
    profile.half_mean_difference += panel.integral[2];
  }
  profile.mean = profile.centre + (above - below);
  profile.variance = std::max(0.0, square - (above - below) * (above - below));
  std::ranges::sort(nodes, {}, &Node::u);
  for (const Node& node : nodes) {
    if (!profile.u.empty() && (node.u <= profile.u.back() || node.score <= profile.score.back())) continue;
    profile.u.push_back(node.u);
    profile.score.push_back(node.score);
  }
  return profile;
}

// The integral of 1 - F~ above u >= centre, or of F~ below u < centre.
double TransformedLaw::tail_beyond(double u, const Profile& profile) const {
  const double x = std::asinh((u - profile.centre) / profile.unit), side = x < 0.0 ? -1.0 : 1.0;
  const auto integrand = [&](double node) {
    double tail = 0.0;
    return heights(node, profile, tail);
  };
  double sum = 0.0;
  for (const detail::Panel<3>& panel : profile.panels) {
    const double left = side > 0.0 ? std::max(panel.left, x) : panel.left;
    const double right = side > 0.0 ? panel.right : std::min(panel.right, x);
    if (left >= right || (panel.left < 0.0) != (side < 0.0)) continue;
    const bool is_whole = left == panel.left && right == panel.right;
    sum += is_whole ? panel.integral[0] : detail::kronrod_panel<3>(integrand, left, right).integral[0];
  }
  return sum;
}

double TransformedLaw::mean() const {
  return to_user(profile().mean);
}

double TransformedLaw::variance() const {
  const double unit = frame_->units().unit;
  return unit * unit * profile().variance;
}

// ---- distribution function and density

double TransformedLaw::cdf(double y) const {
  const double u = to_standard(y);
  if (u < frame_->units().low) return 0.0;
  if (u >= frame_->units().high) return 1.0;
  return std::clamp(recalibrated_tail(components_->tail(u, -1.0)), 0.0, 1.0);
}

// With z the normal score of F, the recalibrated law has density f(u) phi(z / kappa) / (kappa phi(z)).
double TransformedLaw::log_density(double y) const {
  const double u = to_standard(y), kappa = frame_->kappa();
  const double before = components_->log_density(u) - std::log(frame_->units().unit);
  if (kappa == 1.0 || before == -kInfinity) return before;
  const double below = components_->tail(u, -1.0);
  const double score = score_of_tail(below < 0.5 ? below : components_->tail(u, 1.0));
  return before - std::log(kappa) + 0.5 * score * score * (1.0 - 1.0 / (kappa * kappa));
}

// ---- quantiles

double TransformedLaw::quantile(double probability) const {
  if (!(probability > 0.0 && probability < 1.0)) {
    throw Error(ErrorCode::usage,
                "A quantile is asked for at a probability between 0 and 1, not " + std::to_string(probability) + ".");
  }
  const LawUnits& units = frame_->units();
  const double score = std::clamp(frame_->kappa() * normal_score(probability), -kFarthestScore, kFarthestScore);
  const double side = score < 0.0 ? -1.0 : 1.0;
  const Profile& known = profile();
  const auto above = std::ranges::lower_bound(known.score, score) - known.score.begin();
  const auto size = static_cast<std::ptrdiff_t>(known.score.size());
  const auto score_at = [&](double u) { return score_of(components_->tail(u, side), side); };
  if (above == 0 && score_at(units.low) >= score) return to_user(units.low);
  if (above == size && score_at(units.high) < score) return to_user(units.high);
  const double low = above == 0 ? units.low : known.u[static_cast<std::size_t>(above - 1)];
  const double high = above == size ? units.high : known.u[static_cast<std::size_t>(above)];
  const double start = std::clamp(monotone_interpolation(known.score, known.u, score), low, high);
  return to_user(solve(score, low, high, start));
}

// Newton on the normal score, which is nearly straight, as StudentMixture::smooth_quantile does on the log of a tail.
double TransformedLaw::solve(double score, double low, double high, double start) const {
  constexpr int kMostSteps = 200;
  constexpr double kClose = 1e-6;  // what a step of Newton leaves is some multiple of the square of this
  const double side = score < 0.0 ? -1.0 : 1.0;
  const double least_width = 1e-10 * profile().unit;
  double u = start, width = high - low;
  for (int k = 0; k < kMostSteps; ++k) {
    const TailAndDensity at = components_->tail_and_density(u, side);
    const double excess = score_of(at.tail, side) - score;
    (excess < 0.0 ? low : high) = u;
    const double here = score + excess;
    const double slope = at.density * std::sqrt(2.0 * std::numbers::pi) * std::exp(0.5 * here * here);
    double next = u - excess / slope;
    const bool is_inside = next >= low && next <= high;
    if (is_inside && std::abs(excess) <= kClose) return next;
    // Every other step is to halve the bracket at least: F has steps where a draw's g ends.
    if (!is_inside || (k % 2 == 1 && high - low > 0.5 * width)) next = low + 0.5 * (high - low);
    if (k % 2 == 1) width = high - low;
    if (high - low <= std::max(least_width, 0x1p-50 * std::max(std::abs(low), std::abs(high)))) return high;
    u = next;
  }
  return high;
}

double TransformedLaw::recalibrated(double y) const {
  const double kappa = frame_->kappa();
  const LawUnits& units = frame_->units();
  double u = to_standard(y);
  if (kappa != 1.0) {
    const Profile& known = profile();
    u = monotone_interpolation(known.score, known.u, kappa * monotone_interpolation(known.u, known.score, u));
  }
  return to_user(std::clamp(u, units.low, units.high));
}

// E|Y - y| less the integral of F~ (1 - F~): E|Y - y| is y - E Y and twice the integral of the tail beyond y, or the
// same mirrored.
double TransformedLaw::crps(double y) const {
  const Profile& known = profile();
  const double u = to_standard(y);
  const double distance = u < known.centre ? known.mean - u : u - known.mean;
  const double deviation = distance + 2.0 * tail_beyond(u, known);
  return frame_->units().unit * (deviation - known.half_mean_difference);
}

}  // namespace ta2s2
