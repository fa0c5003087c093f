// Every number that a judgement (workflow/judge.hpp) holds a fit to, with what it costs a fit that is right.
#pragma once

namespace ta2s2 {

struct JudgeLimits {
  // ---- which members of an average count ----

  // Of weights by evidence: a member that weighs less is not looked at. Log evidences err by several units in a bad
  // fit, and one would have to err by seven to lift such a member to half of the weight.
  static constexpr double negligible_weight = 0.001;
  // Of other weights, which do not rest on what the member's own sampler says of its evidence: a sampler that has not
  // converged in a member that weighs less is a caution. All of its probability moves an interval's coverage by less.
  static constexpr double small_weight = 0.05;

  // ---- accuracy: R^2 = 1 - (typical error / standard deviation of the runs)^2 ----

  // Below half of the variance a typical error is more than 0.71 standard deviations: the mean of all runs does nearly
  // as well. Below a tenth it is more than 0.95 of them. These are statements about use and have no false alarms: an
  // emulator of pure noise may be right about itself and still predicts nothing.
  static constexpr double cautious_r_squared = 0.5;
  static constexpr double bad_r_squared = 0.1;

  // ---- coverage: the chance that a right emulator's 95% intervals hold so few runs ----

  // Nominally 1 right emulator in 40 and 1 in 1000. Measured on 1000 right emulators (docs/report.md, "What chance
  // allows"): 0.025 and 0.002 to 0.003 by left-out runs with the binomial law; 0.02 and 0.000 to 0.002 by validation
  // runs with the joint law.
  static constexpr double cautious_tail = 0.025;
  static constexpr double bad_tail = 0.001;
  // With at least so many runs, intervals that hold 80% in truth are found out (caution or worse) one time in three or
  // more often: 0.35 of 15 runs, 0.58 of 25, 0.99 of 100. With fewer it is as little as 0.10 (6 runs), and that all is
  // well is then not known. (Binomial laws of 0.95 and 0.8; a test computes them.)
  static constexpr int fewest_runs = 15;
  // Intervals of 50% that hold so many runs once in a thousand right emulators are wider than needed.
  static constexpr double wide_tail = 0.001;

  // ---- convergence ----

  // Each check between groups of chains calls a good run bad with this chance; some ten checks make one false alarm in
  // a thousand fits. The quantile is the normal distribution's at 1 - false_alarm.
  static constexpr double false_alarm = 1e-4;
  static constexpr double false_alarm_quantile = 3.719;
  // The sample must be worth so many independent draws: means then err by a tenth of a posterior standard deviation.
  static constexpr double least_draws = 100.0;
  // A group that has less than this share of a mode's weight has lost it. Earlier levels leave some weight where a
  // group has no state any more.
  static constexpr double lost_share = 0.1;
  // Between two runs, in standard errors. Of some twenty quantities one is as far with a chance of 1.4e-4.
  static constexpr double largest_difference = 4.5;

  // ---- reliability of leave-one-out ----

  // Shape of a run's weights above which its prediction rests on few draws (Vehtari et al. 2024).
  static constexpr double largest_shape = 0.7;
  // Up to this share of runs it is a note: one run at an end of the design is the rule and moves no score by much.
  static constexpr double unreliable_share = 0.05;

  // ---- extrapolation ----

  // Widths of an input's range that a design leaves free at its ends: a Latin hypercube of 20 runs 0.05 at most.
  static constexpr double hardly_outside = 0.05;

  // ---- data ----

  // Posterior mass in the twentieth of the box next to a border. A posterior that is flat over the box, which has
  // learnt nothing, has exactly so much.
  static constexpr double much_mass_near_border = 0.05;

  // ---- inputs ----

  // An input is called inert if it acts with a smaller probability, and active if it does not act with a smaller one.
  // What is said of it is then wrong one time in twenty at most, if the posterior is right. Notes only.
  static constexpr double small_chance = 0.05;
};

}  // namespace ta2s2
