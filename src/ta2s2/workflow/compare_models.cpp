#include "ta2s2/workflow/compare_models.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> split_outside_parentheses(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

double mean_of_known(const Vector& values) {
  double sum = 0.0, count = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1.0;
  }
  return sum / count;
}

// What keeps evidences from being compared, a sentence each.
std::vector<std::string> incomparable(const ModelChoices& grid, const FitOptions& base) {
  std::vector<std::string> problems;
  if (contains(grid.trends, "none") && grid.trends.size() > 1) {
    problems.push_back(
        "--trend: none has no intercept, and the intercept's prior is flat, so that its evidence does not compare with "
        "those of other trends; leave none out, or compare it alone");
  }
  if (base.exponent == Exponent::paper) {
    problems.push_back("--exponent paper leaves constants out that an evidence needs; choose --exponent model");
  }
  const SamplerSpec& sampler = find_sampler(base.sampler);
  if (base.fast) {
    problems.push_back("--fast draws no sample, and so gives no evidence to compare; leave it out");
  } else if (!sampler.gives_evidence) {
    problems.push_back("--sampler " + sampler.name + " gives no evidence; choose one that does, such as ta2s2");
  }
  if (base.annealing.anneal_to_zero) problems.push_back("--anneal-to 0 leaves no sample to score; choose 1");
  return problems;
}

ComparedFit fit_one(const OutputRuns& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                    Execution context) {
  const auto begin = Clock::now();
  ComparedFit model{.fit = fit(data, options, ranges, context), .left_out = {}, .weight_interval = {}};
  normalise_evidence(model.fit, context);
  model.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  model.left_out = left_out_scores(model.fit, context.executor);
  return model;
}

void weigh(std::vector<ComparedFit>& models, std::uint64_t seed) {
  std::vector<double> log_evidences, errors;
  std::vector<LeftOutScores> scores;
  for (const ComparedFit& model : models) {
    log_evidences.push_back(model.fit.evidence->log_evidence);
    errors.push_back(model.fit.evidence->standard_error);
    scores.push_back(model.left_out);
  }
  const std::vector<double> weights = evidence_weights(log_evidences), stacking = stacking_weights(scores);
  const std::vector<WeightInterval> intervals = evidence_weight_intervals(log_evidences, errors, seed);
  for (std::size_t k = 0; k < models.size(); ++k) {
    models[k].log_bayes_factor = log_evidences[k] - log_evidences.front();
    models[k].log_bayes_factor_error = k == 0 ? 0.0 : std::hypot(errors[k], errors.front());
    models[k].weight = weights[k];
    models[k].weight_interval = intervals[k];
    models[k].stacking_weight = stacking[k];
  }
}

std::vector<std::string> notices_of(const std::vector<ComparedFit>& models) {
  std::vector<std::string> notices;
  Index tied = 0;
  for (std::size_t k = 1; k < models.size(); ++k) {
    tied += -models[k].log_bayes_factor < 2.0 * models[k].log_bayes_factor_error ? 1 : 0;
  }
  if (tied > 0) {
    notices.push_back(counted(tied, "model") + (tied == 1 ? " is" : " are") +
                      " within two standard errors of the best evidence: raise --samples to tell them apart");
  }
  Index unreliable = 0;
  for (const ComparedFit& model : models) unreliable = std::max(unreliable, model.left_out.num_unreliable);
  if (unreliable > 0) {
    notices.push_back("leave-one-out scores rest on few draws for up to " + std::to_string(unreliable) + " of " +
                      std::to_string(models.front().fit.data.num_runs()) + " runs");
  }
  return notices;
}

}  // namespace

std::vector<std::string> parse_choices(const std::string& option, const std::string& text,
                                       const std::vector<std::string>& all, const std::string& otherwise) {
  if (text.empty()) return {otherwise};
  if (trimmed(text) == "all" && !all.empty()) return all;
  const std::vector<std::string> parts = split_outside_parentheses(text);
  if (once(parts).size() == parts.size() && !contains(parts, "")) return parts;
  throw Error(ErrorCode::usage, "--" + option + ": found \"" + text + "\", expected " +
                                    (all.empty() ? "" : "all, or ") + "choices separated by commas, each once");
}

std::vector<std::string> parse_correlations(const std::string& text) {
  if (text.empty() || text == kAutomatic) return {"squared-exponential", "matern52", "matern32"};
  return parse_choices("correlation", text, covariance_examples(), "");
}

namespace {

// Every setting with each of its choices, the last one's changing first.
std::vector<std::vector<Setting>> combinations(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& varied) {
  std::vector<std::vector<Setting>> all(1);
  for (const auto& [name, choices] : varied) {
    std::vector<std::vector<Setting>> longer;
    for (const std::vector<Setting>& settings : all) {
      for (const std::string& choice : choices) {
        longer.push_back(settings);
        longer.back().push_back({name, choice});
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::vector<ValidFitOptions> expand(const ModelChoices& grid, const FitOptions& base) {
  std::vector<std::string> problems = incomparable(grid, base);
  std::vector<ValidFitOptions> models;
  for (const std::vector<Setting>& settings : combinations({{"correlation", grid.correlations},
                                                            {"transform", grid.transforms},
                                                            {"trend", grid.trends},
                                                            {"prior", grid.priors}})) {
    FitOptions options = for_single_model(base);
    options.weighs_evidence = true;
    if (grid.trends.size() > 1) options.trend_prior = TrendPrior::unit_information;
    try {
      apply_settings(options, settings);
      models.emplace_back(options);
    } catch (const Error& error) {
      add_once(problems, error.what());
    }
  }
  if (problems.empty()) return models;
  throw Error(ErrorCode::usage, join(problems, "\n"));
}

double ComparedFit::mean_crps() const {
  return mean_of_known(left_out.crps);
}

double ComparedFit::mean_log_density() const {
  return mean_of_known(left_out.log_density);
}

ComparedFits compare_fits(const OutputRuns& data, const std::vector<ValidFitOptions>& models,
                          const std::vector<InputRange>& ranges, Execution context,
                          const ComparisonProgress& progress) {
  ComparedFits comparison;
  for (const ValidFitOptions& options : models) {
    const auto number = static_cast<Index>(comparison.models.size() + 1);
    if (progress) progress(number, static_cast<Index>(models.size()), options.get());
    comparison.models.push_back(fit_one(data, options, ranges, context));
  }
  std::stable_sort(comparison.models.begin(), comparison.models.end(), [](const ComparedFit& a, const ComparedFit& b) {
    return a.fit.evidence->log_evidence > b.fit.evidence->log_evidence;
  });
  weigh(comparison.models, models.front()->annealing.seed);
  comparison.notices = notices_of(comparison.models);
  return comparison;
}

}  // namespace ta2s2
