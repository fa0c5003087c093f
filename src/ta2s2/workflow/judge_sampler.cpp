#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/base/text.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/smc/passes.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2 {
namespace {

using Limits = JudgeLimits;

// Quantile 1 - Limits::false_alarm of chi-square over its degrees of freedom (Wilson and Hilferty 1931), good to 7%.
double scatter_limit(Index degrees_of_freedom) {
  const double spread = 2.0 / (9.0 * static_cast<double>(degrees_of_freedom));
  return std::pow(1.0 - spread + Limits::false_alarm_quantile * std::sqrt(spread), 3);
}

// The groups together must be worth Limits::least_draws independent draws, each of the G then Limits::least_draws / G:
// the variance of their means is G / Limits::least_draws of that within, times what chance makes of G - 1 degrees of
// freedom.
double largest_variance_ratio(Index num_groups) {
  return static_cast<double>(num_groups) / Limits::least_draws * scatter_limit(num_groups - 1);
}

// Chernoff: the share of successes among n draws of probability p is at most `share` < p with probability at most
// exp(-n divergence(share, p)). For none at all that is (1 - p)^n.
double divergence(double share, double p) {
  const double of_successes = share > 0.0 ? share * std::log(share / p) : 0.0;
  return of_successes + (share < 1.0 && p < 1.0 ? (1.0 - share) * std::log((1.0 - share) / (1.0 - p)) : 0.0);
}

// At least twice as many, rounded up to one digit; more than sixteen times as many is another problem.
Index more_samples(Index samples, double factor) {
  const double wanted = static_cast<double>(samples) * std::clamp(factor, 2.0, 16.0);
  const double unit = std::pow(10.0, std::floor(std::log10(wanted)));
  constexpr double kMostSamples = 1e7;
  return static_cast<Index>(std::min(std::ceil(wanted / unit - 1e-9) * unit, kMostSamples));
}

class SamplerCheck {
 public:
  explicit SamplerCheck(const SamplerFacts& facts) : facts_(facts), num_groups_(facts.num_groups()) {}

  SamplerHealth health() && {
    check_exactness();
    if (facts_.passes) {
      check_passes();
      return settled_by_passes();
    }
    check_draws();
    check_chain_length();
    if (num_groups_ > 1) check_groups();
    check_second_run();
    settle();
    return std::move(health_);
  }

 private:
  void not_exact(const std::string& reason, const std::string& advice) {
    is_exact_ = false;
    health_.reasons.push_back(reason);
    if (!advice.empty()) health_.advice.push_back(advice);
  }

  // `factor`: how many times as many draws would do.
  void not_converged(const std::string& reason, double factor) {
    health_.reasons.push_back(reason);
    factor_ = std::max(factor_, factor);
  }

  void check_exactness() {
    const AnnealOptions& annealing = facts_.options.annealing;
    if (!make_move(annealing.kernel)->is_exact()) {
      not_exact(
          "the " + annealing.kernel.name + " kernel does not leave the posterior invariant: spreads are too small",
          "use --move exact");
    }
    if (annealing.growth == Growth::tmcmc) {
      not_exact("TMCMC's chain lengths bias the sample, however large it is", "use --growth equal");
    }
    if (annealing.anneal_to_zero)
      not_exact("the draws close in on the posterior's maximum and are no sample of it", "");
  }

  void check_passes() {
    for (const PassProblem problem : problems_of(*facts_.passes)) health_.reasons.push_back(sentence_of(problem));
    if (has_heavy_tails(facts_.passes->agreement)) {
      health_.remarks.push_back("heavy tails: the standard deviation cannot be estimated");
    }
    check_second_run();
  }

  std::string sentence_of(PassProblem problem) const {
    const PassAgreement& a = facts_.passes->agreement;
    switch (problem) {
      case PassProblem::one_pass:
        return "there was only one pass, and nothing to compare it with";
      case PassProblem::evidence_differs:
        return "the last two passes disagree on the log evidence, by " + times_allowed(a.evidence_difference);
      case PassProblem::means_differ:
        return "the last two passes disagree on a mean, by " + times_allowed(a.mean_difference);
      case PassProblem::sds_differ:
        return "the last two passes disagree on a standard deviation, by " + times_allowed(a.sd_difference);
      case PassProblem::energy_drifts:
        return "the energy still drifts along the chains, by " + format_fixed(a.drift, 1) + " standard errors";
      case PassProblem::few_draws:
        return "the sample has an effective size of only " + format_fixed(a.effective_sample_size, 0) +
               " in its worst coordinate, expected at least " + format_fixed(least_effective_draws(a), 0);
      case PassProblem::sd_uncertain:
        return "a standard deviation is known only to " + detail::percent(a.log_sd_error);
      case PassProblem::evidence_uncertain:
        return "the log evidence is known only to " + format_fixed(a.evidence_error, 2) + ", expected at most " +
               format_fixed(a.wanted_evidence_error, 2);
    }
    return "";
  }

  static std::string times_allowed(double difference) { return format_fixed(difference, 1) + " times what is allowed"; }

  SamplerHealth settled_by_passes() {
    if (!health_.reasons.empty()) {
      health_.status = SamplerStatus::not_converged;
      const Index samples = facts_.options.num_samples();
      health_.advice.push_back(facts_.options.max_evaluations < kNoLimit
                                   ? "leave out --max-evaluations"
                                   : "raise --samples to " + std::to_string(more_samples(samples, 4.0)) +
                                         ", or use another --seed and compare");
    }
    return std::move(health_);
  }

  void check_draws() {
    const double draws = least_effective_size(facts_.diagnostics);
    if (draws <= 0.0 || draws >= Limits::least_draws) return;
    not_converged("the sample is worth only " + std::to_string(static_cast<int>(draws)) +
                      " independent draws in its worst coordinate, expected at least " +
                      format_fixed(Limits::least_draws, 0),
                  1.5 * Limits::least_draws / draws);
  }

  // Short chains carry a plan's error from level to level. All groups share the plans: nothing else shows it.
  void check_chain_length() {
    if (!find_sampler(facts_.options.sampler).is_annealed) return;
    if (facts_.options.annealing.growth != Growth::equal || facts_.levels.empty()) return;
    const LevelSummary& last = facts_.levels.back();
    const Index length = last.num_states / std::max<Index>(last.num_chains, 1);
    const auto dim = static_cast<Index>(facts_.diagnostics.size());
    const Index least = least_chain_length(dim);
    if (length >= least) return;
    const std::string reason = "chains of " + std::to_string(length) + " states are too short in " +
                               std::to_string(dim) + " dimensions, expected at least " + std::to_string(least);
    if (facts_.options.annealing.chain_length > 0) {
      health_.reasons.push_back(reason);
      health_.advice.push_back("leave out --chain-length");
    } else {
      not_converged(reason, static_cast<double>(kMinChains * least) / static_cast<double>(last.num_states));
    }
  }

  void check_groups() {
    check_r_hat();
    for (std::size_t m = 0; m < facts_.modes.size(); ++m) check_mode(m);
    check_evidence();
  }

  void check_r_hat() {
    const auto worst =
        std::max_element(facts_.diagnostics.begin(), facts_.diagnostics.end(),
                         [](const auto& a, const auto& b) { return a.r_hat.value_or(1.0) < b.r_hat.value_or(1.0); });
    if (worst == facts_.diagnostics.end()) return;
    const double r_hat = worst->r_hat.value_or(1.0);
    if (r_hat <= largest_r_hat(num_groups_)) return;
    not_converged("R-hat of " + worst->name + " is " + format_fixed(r_hat, 2) + " between groups, expected at most " +
                      format_fixed(largest_r_hat(num_groups_), 2),
                  (r_hat * r_hat - 1.0) * Limits::least_draws / static_cast<double>(num_groups_));
  }

  void check_mode(std::size_t m) {
    const std::vector<double>& weights = facts_.modes[m].group_weights;
    if (static_cast<Index>(weights.size()) != num_groups_) return;
    const double weight = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(num_groups_);
    const std::string name = "mode " + std::to_string(m + 1) + ", of weight " + format_fixed(weight, 3) + ",";
    // Independent draws, as many as the chains claim for a group, would hold so little of it by chance only.
    const double draws = facts_.modes[m].effective_sample_size / static_cast<double>(num_groups_);
    const auto lacks_it = [&](double share) {
      return share < weight && draws * divergence(share, weight) > -std::log(Limits::false_alarm);
    };
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
    const auto lost = std::count_if(weights.begin(), weights.end(), [&](double share) {
      return share < Limits::lost_share * weight && lacks_it(share);
    });
    if (lost > 0) {
      not_converged(std::to_string(lost) + " of " + std::to_string(num_groups_) + " groups lost " + name, 4.0);
      return;
    }
    const double error = error_from_groups(weights).value_or(0.0);
    const double ratio = static_cast<double>(num_groups_) * error * error / (weight * (1.0 - weight));
    if (!(weight < 1.0) || !(ratio > largest_variance_ratio(num_groups_) || lacks_it(*least))) return;
    not_converged(name + " has from " + format_fixed(*least, 3) + " to " + format_fixed(*most, 3) + " in the groups",
                  ratio * Limits::least_draws / static_cast<double>(num_groups_));
  }

  // The reported error comes from the scatter of chains, and of their ancestors two levels back. Groups share none.
  void check_evidence() {
    if (!facts_.evidence) return;
    const double reported = facts_.evidence->standard_error;
    const double found = error_from_groups(facts_.evidence->by_group).value_or(0.0);
    if (!(found > reported * std::sqrt(scatter_limit(num_groups_ - 1)))) return;
    not_converged("the groups' log evidences scatter as for a standard error of " + format_fixed(found, 2) +
                      ", reported is " + format_fixed(reported, 2),
                  4.0);
  }

  void check_second_run() {
    if (!facts_.check || facts_.check->quantities.empty()) return;
    const auto worst = std::max_element(facts_.check->quantities.begin(), facts_.check->quantities.end(),
                                        [](const ComparedQuantity& a, const ComparedQuantity& b) {
                                          return standardised_difference(a) < standardised_difference(b);
                                        });
    const std::string run = "a second run with seed " + std::to_string(facts_.check->seed);
    if (standardised_difference(*worst) <= Limits::largest_difference) {
      health_.agreement = run + " agrees";
      return;
    }
    not_converged(run + " disagrees: " + worst->name + " is " + format_number(worst->first, 4) + " here, " +
                      format_number(worst->second, 4) + " there, " + format_fixed(standardised_difference(*worst), 1) +
                      " standard errors apart",
                  4.0);
  }

  void settle() {
    if (factor_ > 0.0) {
      const Index samples = facts_.options.num_samples();
      std::string advice = "raise --samples to " + std::to_string(more_samples(samples, factor_));
      if (!find_sampler(facts_.options.sampler).is_annealed) {
        advice += ", or use --sampler ta2s2: chains that stay in different modes do not agree however long they are";
      }
      health_.advice.push_back(advice);
    }
    if (!is_exact_) {
      health_.status = SamplerStatus::not_exact;
    } else if (!health_.reasons.empty()) {
      health_.status = SamplerStatus::not_converged;
    } else if (num_groups_ < 2) {
      health_.status = SamplerStatus::unchecked;
      health_.reasons.push_back("there are no groups of chains to compare");
      health_.advice.push_back("fit with --groups 4");
    }
  }

  const SamplerFacts& facts_;
  Index num_groups_;
  bool is_exact_ = true;
  double factor_ = 0.0;
  SamplerHealth health_;
};

struct StatusEntry {
  const char* word;
  const char* sentence;  // reasons follow
  Grade grade;
};

const StatusEntry& entry_of(SamplerStatus status) {
  static constexpr StatusEntry kEntries[] = {
      {"converged", "sampler converged: groups of chains agree", Grade::good},
      {"not-converged", "sampler not converged", Grade::bad},
      {"not-exact", "sampler not exact", Grade::bad},
      {"unchecked", "sampler unchecked", Grade::caution},
      {"no-sample", "no posterior sample", Grade::unknown},  // as was asked for
  };
  return kEntries[static_cast<std::size_t>(status)];
}

std::string convergence_sentence(const SamplerHealth& health, bool has_passes) {
  const bool agrees = has_passes && health.status == SamplerStatus::converged;
  return (agrees ? "sampler converged: its last two passes agree" : entry_of(health.status).sentence) +
         (health.remarks.empty() ? "" : "; " + join(health.remarks, "; ")) +
         (health.reasons.empty() ? "" : ": " + join(health.reasons, "; ")) +
         (health.agreement.empty() ? "" : "; " + health.agreement);
}

Finding convergence_of(const SamplerFacts& facts) {
  const SamplerHealth health = check_sampler(facts);
  Finding finding{Question::convergence,
                  entry_of(health.status).grade,
                  {},
                  convergence_sentence(health, facts.passes.has_value()),
                  join(health.advice, "; ")};
  const double draws = least_effective_size(facts.diagnostics);
  if (facts.has_sample() && draws > 0.0) finding.value = draws;
  return finding;
}

// Borders that much of the posterior lies near. A long length-scale and a small nugget are what runs look like that an
// input hardly changes or that have no noise; other borders are the box's decision. The box that goes with a prior ends
// where longer length-scales make no difference, so there is nothing to say of its upper border: judge_inputs says
// which inputs do not act. A transformation's parameters, and a shape, have their borders from their priors.
std::vector<Finding> judge_borders(const MemberRecord& record) {
  const std::string prefix = "log_phi_";
  const bool box_is_the_priors = record.options.box == log_phi_box_of(record.options.prior);
  std::vector<std::string> flat, decided;
  bool is_noiseless = false;
  for (const CoordinateDiagnostics& d : record.diagnostics) {
    const bool is_length = d.name.rfind(prefix, 0) == 0;
    if (!is_length && d.name != kNuggetName) continue;
    const auto describe = [&](double mass, const char* side) {
      decided.push_back(d.name + " (" + detail::percent(mass) + " near its " + side + " border)");
    };
    if (d.mass_near_low >= Limits::much_mass_near_border) {
      is_length ? describe(d.mass_near_low, "lower") : void(is_noiseless = true);
    }
    if (d.mass_near_high >= Limits::much_mass_near_border) {
      if (is_length) {
        if (!box_is_the_priors) flat.push_back(d.name.substr(prefix.size()));
      } else {
        describe(d.mass_near_high, "upper");
      }
    }
  }
  std::vector<Finding> findings;
  const auto add = [&](Grade grade, const std::string& sentence, const std::string& advice = "") {
    findings.push_back({Question::data, grade, {}, sentence, advice});
  };
  if (!decided.empty()) {
    add(Grade::caution, "the box decides part of the posterior: " + join(decided, ", "),
        "widen --box or --nugget-box and see whether predictions change");
  }
  if (!flat.empty()) {
    add(Grade::note, "length-scales reach the upper border of their box: the runs hardly depend on " +
                         join(flat, ", ") + ", or only linearly");
  }
  if (is_noiseless) {
    add(Grade::note, "the nugget reaches the lower border of its box: the runs show no noise");
  }
  return findings;
}

bool rests_on_evidence(const OutputRecord& output) {
  return output.weighting && rule_of(*output.weighting).rests_on_evidence;
}

bool is_looked_at(const OutputRecord& output, std::size_t member) {
  return !rests_on_evidence(output) || output.weights[member] >= Limits::negligible_weight;
}

// So small that a sampler that fails in it does not fail the average.
bool is_small(const OutputRecord& output, std::size_t member) {
  return !is_single(output) && !rests_on_evidence(output) && output.weights[member] < Limits::small_weight;
}

// What is true of some members of an average, word by word.
struct SharedFinding {
  Finding finding;
  std::vector<std::size_t> members;

  bool is_same(const Finding& other) const {
    return finding.sentence == other.sentence && finding.advice == other.advice && finding.grade == other.grade;
  }
  void add(const Finding& other, std::size_t member) {
    if (other.value) finding.value = std::min(*other.value, finding.value.value_or(*other.value));
    members.push_back(member);
  }
};

std::string members_text(const OutputRecord& output, const std::vector<std::size_t>& members, bool is_of_all) {
  if (is_of_all) return "every model";
  std::vector<std::string> names;
  for (const std::size_t k : members) {
    names.push_back(member_label(output.members[k].options) + " (weight " + detail::rounded(output.weights[k]) + ")");
  }
  return join(names, " and ");
}

}  // namespace

double largest_r_hat(Index num_groups) {
  return std::sqrt(1.0 + largest_variance_ratio(num_groups));
}

SamplerFacts facts_of(const MemberRecord& record) {
  return {record.options,
          record.levels,
          record.diagnostics,
          record.modes,
          record.passes,
          record.evidence,
          record.check ? &*record.check : nullptr};
}

Judgement judge_sample(const Sample& sample, const FitOptions& options) {
  const SamplerFacts facts{options, sample.levels, sample.diagnostics, sample.modes, sample.passes, sample.evidence};
  return {"", {convergence_of(facts)}};
}

SamplerHealth check_sampler(const SamplerFacts& facts) {
  if (facts.has_sample()) return SamplerCheck(facts).health();
  return {SamplerStatus::no_sample,
          {"--fast predicts by the posterior's maximum (plug-in), as if length-scales and nugget were known"},
          {},
          {},
          {}};
}

SamplerStatus sampler_status(const OutputRecord& output) {
  SamplerStatus worst = check_sampler(facts_of(heaviest_member(output))).status;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    if (!is_looked_at(output, k) || is_small(output, k)) continue;
    const SamplerStatus status = check_sampler(facts_of(output.members[k])).status;
    if (entry_of(status).grade > entry_of(worst).grade) worst = status;
  }
  return worst;
}

std::string to_word(SamplerStatus status) {
  return entry_of(status).word;
}

std::vector<Finding> judge_sampler(const MemberRecord& record) {
  std::vector<Finding> findings = judge_borders(record);
  findings.insert(findings.begin(), convergence_of(facts_of(record)));
  return findings;
}

namespace detail {

std::vector<Finding> judge_samplers(const OutputRecord& output) {
  if (is_single(output)) return judge_sampler(output.members.front());
  // The heaviest first: of findings that are as bad the headline tells the first.
  std::vector<std::size_t> order(output.members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return output.weights[a] > output.weights[b]; });
  std::vector<SharedFinding> shared;
  std::size_t num_counted = 0;
  for (const std::size_t k : order) {
    if (!is_looked_at(output, k)) continue;
    ++num_counted;
    for (Finding finding : judge_sampler(output.members[k])) {
      if (is_small(output, k)) finding.grade = std::min(finding.grade, Grade::caution);
      auto known =
          std::find_if(shared.begin(), shared.end(), [&](const SharedFinding& each) { return each.is_same(finding); });
      if (known == shared.end()) known = shared.insert(known, {finding, {}});
      known->add(finding, k);
    }
  }
  std::vector<Finding> findings;
  for (SharedFinding& each : shared) {
    // "Not converged in every model" could mean that some are.
    const bool is_of_all = each.members.size() == num_counted && num_counted > 1 && each.finding.grade <= Grade::good;
    each.finding.member = members_text(output, each.members, is_of_all);
    each.finding.sentence.insert(each.finding.sentence.find(": "), " in " + each.finding.member);
    findings.push_back(std::move(each.finding));
  }
  return findings;
}

}  // namespace detail
}  // namespace ta2s2
