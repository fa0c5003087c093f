#include "ta2s2/report/detail/average_section.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/predictive/model_weights.hpp"
#include "ta2s2/report/detail/parameters_section.hpp"
#include "ta2s2/report/detail/posterior_section.hpp"
#include "ta2s2/report/detail/run_section.hpp"
#include "ta2s2/workflow/judge.hpp"

namespace ta2s2::detail {
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
  if (output.weighting != "evidence") return {};
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

std::string evidence_sentence(const OutputRecord& output, const std::vector<std::size_t>& order) {
  const std::string what =
      "Look for one long bar: the runs then tell which model made them, and the average predicts as that one. Each bar "
      "is the probability of a model given the runs, if all were equally likely before; the line is where Monte Carlo "
      "error lets it lie, 5% to 95%. ";
  const Evidence &first = *output.members[order[0]].evidence, &second = *output.members[order[1]].evidence;
  const double ahead = first.log_evidence - second.log_evidence;
  const double error = std::hypot(first.standard_error, second.standard_error);
  return what + "Here " + label_of(output, order[0]) + " has " + number_text(output.weights[order[0]], 3) +
         ": its log evidence is " + number_text(ahead, 3) + " +- " + number_text(error, 2) + " above that of " +
         label_of(output, order[1]) + ".";
}

std::string sentence_on(const OutputRecord& output, const std::vector<std::size_t>& order) {
  if (output.weighting == "evidence") return evidence_sentence(output, order);
  const std::string here =
      "Here " + label_of(output, order[0]) + " has " + number_text(output.weights[order[0]], 3) + ".";
  if (output.weighting == "stacking") {
    return "Look for bars that are all long: then the models err in different places, and the average is better than "
           "any. "
           "Weights by stacking are those whose mixture predicts the left-out runs best; they are no probabilities of "
           "models. " +
           here;
  }
  return "Look at the evidences: all models weigh the same, whatever the runs say of them. " + here;
}

// As in a sentence: a weight too small to be told from nothing is not written as a number.
std::string weight_text(double weight) {
  return weight < 0.001 ? "below 0.001" : number_text(weight, 3);
}

}  // namespace

Json average_json(const OutputRecord& output) {
  if (is_single(output)) return {};
  const std::vector<std::size_t> order = heaviest_first(output);
  const std::vector<WeightInterval> intervals = intervals_of(output);
  Json rows = Json::array();
  for (const std::size_t k : order) {
    const MemberRecord& fit = output.members[k];
    Json row = {{"model", label_of(output, k)}, {"weight", shown(output.weights[k])}};
    row["low"] = intervals.empty() ? Json() : Json(shown(intervals[k].low));
    row["high"] = intervals.empty() ? Json() : Json(shown(intervals[k].high));
    row["log_evidence"] = fit.evidence ? Json(shown(fit.evidence->log_evidence)) : Json();
    row["error"] = fit.evidence ? Json(shown(fit.evidence->standard_error)) : Json();
    row["modes"] = fit.modes.size();
    row["sampler"] = to_word(check_sampler(fit).status);
    rows.push_back(row);
  }
  std::string summary;
  for (const std::size_t k : order) {
    summary += (summary.empty() ? "" : ", ") + label_of(output, k) + " " + weight_text(output.weights[k]);
  }
  return {{"weighting", output.weighting},
          {"num_models", output.members.size()},
          {"rows", rows},
          {"summary", summary},
          {"has_intervals", !intervals.empty()},
          {"sentence", sentence_on(output, order)}};
}

Json models_json(const OutputRecord& output, const std::vector<Index>& order, Executor& executor) {
  Json models = Json::array();
  for (const std::size_t k : heaviest_first(output)) {
    const MemberRecord& fit = output.members[k];
    models.push_back({{"index", models.size()},
                      {"label", label_of(output, k)},
                      {"weight", shown(output.weights[k])},
                      {"title", label_of(output, k) + ", weight " + weight_text(output.weights[k])},
                      {"length_scales", length_scales_json(fit, order)},
                      {"nugget", nugget_json(fit)},
                      {"posterior", posterior_json(fit, executor)},
                      {"run", run_json(fit)}});
  }
  return models;
}

}  // namespace ta2s2::detail
