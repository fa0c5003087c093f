#include <algorithm>
#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/recalibration.hpp"

namespace ta2s2 {
namespace {

using Limits = JudgeLimits;
using detail::percent, detail::rounded;

// Predictions of some runs beside what the simulator said of them.
struct Answers {
  std::string which;  // "left-out runs", "validation runs"
  std::string where;  // what follows a typical error if there are two of them
  double rmse = 0.0;
  std::vector<double> pit = {};
  ChanceLaw chance = {};

  Index size() const { return static_cast<Index>(pit.size()); }
  Index num_held(double level) const {
    return std::count_if(pit.begin(), pit.end(), [&](double u) { return std::abs(2.0 * u - 1.0) <= level; });
  }
};

Answers answers_of(const LeftOutFacts& facts, const Vector& outputs, const std::string& where) {
  Answers answers{"left-out runs", where};
  double sum = 0.0;
  for (Index i = 0; i < facts.num_runs(); ++i) {
    if (!facts.is_known(i)) continue;
    answers.pit.push_back(facts.pit[i]);
    sum += std::pow(outputs[i] - facts.mean[i], 2);
  }
  if (!answers.pit.empty()) answers.rmse = std::sqrt(sum / static_cast<double>(answers.size()));
  return answers;
}

Finding judge_accuracy(const Answers& answers, const Vector& outputs) {
  const double variance = (outputs.array() - outputs.mean()).square().mean();
  const double range = outputs.maxCoeff() - outputs.minCoeff();
  const double r_squared = variance > 0.0 ? 1.0 - answers.rmse * answers.rmse / variance : 0.0;
  const std::string error = "typical error " + rounded(answers.rmse) + " (" +
                            percent(range > 0.0 ? answers.rmse / range : 0.0) + " of the range)" + answers.where;
  if (r_squared >= Limits::cautious_r_squared) return {Question::accuracy, Grade::good, r_squared, error};
  const std::string explained = percent(std::round(100.0 * std::max(r_squared, 0.0)) / 100.0);
  if (r_squared >= Limits::bad_r_squared) {
    return {Question::accuracy, Grade::caution, r_squared,
            error + ": predicted means explain " + explained + " of the variance",
            "more runs would make predictions narrower"};
  }
  return {Question::accuracy, Grade::bad, r_squared,
          error + ": predicted means explain " + explained + " of the variance, the mean of all runs predicts as well",
          "look for an input that is missing or for noise; more runs, or another --correlation or --trend, may help"};
}

// By the law that allows chance more; one that was not simulated is that of independent runs.
double too_few_tail(const Answers& answers) {
  const Index n = answers.size(), held = answers.num_held(0.95);
  const PitRange range = central_range(0.95);
  return std::max(CountLaw::binomial(n, 0.95).at_most(held), answers.chance.of(n, range).at_most(held));
}

double too_many_tail(const Answers& answers) {
  const Index n = answers.size(), half = answers.num_held(0.5);
  return std::max(CountLaw::binomial(n, 0.5).at_least(half), answers.chance.of(n, central_range(0.5)).at_least(half));
}

std::vector<Finding> judge_coverage(const Answers& answers) {
  const Index n = answers.size(), held = answers.num_held(0.95), half = answers.num_held(0.5);
  const double share = static_cast<double>(held) / static_cast<double>(n), tail = too_few_tail(answers);
  const std::string found = std::to_string(held) + " of " + std::to_string(n) + " " + answers.which;
  if (tail < Limits::cautious_tail) {
    return {{Question::coverage, tail < Limits::bad_tail ? Grade::bad : Grade::caution, share,
             "95% intervals held only " + found + ": predictions are less certain than they say",
             "look at the residuals; try --correlation matern32, another --trend, or more runs"}};
  }
  if (n < Limits::fewest_runs) {
    return {{Question::coverage, Grade::unknown, share,
             "95% intervals held " + found + ": too few runs to tell whether they hold 95%",
             "judge it by more runs that it has not seen"}};
  }
  std::vector<Finding> findings{{Question::coverage, Grade::good, share, "95% intervals held " + found}};
  if (too_many_tail(answers) < Limits::wide_tail) {
    findings.push_back({Question::coverage, Grade::note, static_cast<double>(half) / static_cast<double>(n),
                        "50% intervals held " + std::to_string(half) + " of " + std::to_string(n) + " " +
                            answers.which + ": intervals are wider than needed"});
  }
  return findings;
}

std::vector<Finding> judge_recalibration(const OutputRecord& output) {
  if (!output.recalibration || *output.recalibration == 1.0) return {};
  return {{Question::coverage, Grade::note, *output.recalibration, recalibration_text(*output.recalibration)}};
}

std::vector<Finding> judge_answers(const Answers& answers, const Vector& outputs) {
  if (answers.pit.empty()) {
    return {{Question::accuracy,
             Grade::unknown,
             {},
             "typical error unknown" + answers.where +
                 ": no run can be predicted from the others, which are too few for the trend",
             "judge it by runs that it has not seen"}};
  }
  std::vector<Finding> findings{judge_accuracy(answers, outputs)};
  for (Finding& finding : judge_coverage(answers)) findings.push_back(std::move(finding));
  return findings;
}

std::vector<Finding> judge_reliability(const LeftOutFacts& facts, bool has_sample) {
  Index num_known = 0, num_unreliable = 0;
  for (Index i = 0; i < facts.num_runs(); ++i) {
    if (!facts.is_known(i)) continue;
    ++num_known;
    num_unreliable += has_sample && !(facts.k_hat[i] <= Limits::largest_shape) ? 1 : 0;
  }
  std::vector<Finding> findings;
  if (num_unreliable > 0) {
    const double share = static_cast<double>(num_unreliable) / static_cast<double>(num_known);
    findings.push_back({Question::reliability, share > Limits::unreliable_share ? Grade::caution : Grade::note, share,
                        "leave-one-out of " + std::to_string(num_unreliable) + " of " + counted(num_known, "run") +
                            " rests on few draws (k-hat above 0.7): " +
                            (num_unreliable == 1 ? "this run changes" : "these runs change") + " the posterior much",
                        "trust validation runs more than left-out ones"});
  }
  const Index num_needed = facts.num_runs() - num_known;
  if (num_known > 0 && num_needed > 0) {
    findings.push_back(
        {Question::reliability,
         Grade::note,
         {},
         counted(num_needed, "run") + " cannot be left out: the trend needs " + (num_needed == 1 ? "it" : "them")});
  }
  return findings;
}

std::vector<Finding> judge_extrapolation(const UnseenRuns& validation) {
  if (validation.num_outside == 0) return {};
  const auto n = static_cast<Index>(validation.pit.size());
  const bool is_far = validation.farthest > Limits::hardly_outside;
  return {{Question::extrapolation, is_far ? Grade::caution : Grade::note,
           static_cast<double>(validation.num_outside) / static_cast<double>(n),
           std::to_string(validation.num_outside) + " of " + counted(n, "validation run") + " lie" +
               (validation.num_outside == 1 ? "s" : "") + " outside the inputs' ranges, by up to " +
               percent(validation.farthest) + " of a range: there the emulator extrapolates",
           is_far ? "declare the ranges with --ranges and add runs near their ends" : ""}};
}

}  // namespace

bool needs_joint_law(const std::vector<double>& pit) {
  if (pit.empty()) return false;
  const Answers answers{"", "", 0.0, pit};
  return too_few_tail(answers) < Limits::cautious_tail || too_many_tail(answers) < Limits::wide_tail;
}

UnseenRuns make_validation(const OutputRecord& output, const OutputRuns& runs, double rmse, std::vector<double> pit,
                           Executor& executor) {
  UnseenRuns validation{rmse, std::move(pit)};
  const Matrix unit = output.members.front().scaling.to_unit(runs.inputs());
  for (Index i = 0; i < unit.rows(); ++i) {
    const double beyond = std::max(-unit.row(i).minCoeff(), unit.row(i).maxCoeff() - 1.0);
    validation.num_outside += beyond > 0.0 ? 1 : 0;
    validation.farthest = std::max(validation.farthest, beyond);
  }
  if (needs_joint_law(validation.pit)) validation.chance = replicate_jointly(output, runs, executor).chance;
  return validation;
}

namespace detail {

std::vector<Finding> judge_predictions(const OutputRecord& output, const LeftOutFacts& facts,
                                       const UnseenRuns* validation) {
  const MemberRecord& member = output.members.front();
  const Vector& outputs = member.data.output();
  std::vector<Finding> left_out =
      judge_answers(answers_of(facts, outputs, validation ? " on left-out runs" : ""), outputs);
  for (Finding& finding : judge_recalibration(output)) left_out.push_back(std::move(finding));
  for (Finding& finding : judge_reliability(facts, member.has_sample())) left_out.push_back(std::move(finding));
  if (!validation) return left_out;
  std::vector<Finding> findings =
      judge_answers({"validation runs", "", validation->rmse, validation->pit, validation->chance}, outputs);
  for (Finding& finding : judge_extrapolation(*validation)) findings.push_back(std::move(finding));
  for (Finding& finding : left_out) {
    finding.grade = Grade::note;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace detail
}  // namespace ta2s2
