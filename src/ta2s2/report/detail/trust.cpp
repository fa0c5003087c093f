#include "ta2s2/report/detail/trust.hpp"

#include <algorithm>

#include "ta2s2/report/detail/count_law.hpp"

namespace ta2s2::detail {
namespace {

using report::counted, report::number_text, report::percent_text;

// A right emulator is called untrustworthy once in a thousand reports, and looked at with care once in forty.
constexpr double kBadTail = 0.001;
constexpr double kCareTail = 0.025;
// Below half of the variance a mean of the runs does nearly as well.
constexpr double kLeastExplained = 0.5;
// Widths of an input's range that a design leaves free at its ends.
constexpr double kHardlyOutside = 0.05;
// A model of an average that weighs less is not looked at: an evidence would have to be wrong by seven to lift it.
constexpr double kNegligibleWeight = 0.001;

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string uncapitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

const char* word(Trust level) {
  switch (level) {
    case Trust::good:
      return "good";
    case Trust::note:
      return "note";
    case Trust::care:
      return "care";
    case Trust::bad:
      return "bad";
  }
  return "";
}

Trust level_of(VerdictStatus status) {
  if (status == VerdictStatus::converged) return Trust::good;
  const bool is_wrong = status == VerdictStatus::not_converged || status == VerdictStatus::not_exact;
  return is_wrong ? Trust::bad : Trust::care;
}

std::string sampler_text(const Verdict& verdict) {
  switch (verdict.status) {
    case VerdictStatus::converged:
      return "The sampler converged: its groups of chains agree" +
             (verdict.check.empty() ? std::string(".") : ", and " + verdict.check + ".");
    case VerdictStatus::not_converged:
      return "The sampler has not converged: ";
    case VerdictStatus::not_exact:
      return "The settings do not sample the posterior: ";
    case VerdictStatus::unchecked:
      return "Whether the sampler converged is not known: ";
    case VerdictStatus::no_sample:
      return "There is no posterior sample: ";
  }
  return "";
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator = "; ") {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

// The verdict's caveats, those of long length-scales in one sentence: they are the rule where inputs do little.
std::vector<TrustReason> judge_borders(const MemberRecord& fit) {
  std::vector<std::string> flat, other;
  for (const CoordinateDiagnostics& d : fit.diagnostics) {
    const std::string prefix = "log_phi_";
    const bool is_length = d.name.rfind(prefix, 0) == 0;
    if (d.mass_near_low >= kMuchMassNearBorder) other.push_back(d.name + " (lower border)");
    if (d.mass_near_high < kMuchMassNearBorder) continue;
    is_length ? flat.push_back(d.name.substr(prefix.size())) : other.push_back(d.name + " (upper border)");
  }
  std::vector<TrustReason> reasons;
  if (!flat.empty()) {
    reasons.push_back({Trust::note,
                       "Length-scales reach the upper border of their box for " + joined(flat, ", ") +
                           ": these runs hardly depend on them, or only linearly.",
                       ""});
  }
  if (!other.empty()) {
    reasons.push_back({Trust::care, "The box decides part of the posterior of " + joined(other, ", ") + ".",
                       "Widen --box or --nugget-box and see whether predictions change"});
  }
  return reasons;
}

// What is true of some models of an average.
struct ReasonOfModels {
  TrustReason reason;
  std::vector<std::size_t> models;
};

void add_reason(std::vector<ReasonOfModels>& found, const TrustReason& reason, std::size_t model) {
  for (ReasonOfModels& known : found) {
    if (known.reason.text == reason.text && known.reason.advice == reason.advice) return known.models.push_back(model);
  }
  found.push_back({reason, {model}});
}

std::string models_text(const OutputRecord& output, const std::vector<std::size_t>& models) {
  if (models.size() == output.members.size()) return "every model";
  std::vector<std::string> names;
  for (const std::size_t k : models) {
    names.push_back(member_label(output.members[k].options) + " (weight " + format_number(output.weights[k], 2) + ")");
  }
  return joined(names, " and ");
}

// The worst of the models that count.
VerdictStatus sampler_status(const OutputRecord& output) {
  VerdictStatus worst = judge(heaviest_member(output)).status;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    const VerdictStatus status = judge(output.members[k]).status;
    if (output.weights[k] >= kNegligibleWeight && level_of(status) > level_of(worst)) worst = status;
  }
  return worst;
}

}  // namespace

std::vector<TrustReason> judge_sampler(const MemberRecord& fit) {
  const Verdict verdict = judge(fit);
  std::string text = sampler_text(verdict);
  if (verdict.status != VerdictStatus::converged) text += joined(verdict.reasons) + ".";
  std::vector<TrustReason> reasons{{level_of(verdict.status), text, capitalised(joined(verdict.advice))}};
  const std::vector<TrustReason> borders = judge_borders(fit);
  reasons.insert(reasons.end(), borders.begin(), borders.end());
  return reasons;
}

std::vector<TrustReason> judge_samplers(const OutputRecord& output) {
  if (is_single(output)) return judge_sampler(output.members.front());
  std::vector<ReasonOfModels> found;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    if (output.weights[k] < kNegligibleWeight) continue;
    for (const TrustReason& reason : judge_sampler(output.members[k])) add_reason(found, reason, k);
  }
  std::vector<TrustReason> reasons;
  for (const ReasonOfModels& each : found) {
    const std::string where = models_text(output, each.models);
    reasons.push_back({each.reason.level, "In " + where + " " + uncapitalised(each.reason.text), each.reason.advice});
  }
  return reasons;
}

std::vector<TrustReason> judge_predictions(const JudgedPredictions& runs, const std::string& which) {
  if (runs.posterior.empty()) return {{Trust::care, "No run can be left out: each is needed by the trend.", ""}};
  const auto n = static_cast<Index>(runs.posterior.size());
  const Index inside = num_covered(runs.posterior, 0.95), half = num_covered(runs.posterior, 0.5);
  const double too_few = runs.chance.of(n, central_range(0.95)).at_most(inside);
  const double too_many = runs.chance.of(n, central_range(0.5)).at_least(half);
  const std::string found = std::to_string(inside) + " of " + std::to_string(n) + " " + which + " (" +
                            percent(static_cast<double>(inside) / static_cast<double>(n), 3) +
                            ") lie in their 95% intervals";
  std::vector<TrustReason> reasons;
  if (too_few < kCareTail) {
    reasons.push_back({too_few < kBadTail ? Trust::bad : Trust::care,
                       "Only " + found + ": predictions are less certain than they say.",
                       "Look at the residuals; try --correlation matern32, another --trend, or more runs"});
  } else if (too_many < kBadTail) {
    reasons.push_back({Trust::note,
                       capitalised(found) + ", and " + std::to_string(half) +
                           " in their 50% intervals: intervals are wider than needed.",
                       ""});
  } else {
    reasons.push_back({Trust::good, capitalised(found) + ", as expected.", ""});
  }
  const double explained = runs.explained();
  const std::string accuracy =
      "Predicted means explain " + percent(std::max(explained, 0.0), 3) + " of the variance of the " + which;
  if (explained < kLeastExplained) {
    reasons.push_back(
        {Trust::care, accuracy + ": intervals may be right, but they are wide.", "More runs would narrow them"});
  } else {
    reasons.push_back({Trust::good, accuracy + ".", ""});
  }
  return reasons;
}

std::vector<TrustReason> judge_reliability(const LeftOutPredictions& left_out) {
  std::vector<TrustReason> reasons;
  if (left_out.num_unreliable() > 0) {
    reasons.push_back({Trust::care,
                       "Leave-one-out of " + counted(left_out.num_unreliable(), "run") +
                           " rests on few draws (k-hat above 0.7): these runs change the posterior much.",
                       "Trust validation runs more than leave-one-out"});
  }
  if (!left_out.cannot_miss.empty()) {
    reasons.push_back({Trust::note,
                       counted(static_cast<long long>(left_out.cannot_miss.size()), "run") +
                           " cannot be left out: the trend needs them.",
                       ""});
  }
  return reasons;
}

std::vector<TrustReason> judge_extrapolation(const ValidationPredictions& validation) {
  const auto outside = std::count(validation.is_outside.begin(), validation.is_outside.end(), true);
  if (outside == 0) return {};
  const bool is_far = validation.farthest > kHardlyOutside;
  return {{is_far ? Trust::care : Trust::note,
           counted(outside, "validation run") + " of " + std::to_string(validation.is_outside.size()) + " lie" +
               (outside == 1 ? "s" : "") + " outside the inputs' ranges, by up to " +
               percent(validation.farthest, 2) + " of a range: there the emulator extrapolates.",
           is_far ? "Declare the ranges with --ranges and add runs near their ends" : ""}};
}

report::VerdictSection verdict_section(const OutputRecord& output, const LeftOutPredictions& left_out,
                                       const ValidationPredictions* validation) {
  std::vector<TrustReason> reasons = judge_samplers(output);
  const auto add = [&](const std::vector<TrustReason>& more) {
    reasons.insert(reasons.end(), more.begin(), more.end());
  };
  if (validation) add(judge_predictions(validation->runs, "validation runs"));
  add(judge_predictions(left_out.runs, "left-out runs"));
  if (validation) add(judge_extrapolation(*validation));
  add(judge_reliability(left_out));
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const TrustReason& a, const TrustReason& b) { return a.level > b.level; });
  const Trust worst = reasons.front().level;
  const bool is_bad = worst == Trust::bad, is_care = worst == Trust::care;
  report::VerdictSection section{is_bad    ? "red"
                                 : is_care ? "amber"
                                           : "green",
                                 is_bad    ? "Do not trust this emulator yet"
                                 : is_care ? "Use this emulator with care"
                                           : "This emulator can be trusted",
                                 to_word(sampler_status(output)),
                                 {},
                                 {}};
  for (const TrustReason& reason : reasons) {
    section.reasons.push_back({word(reason.level), reason.text});
    const std::string advice = reason.advice + ".";
    const bool is_known = std::find(section.advice.begin(), section.advice.end(), advice) != section.advice.end();
    if (!reason.advice.empty() && !is_known) section.advice.push_back(advice);
  }
  if (section.advice.empty()) {
    section.advice.push_back(validation ? "Predict with ta2s2 predict, within the ranges below."
                                        : "Predict with ta2s2 predict, within the ranges below; if you have runs to "
                                          "spare, add --validation test.csv to this report.");
  }
  return section;
}

}  // namespace ta2s2::detail
