#include "ta2s2/workflow/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/predictive/sensitivity.hpp"

namespace ta2s2 {
namespace {

// An interval is then 5% wider than without the error, at least: sqrt(1 - 0.3^2) = 0.954.
constexpr double kNotableErrorShare = 0.3;
constexpr double kNotableShareOutside = 1e-3;

// By values of the sample: the least that is not below a share of them.
PosteriorInterval interval_of(Vector values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double level) {
    return values[static_cast<Index>(std::ceil(level * static_cast<double>(values.size()))) - 1];
  };
  return {at(0.5), at(0.025), at(0.975)};
}

double standard_deviation(const Vector& values) {
  return std::sqrt((values.array() - values.mean()).square().mean());
}

void add_effects(const Matrix& effects, InputSensitivity& input) {
  const Index size = effects.cols();
  input.effect_mean = effects.colwise().mean();
  input.effect_low = input.effect_median = input.effect_high = Vector(size);
  for (Index i = 0; i < size; ++i) {
    const PosteriorInterval at = interval_of(effects.col(i));
    input.effect_low[i] = at.low;
    input.effect_median[i] = at.median;
    input.effect_high[i] = at.high;
  }
}

InputSensitivity summarise_input(const SensitivitySample& sample, Index d, const InputDistribution& distribution,
                                 const std::string& name) {
  const auto number = static_cast<std::size_t>(d);
  const Vector first = sample.first.col(d), total = sample.total.col(d);
  InputSensitivity input;
  input.name = name;
  input.distribution = distribution.spec();
  input.first = interval_of(first);
  input.total = interval_of(total);
  input.interactions = interval_of(total - first);
  input.p_inert = (total.array() < kInertShare).cast<double>().mean();
  input.first_error = sample.first_errors[d];
  input.total_error = sample.total_errors[d];
  input.grid = sample.grids[number];
  add_effects(sample.effects[number], input);
  return input;
}

double share_outside(const InputDistributions& inputs, const Scaling& scaling) {
  double inside = 1.0;
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    const auto column = static_cast<Index>(d);
    // A range that came through text or arithmetic may miss the emulator's by rounding.
    constexpr double kSlack = 1e-9;
    const Vector ends = scaling.to_user(column, Vector{{-kSlack, 1.0 + kSlack}});
    inside *= inputs[d]->share_within(ends[0], ends[1]);
  }
  return 1.0 - inside;
}

// Error{usage} for a distribution with values that have no logarithm where the model takes it.
void require_positive(const InputDistribution& distribution) {
  if (distribution.quantile(0.0) > 0.0) return;
  throw Error(ErrorCode::usage, "found the distribution " + distribution.spec() +
                                    ", expected one of positive values, because this input has a log scale");
}

// Whether one of the models holds sums of functions of few inputs for likely.
bool knows_sums(const Predictive& predictive) {
  for (Index draw = 0; draw < predictive.num_draws(); ++draw) {
    if (predictive.model_of(draw).covariance().constant_share() > 0.0) return true;
  }
  return false;
}

std::vector<std::string> notices_of(const Sensitivity& result, const SensitivitySample& sample,
                                    const Predictive& predictive) {
  std::vector<std::string> notices;
  if (result.share_outside > kNotableShareOutside) {
    notices.push_back(format_number(100.0 * result.share_outside, 2) +
                      "% of the inputs' distribution lies outside the ranges that the emulator was made for, where it "
                      "extrapolates");
  }
  std::vector<std::string> rough;
  for (std::size_t d = 0; d < result.inputs.size(); ++d) {
    const double sd = standard_deviation(sample.total.col(static_cast<Index>(d)));
    if (result.inputs[d].total_error > kNotableErrorShare * sd) rough.push_back(result.inputs[d].name);
  }
  if (!rough.empty()) {
    notices.push_back("numerical integration widens the intervals of " + join(rough, ", ") +
                      " by 5% or more; more points make them narrower (--points)");
  }
  if (!knows_sums(predictive)) {
    notices.push_back(
        "if inputs act mostly one by one, these intervals are too narrow; a fit with --average-over structures "
        "--weighting equal allows for that");
  }
  return notices;
}

}  // namespace

InputDistributions match_inputs(const std::vector<InputStatement>& statements, const std::vector<std::string>& names,
                                const Predictive& predictive) {
  InputDistributions inputs = uniform_inputs(predictive);
  std::vector<std::string> problems;
  for (const InputStatement& statement : statements) {
    const std::string where = statement.where.empty() ? "" : statement.where + ": ";
    const auto found = std::find(names.begin(), names.end(), statement.name);
    if (found == names.end()) {
      problems.push_back(where + "found the input \"" + statement.name + "\", expected one of " + join(names, ", "));
      continue;
    }
    try {
      const auto input = found - names.begin();
      auto distribution = make_input_distribution(statement.distribution);
      if (predictive.scaling().is_log(input)) require_positive(*distribution);
      inputs[static_cast<std::size_t>(input)] = std::move(distribution);
    } catch (const Error& error) {
      problems.push_back(where + statement.name + ": " + error.what());
    }
  }
  if (!problems.empty()) throw Error(ErrorCode::usage, join(problems, "; "));
  return inputs;
}

Sensitivity summarise_sensitivity(SensitivitySample sample, const InputDistributions& inputs,
                                  const std::vector<std::string>& names, const Predictive& predictive,
                                  const Activity& activity) {
  Sensitivity result;
  result.num_paths = sample.first.rows();
  result.mean = interval_of(sample.means);
  result.variance = interval_of(sample.variances);
  result.additive = interval_of(sample.first.rowwise().sum());
  result.share_outside = share_outside(inputs, predictive.scaling());
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    result.inputs.push_back(summarise_input(sample, static_cast<Index>(d), *inputs[d], names[d]));
    result.inputs.back().p_active = activity.active[static_cast<Index>(d)];
  }
  result.notices = notices_of(result, sample, predictive);
  result.sample = std::move(sample);
  return result;
}

}  // namespace ta2s2
