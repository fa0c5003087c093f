#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/predictive/activity.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/predictive/model_weights.hpp"
#include "ta2s2/report/sections.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::report {
namespace {

std::vector<std::size_t> heaviest_first(const OutputRecord& output) {
  std::vector<std::size_t> order(output.members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return output.weights[a] > output.weights[b]; });
  return order;
}

// Where weights by evidence lie given the errors of the evidences; none of other weights.
std::vector<WeightInterval> intervals_of(const OutputRecord& output) {
  if (output.weighting != Weighting::evidence) return {};
  std::vector<double> logs, errors;
  for (const MemberRecord& fit : output.members) {
    logs.push_back(fit.evidence->log_evidence);
    errors.push_back(fit.evidence->standard_error);
  }
  return evidence_weight_intervals(logs, errors, output.members.front().options.annealing.seed);
}

std::string label_of(const OutputRecord& output, std::size_t model) {
  return member_label(output.members[model].options);
}

std::string sentence_on(const OutputRecord& output, const std::vector<std::size_t>& order) {
  const std::string here = "Here " + label_of(output, order[0]) + " has " + format_number(output.weights[order[0]], 3);
  if (output.weighting == Weighting::equal) {
    return "Look at the evidences: all models weigh the same, whatever the runs say of them. " + here + ".";
  }
  if (output.weighting == Weighting::stacking) {
    return "Look for bars that are all long: then the models err in different places, and the average is better than "
           "any. Weights by stacking are those whose mixture predicts the left-out runs best; they are no "
           "probabilities of models. " +
           here + ".";
  }
  const std::string what =
      "Look for one long bar: the runs then tell which model made them, and the average predicts as that one. Each bar "
      "is the probability of a model given the runs, if all were equally likely before; the line is where Monte Carlo "
      "error lets it lie, 5% to 95%. ";
  const Evidence &first = *output.members[order[0]].evidence, &second = *output.members[order[1]].evidence;
  const double ahead = first.log_evidence - second.log_evidence;
  const double error = std::hypot(first.standard_error, second.standard_error);
  return what + here + ": its log evidence is " + format_number(ahead, 3) + " +- " + format_number(error, 2) +
         " above that of " + label_of(output, order[1]) + ".";
}

// As in a sentence: a weight too small to be told from nothing is not written as a number.
std::string weight_text(double weight) {
  return weight < 0.001 ? "below 0.001" : format_number(weight, 3);
}

// ---- what only a member can show ----

QuantileRow quantile_row(const Vector& values, const Vector& weights) {
  const std::vector<double> q = weighted_quantiles(values, weights, {0.025, 0.25, 0.5, 0.75, 0.975});
  return {q[0], q[1], q[2], q[3], q[4]};
}

std::string length_scale_sentence(const std::vector<LengthScaleRow>& inputs) {
  const auto shortest = std::min_element(
      inputs.begin(), inputs.end(),
      [](const LengthScaleRow& a, const LengthScaleRow& b) { return a.length_in_ranges.q50 < b.length_in_ranges.q50; });
  return "Look for short length-scales: along them the output bends most. One that is much longer than the input's "
         "range, right of the line, means that the output is flat or straight along that input. Here the shortest is "
         "that of " +
         shortest->name + ", " + format_number(shortest->length_in_ranges.q50, 2) + " of its range.";
}

std::string log_scale_sentence(const MemberRecord& fit) {
  Texts names;
  for (Index d = 0; d < fit.data.num_inputs(); ++d) {
    if (fit.scaling.is_log(d)) names.push_back(fit.data.input_names()[static_cast<std::size_t>(d)]);
  }
  if (names.empty()) return "";
  return " Length-scales of inputs with a log scale are those of their natural logarithm: " + join(names, ", ") + ".";
}

std::string nugget_sentence(double high) {
  const std::string what = "Look for a small nugget if the simulator is deterministic: it is the share of noise. ";
  if (high < 1e-4) return what + "Here it is below 0.0001: the emulator passes through its runs.";
  return what + "Here up to " + percent(high, 2) +
         " of the process variance may be noise, or detail that the runs do not resolve.";
}

LengthScaleSection length_scale_section(const MemberRecord& fit, const std::vector<Index>& order) {
  const Index p = fit.data.num_inputs();
  const Matrix draws = draw_rows(fit);
  LengthScaleSection section;
  for (const Index d : order) {
    const Vector lengths = draws.col(p + d);
    section.rows.push_back({fit.data.input_names()[static_cast<std::size_t>(d)], fit.scaling.low()[d],
                            fit.scaling.high(d), quantile_row(lengths, fit.sample.weights),
                            quantile_row(lengths / fit.scaling.length_units()[d], fit.sample.weights)});
  }
  section.sentence = length_scale_sentence(section.rows) + log_scale_sentence(fit);
  return section;
}

NuggetSection nugget_section(const MemberRecord& fit) {
  const QuantileRow quantiles = quantile_row(draw_rows(fit).col(2 * fit.data.num_inputs()), fit.sample.weights);
  return {quantiles, make_space(fit).samples_nugget(), nugget_sentence(quantiles.q975)};
}

// ---- its posterior: draws for the pair plot, modes with names and what they predict differently ----

constexpr Index kPairDraws = 500;
constexpr Index kComparedPoints = 256;

NaturalNumbers natural_numbers(const MemberRecord& fit, VectorView position) {
  const NaturalPoint point = natural_point(fit, position);
  NaturalNumbers numbers(point.length_scales.begin(), point.length_scales.end());
  if (make_space(fit).samples_nugget()) numbers.push_back(point.nugget);
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
  // Chain 3: 1 is leave-one-out's (workflow/left_out.cpp), 4 that of joint replicates (workflow/chance_law.cpp).
  Stream stream({fit.options.annealing.seed, Purpose::thinning, 1, 3, 0});
  std::vector<PairDraw> draws;
  for (const Index draw : thin(fit.sample.weights, kPairDraws, stream).kept) {
    const auto position = fit.sample.positions.col(draw);
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

std::string ignored_inputs(const MemberRecord& fit, const Eigen::Ref<const Eigen::RowVectorXd>& active) {
  Texts names;
  for (Index d = 0; d < active.size(); ++d) {
    if (active[d] == 0.0) names.push_back(fit.data.input_names()[static_cast<std::size_t>(d)]);
  }
  return join(names, ", ");
}

// What tells a mode from the heaviest one: the coordinate in which they are farthest apart, for the heavier one's
// spread.
std::string difference_from_first(const MemberRecord& fit, const Mode& mode) {
  const Mode& first = fit.modes.front();
  Index farthest = 0;
  ((mode.position - first.position).array().abs() / first.sd.array().max(1e-6)).maxCoeff(&farthest);
  const NaturalPoint here = natural_point(fit, mode.position), there = natural_point(fit, first.position);
  const auto change = [](double now, double before) {
    return " " + format_number(now, 2) + " instead of " + format_number(before, 2);
  };
  const Index after_nugget = farthest - make_space(fit).first_normal();
  if (after_nugget >= 0) {
    const auto& [name, value] = here.others[static_cast<std::size_t>(after_nugget)];
    return name + change(value, there.others[static_cast<std::size_t>(after_nugget)].second);
  }
  if (farthest == fit.data.num_inputs()) return "nugget" + change(here.nugget, there.nugget);
  return "length-scale of " + fit.data.input_names()[static_cast<std::size_t>(farthest)] +
         change(here.length_scales[farthest], there.length_scales[farthest]);
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
  const Matrix active = activity_by_draw(predictive, executor).active;
  const Matrix points = random_points(fit, kComparedPoints, 2);
  const Matrix means = predictive.mixtures(points, Predict::latent, executor).means;
  const std::string ignored_by_first = ignored_inputs(fit, active.row(0));
  std::vector<ModeRow> modes;
  for (std::size_t m = 0; m < fit.modes.size(); ++m) {
    const Mode& mode = fit.modes[m];
    const auto row = static_cast<Index>(m);
    const Eigen::RowVectorXd difference = means.row(row) - means.row(0);
    Index where = 0;
    const double largest = difference.cwiseAbs().maxCoeff(&where);
    const std::string description = mode_description(fit, m, ignored_inputs(fit, active.row(row)), ignored_by_first);
    std::vector<NamedNumber> at;
    for (Index d = 0; d < p; ++d) {
      at.push_back({fit.data.input_names()[static_cast<std::size_t>(d)], points(where, d)});
    }
    const std::string number = std::to_string(m + 1);
    modes.push_back({row + 1, mode.weight, error_from_groups(mode.group_weights), description,
                     "mode " + number + ", weight " + format_number(mode.weight, 2) + ": " + description,
                     natural_numbers(fit, mode.position), mode.energy, m == 0,
                     std::sqrt(difference.squaredNorm() / static_cast<double>(kComparedPoints)), largest, at});
  }
  return modes;
}

std::string modes_sentence(const std::vector<ModeRow>& modes) {
  const std::string what = "Look for separate clouds: each is a different reading of the same runs. ";
  if (modes.empty()) return what + "Here no modes were sought.";
  if (modes.size() == 1) return what + "Here there is one mode, which " + modes[0].description + ".";
  return what + "Here there are " + std::to_string(modes.size()) + ": " + join(modes, "; ", &ModeRow::name) + ".";
}

PosteriorSection posterior_section(const MemberRecord& fit, Executor& executor) {
  PosteriorSection section;
  for (Index d = 0; d < fit.data.num_inputs(); ++d) {
    const std::string& input = fit.data.input_names()[static_cast<std::size_t>(d)];
    section.coordinates.push_back(
        {input, "length-scale of " + (fit.scaling.is_log(d) ? "log " + input : input), false});
  }
  if (make_space(fit).samples_nugget()) section.coordinates.push_back({"nugget", "nugget", true});
  section.draws = pair_draws(fit);
  section.all_draws = fit.sample.size();
  section.modes = mode_rows(fit, executor);
  section.map = {natural_numbers(fit, fit.map.position), fit.map.energy};
  section.sentence = modes_sentence(section.modes);
  return section;
}

}  // namespace

std::optional<AverageSection> average_section(const OutputRecord& output) {
  if (is_single(output)) return std::nullopt;
  const std::vector<std::size_t> order = heaviest_first(output);
  const std::vector<WeightInterval> intervals = intervals_of(output);
  AverageSection section{
      to_word(output.weighting), static_cast<Index>(output.members.size()), {}, {}, !intervals.empty(),
      sentence_on(output, order)};
  for (const std::size_t k : order) {
    const MemberRecord& fit = output.members[k];
    AverageRow row;
    row.model = label_of(output, k), row.weight = output.weights[k];
    row.modes = static_cast<Index>(fit.modes.size());
    row.sampler = to_word(check_sampler(fit).status);
    if (!intervals.empty()) row.low = intervals[k].low, row.high = intervals[k].high;
    if (fit.evidence) row.log_evidence = fit.evidence->log_evidence, row.error = fit.evidence->standard_error;
    section.rows.push_back(row);
    section.summary += (section.summary.empty() ? "" : ", ") + row.model + " " + weight_text(output.weights[k]);
  }
  return section;
}

std::vector<MemberSection> member_sections(const OutputRecord& output, const std::vector<Index>& order,
                                           Executor& executor) {
  std::vector<MemberSection> sections;
  for (const std::size_t k : heaviest_first(output)) {
    const MemberRecord& fit = output.members[k];
    sections.push_back({static_cast<Index>(sections.size()), label_of(output, k), output.weights[k],
                        label_of(output, k) + ", weight " + weight_text(output.weights[k]),
                        length_scale_section(fit, order), nugget_section(fit), posterior_section(fit, executor),
                        sampler_section(fit)});
  }
  return sections;
}

}  // namespace ta2s2::report
