#include "ta2s2/workflow/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {
namespace {

// Every check between groups may fail a good run with this chance: ten of them make one false alarm in a thousand runs.
constexpr double kFalseAlarm = 1e-4;
constexpr double kNormalQuantile = 3.719;  // of 1 - kFalseAlarm

// Quantile 1 - kFalseAlarm of chi-square over its degrees of freedom (Wilson and Hilferty 1931), good to 7%.
double scatter_limit(Index degrees_of_freedom) {
  const double spread = 2.0 / (9.0 * static_cast<double>(degrees_of_freedom));
  return std::pow(1.0 - spread + kNormalQuantile * std::sqrt(spread), 3);
}

// The groups together must be worth kLeastDraws independent draws, each of the G then kLeastDraws / G: the variance of
// their means is G / kLeastDraws of that within, times what chance makes of G - 1 degrees of freedom.
double largest_variance_ratio(Index num_groups) {
  return static_cast<double>(num_groups) / kLeastDraws * scatter_limit(num_groups - 1);
}

// Earlier levels leave some weight where a group has no state any more.
constexpr double kLostShare = 0.1;

// Chernoff: the share of successes among n draws of probability p is at most `share` < p with probability at most
// exp(-n divergence(share, p)). For none at all that is (1 - p)^n.
double divergence(double share, double p) {
  const double of_successes = share > 0.0 ? share * std::log(share / p) : 0.0;
  return of_successes + (share < 1.0 && p < 1.0 ? (1.0 - share) * std::log((1.0 - share) / (1.0 - p)) : 0.0);
}

std::string rounded(double value, const char* format = "%.2f") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string percent(double share) {
  return rounded(100.0 * share, "%.0f") + "%";
}

// At least twice as many, rounded up to one digit; more than sixteen times as many is another problem.
Index more_samples(Index samples, double factor) {
  const double wanted = static_cast<double>(samples) * std::clamp(factor, 2.0, 16.0);
  const double unit = std::pow(10.0, std::floor(std::log10(wanted)));
  constexpr double kMostSamples = 1e7;
  return static_cast<Index>(std::min(std::ceil(wanted / unit - 1e-9) * unit, kMostSamples));
}

class Judgement {
 public:
  explicit Judgement(const MemberRecord& record) : record_(record), num_groups_(record.num_groups()) {}

  Verdict verdict() && {
    check_exactness();
    check_draws();
    check_chain_length();
    if (num_groups_ > 1) check_groups();
    check_second_run();
    describe_border();
    settle();
    return std::move(verdict_);
  }

 private:
  void not_exact(const std::string& reason, const std::string& advice) {
    is_exact_ = false;
    verdict_.reasons.push_back(reason);
    if (!advice.empty()) verdict_.advice.push_back(advice);
  }

  // `factor`: how many times as many draws would do.
  void not_converged(const std::string& reason, double factor) {
    verdict_.reasons.push_back(reason);
    factor_ = std::max(factor_, factor);
  }

  void check_exactness() {
    const AnnealOptions& annealing = record_.options.annealing;
    if (!make_move(annealing.kernel)->is_exact()) {
      not_exact(
          "the " + annealing.kernel.name + " kernel does not leave the posterior invariant: spreads are too small",
          "use --kernel exact");
    }
    if (annealing.growth == Growth::tmcmc) {
      not_exact("TMCMC's chain lengths bias the sample, however large it is", "use --growth equal");
    }
    if (annealing.anneal_to_zero)
      not_exact("the draws close in on the posterior's maximum and are no sample of it", "");
  }

  void check_draws() {
    const double draws = sample_size(record_).of_chains;
    if (draws <= 0.0 || draws >= kLeastDraws) return;
    not_converged("the sample is worth only " + std::to_string(static_cast<int>(draws)) +
                      " independent draws in its worst coordinate, expected at least " + rounded(kLeastDraws, "%.0f"),
                  1.5 * kLeastDraws / draws);
  }

  // Short chains carry a plan's error from level to level. All groups share the plans: nothing else shows it.
  void check_chain_length() {
    if (!find_sampler(record_.options.sampler).is_annealed) return;
    if (record_.options.annealing.growth != Growth::equal || record_.levels.empty()) return;
    const LevelSummary& last = record_.levels.back();
    const Index length = last.num_states / std::max<Index>(last.num_chains, 1);
    const auto dim = static_cast<Index>(record_.diagnostics.size());
    const Index least = least_chain_length(dim);
    if (length >= least) return;
    const std::string reason = "chains of " + std::to_string(length) + " states are too short in " +
                               std::to_string(dim) + " dimensions, expected at least " + std::to_string(least);
    if (record_.options.annealing.chain_length > 0) {
      verdict_.reasons.push_back(reason);
      verdict_.advice.push_back("leave out --chain-length");
    } else {
      not_converged(reason, static_cast<double>(kMinChains * least) / static_cast<double>(last.num_states));
    }
  }

  void check_groups() {
    check_r_hat();
    for (std::size_t m = 0; m < record_.modes.size(); ++m) check_mode(m);
    check_evidence();
  }

  void check_r_hat() {
    const auto worst =
        std::max_element(record_.diagnostics.begin(), record_.diagnostics.end(),
                         [](const auto& a, const auto& b) { return a.r_hat.value_or(1.0) < b.r_hat.value_or(1.0); });
    if (worst == record_.diagnostics.end()) return;
    const double r_hat = worst->r_hat.value_or(1.0);
    if (r_hat <= largest_r_hat(num_groups_)) return;
    not_converged("R-hat of " + worst->name + " is " + rounded(r_hat) + " between groups, expected at most " +
                      rounded(largest_r_hat(num_groups_)),
                  (r_hat * r_hat - 1.0) * kLeastDraws / static_cast<double>(num_groups_));
  }

  void check_mode(std::size_t m) {
    const std::vector<double>& weights = record_.modes[m].group_weights;
    if (static_cast<Index>(weights.size()) != num_groups_) return;
    const double weight = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(num_groups_);
    const std::string name = "mode " + std::to_string(m + 1) + ", of weight " + rounded(weight, "%.3f") + ",";
    // Independent draws, as many as the chains claim for a group, would hold so little of it by chance only.
    const double draws = record_.modes[m].effective_sample_size / static_cast<double>(num_groups_);
    const auto lacks_it = [&](double share) {
      return share < weight && draws * divergence(share, weight) > -std::log(kFalseAlarm);
    };
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
    const auto lost = std::count_if(weights.begin(), weights.end(),
                                    [&](double share) { return share < kLostShare * weight && lacks_it(share); });
    if (lost > 0) {
      not_converged(std::to_string(lost) + " of " + std::to_string(num_groups_) + " groups lost " + name, 4.0);
      return;
    }
    const double error = error_from_groups(weights).value_or(0.0);
    const double ratio = static_cast<double>(num_groups_) * error * error / (weight * (1.0 - weight));
    if (!(weight < 1.0) || !(ratio > largest_variance_ratio(num_groups_) || lacks_it(*least))) return;
    not_converged(name + " has from " + rounded(*least, "%.3f") + " to " + rounded(*most, "%.3f") + " in the groups",
                  ratio * kLeastDraws / static_cast<double>(num_groups_));
  }

  // The reported error comes from the scatter of chains, and of their ancestors two levels back. Groups share none.
  void check_evidence() {
    if (!record_.evidence) return;
    const double reported = record_.evidence->standard_error;
    const double found = error_from_groups(record_.evidence->by_group).value_or(0.0);
    if (!(found > reported * std::sqrt(scatter_limit(num_groups_ - 1)))) return;
    not_converged("the groups' log evidences scatter as for a standard error of " + rounded(found) + ", reported is " +
                      rounded(reported),
                  4.0);
  }

  void check_second_run() {
    if (!record_.check || record_.check->quantities.empty()) return;
    const auto worst = std::max_element(record_.check->quantities.begin(), record_.check->quantities.end(),
                                        [](const ComparedQuantity& a, const ComparedQuantity& b) {
                                          return standardised_difference(a) < standardised_difference(b);
                                        });
    const std::string run = "a second run with seed " + std::to_string(record_.check->seed);
    if (standardised_difference(*worst) <= kLargestDifference) {
      verdict_.check = run + " agrees";
      return;
    }
    not_converged(run + " disagrees: " + worst->name + " is " + rounded(worst->first, "%.4g") + " here, " +
                      rounded(worst->second, "%.4g") + " there, " + rounded(standardised_difference(*worst), "%.1f") +
                      " standard errors apart",
                  4.0);
  }

  void describe_border() {
    for (const CoordinateDiagnostics& d : record_.diagnostics) {
      for (const auto& [mass, side] : {std::pair{d.mass_near_low, "lower"}, std::pair{d.mass_near_high, "upper"}}) {
        if (mass < kMuchMassNearBorder) continue;
        const bool is_inert = side == std::string("upper") && d.name.rfind("log_phi_", 0) == 0;
        verdict_.caveats.push_back(percent(mass) + " of the posterior of " + d.name + " lies near the " + side +
                                   " border of its box" +
                                   (is_inert ? ": these runs hardly depend on that input, or only linearly" : ""));
      }
    }
  }

  void settle() {
    if (factor_ > 0.0) {
      const Index samples = record_.options.annealing.num_samples;
      std::string advice = "raise --samples to " + std::to_string(more_samples(samples, factor_));
      if (!find_sampler(record_.options.sampler).is_annealed) {
        advice += ", or use --sampler ta2s2: chains that stay in different modes do not agree however long they are";
      }
      verdict_.advice.push_back(advice);
    }
    if (!is_exact_) {
      verdict_.status = VerdictStatus::not_exact;
    } else if (!verdict_.reasons.empty()) {
      verdict_.status = VerdictStatus::not_converged;
    } else if (num_groups_ < 2) {
      verdict_.status = VerdictStatus::unchecked;
      verdict_.reasons.push_back("there are no groups of chains to compare");
      verdict_.advice.push_back("fit with --groups 4");
    }
  }

  const MemberRecord& record_;
  Index num_groups_;
  bool is_exact_ = true;
  double factor_ = 0.0;
  Verdict verdict_;
};

}  // namespace

double largest_r_hat(Index num_groups) {
  return std::sqrt(1.0 + largest_variance_ratio(num_groups));
}

Verdict judge(const MemberRecord& record) {
  if (record.has_sample()) return Judgement(record).verdict();
  return {VerdictStatus::no_sample, {"only the posterior's maximum was sought"}, {}, {}, {}};
}

Verdict judge(const OutputRecord& output) {
  if (is_single(output)) return judge(output.members.front());
  Verdict worst = judge(heaviest_member(output));
  double weight = 0.0;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    Verdict verdict = judge(output.members[k]);
    if (verdict.status == VerdictStatus::converged || output.weights[k] < std::max(weight, kLittleWeight)) continue;
    for (std::string& reason : verdict.reasons) reason = member_label(output.members[k].options) + ": " + reason;
    worst = std::move(verdict);
    weight = output.weights[k];
  }
  return worst;
}

std::string to_word(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::converged:
      return "converged";
    case VerdictStatus::not_converged:
      return "not-converged";
    case VerdictStatus::not_exact:
      return "not-exact";
    case VerdictStatus::unchecked:
      return "unchecked";
    case VerdictStatus::no_sample:
      return "no-sample";
  }
  return "";
}

std::string sentence(const Verdict& verdict) {
  std::string text = to_word(verdict.status);
  std::replace(text.begin(), text.end(), '-', ' ');
  const char* separator = ": ";
  for (const auto* parts : {&verdict.reasons, &verdict.advice}) {
    for (const std::string& part : *parts) {
      text += separator + part;
      separator = "; ";
    }
  }
  return verdict.check.empty() ? text : text + "; " + verdict.check;
}

std::vector<std::string> warnings(const Verdict& verdict) {
  if (verdict.status == VerdictStatus::no_sample) return {};
  std::vector<std::string> sentences = verdict.caveats;
  if (verdict.status != VerdictStatus::converged) sentences.insert(sentences.begin(), sentence(verdict));
  return sentences;
}

}  // namespace ta2s2
