// The posterior that a fit sampled: draws, modes, evidence, how healthy the sample is, and the levels that led to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/judgement.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {

/// What one part of a kernel did over a level.
struct PartTally {
  std::string name;              ///< of the part
  std::int64_t steps = 0;        ///< that it took
  std::int64_t moved = 0;        ///< steps that ended elsewhere
  std::int64_t evaluations = 0;  ///< of the density
  double squared_jump = 0.0;     ///< sum over steps of (x' - x)' Sigma^-1 (x' - x) / d

  /// Share of steps that moved.
  double acceptance() const { return steps > 0 ? static_cast<double>(moved) / static_cast<double>(steps) : 0.0; }
};

/// One level of tempering.
struct LevelSummary {
  std::string stage = {};              ///< "scout", "pass 1", ...; empty of samplers that have one run of levels
  Index level = 0;                     ///< 0 is the start
  double beta = 0.0;                   ///< power of the likelihood: 0 at the start, 1 at the posterior
  double effective_sample_size = 0.0;  ///< of the weights that led to this level; N at level 0
  double log_mean_weight = 0.0;        ///< this level's term of the log evidence
  double log_mean_weight_error = 0.0;  ///< its standard error, from between-chain variance
  std::vector<double> group_log_mean_weights;             ///< the same term of each group's own evidence
  double walk_scale = 1.0;                                ///< of the random walk's steps
  int mixture_components = 0;                             ///< of the proposal's mixture
  Index num_chains = 0;                                   ///< that were grown
  Index num_states = 0;                                   ///< of all chains
  std::int64_t evaluations = 0;                           ///< of the density
  std::int64_t gradients = 0;                             ///< of these, evaluations with a gradient
  std::array<std::int64_t, kNumImpossible> impossible{};  ///< evaluations without a density, by reason
  std::vector<PartTally> parts;                           ///< of the move
  double mean_energy = 0.0;                               ///< of H over the level's states with a density
  double sd_energy = 0.0;                                 ///< of the same
  double seconds = 0.0;                                   ///< that it took
  std::optional<Index> levels_left = std::nullopt;        ///< for progress lines; annealing does not know
  std::string run = {};  ///< for progress lines: which of several runs side by side; empty if there is one

  /// Share of steps that moved, over all parts.
  double acceptance() const;
};

/// Which draws of a sample may resemble each other, so that an update that starts from them knows how far to trust
/// them.
struct DrawLineage {
  /// Of each draw. A family is a chain and those that started from it: one level before the last, or earlier.
  std::vector<Index> families;
  std::vector<Index> group_begin;  ///< group g holds draws [group_begin[g], group_begin[g + 1])

  /// Whether there is anything to say.
  bool is_known() const { return !families.empty(); }
};

/// Draws from the posterior of the hyper-parameters, as sampled.
struct PosteriorSample {
  std::vector<std::string> names;  ///< of the sampling coordinates
  Matrix positions;                ///< z, one draw per column
  Vector weights;                  ///< sum to one
  Vector energies;                 ///< H = -log posterior density of each draw, output in the user's units
  DrawLineage lineage = {};        ///< not known of a sample that was read from an early file

  /// Number of draws.
  Index size() const { return positions.cols(); }
};

/// The maximiser of the posterior density, in sampling coordinates.
struct MapEstimate {
  Vector position;            ///< where it is
  double energy = kInfinity;  ///< H at the position
  int evaluations = 0;        ///< that it took to find it
};

/// One mode of the posterior: where it is and how much of the mass it holds.
struct Mode {
  Vector position;                         ///< the mode's own maximum, refined
  double energy = 0.0;                     ///< H there
  double weight = 0.0;                     ///< share of the posterior sample
  Vector mean;                             ///< of its draws
  Vector sd;                               ///< of its draws
  std::vector<double> group_weights = {};  ///< its share of each group's states; empty if that was not counted
  double effective_sample_size = 0.0;      ///< of its weight, from the chains; 0 if not estimated
};

/// The integral of likelihood times prior, by which models are compared.
struct Evidence {
  double log_evidence = 0.0;    ///< output in the user's units
  double standard_error = 0.0;  ///< of log_evidence
  /// False if the prior's constant is unknown: the number then compares only fits under the same prior.
  bool is_normalised = true;
  std::vector<double> by_group = {};  ///< what each group of chains alone would report; they share no ancestor
};

/// One sampling coordinate's health.
struct CoordinateDiagnostics {
  std::string name;                    ///< of the coordinate
  double effective_sample_size = 0.0;  ///< of its posterior mean
  double mass_near_low = 0.0;          ///< posterior mass within kBorderShare of the box's width from its border
  double mass_near_high = 0.0;         ///< the same at the upper border
  std::optional<double> r_hat = std::nullopt;  ///< between groups of chains; none with fewer than two
};
/// How near counts as near a border, as a share of the box's width; of a length-scale's box at most 14 of it count.
inline constexpr double kBorderShare = 0.05;

/// One number that two runs of the same fit both estimate.
struct ComparedQuantity {
  std::string name;     ///< of the quantity
  double first = 0.0;   ///< by this run
  double second = 0.0;  ///< by the other
  double error = 0.0;   ///< Monte Carlo standard error of their difference
};

/// This fit against another with another seed.
struct RunComparison {
  std::uint64_t seed = 0;                    ///< of the other run
  Index num_modes = 0;                       ///< that the other run found
  std::vector<ComparedQuantity> quantities;  ///< that both estimate
};

/// How a model came to its runs, if not all were there from the beginning.
struct RunHistory {
  std::vector<Index> batches;                 ///< runs that were fitted, then those of each batch that was added
  std::int64_t fit_evaluations = 0;           ///< of H, by the fit at the beginning
  double update_evaluations = 0.0;            ///< by the latest update, in units of one H of all runs
  double log_evidence_increment = 0.0;        ///< of the latest batch given the runs before, output in the user's units
  double log_evidence_increment_error = 0.0;  ///< its standard error
};

/// When a fit was made, and how long that took.
struct FitTimes {
  std::string created;         ///< UTC, ISO 8601
  double total_seconds = 0.0;  ///< from the runs to the record
};

/// One pass of the sampler `ta2s2`, from its reference to the posterior.
struct PassSummary {
  double log_evidence = 0.0;           ///< of this pass alone
  double log_evidence_error = 0.0;     ///< its standard error
  Index num_levels = 0;                ///< from the reference to the posterior
  Index num_components = 0;            ///< of the reference
  double effective_sample_size = 0.0;  ///< by lineages, in the worst coordinate
  std::int64_t evaluations = 0;        ///< of the density
  std::int64_t gradients = 0;          ///< of these, evaluations with a gradient
};

/// What the last two passes of the sampler `ta2s2` say of each other, and the last of itself. Differences are relative
/// to what is allowed: above 1 they are too large.
struct PassAgreement {
  double evidence_difference = 0.0;    ///< of the log evidences
  double mean_difference = 0.0;        ///< of the means, in the worst coordinate
  double sd_difference = 0.0;          ///< of the logarithms of the standard deviations, in the worst coordinate
  double drift = 0.0;                  ///< of the energy along chains, in its standard errors
  double effective_sample_size = 0.0;  ///< by lineages, in the worst coordinate
  double wanted_sample_size = 0.0;     ///< that it should have
  double log_sd_error = 0.0;           ///< standard error of the logarithm of a standard deviation, the worst
  double tail_index = 0.0;             ///< Hill's, of squares, the worst: from 1 on there is no variance
  double evidence_error = 0.0;         ///< standard error of the log evidence
  double wanted_evidence_error = 0.0;  ///< that it should not exceed
};

/// The passes of the sampler `ta2s2`.
struct PassReport {
  std::vector<PassSummary> passes;  ///< in their order
  PassAgreement agreement;          ///< of the last two
};

/// What a sampler's work says of its target: the sample, its health and the modes.
struct Sample {
  PosteriorSample sample;                          ///< the draws
  std::vector<LevelSummary> levels;                ///< from the start density to the target
  std::optional<Evidence> evidence;                ///< where the sampler estimates it
  std::vector<CoordinateDiagnostics> diagnostics;  ///< of each coordinate
  std::vector<Mode> modes;                         ///< the heaviest first
  std::vector<std::string> notices;                ///< sentences that the user should see
  std::optional<PassReport> passes = {};           ///< of the sampler `ta2s2`
  Judgement judgement = {};                        ///< whether the sampler converged, of sample()
};
/// Modes, levels and coordinates.
std::string to_json(const Sample& sample);
/// With what progress lines tell.
std::string to_json(const LevelSummary& level);

/// The posterior of one model of one output, in the user's units.
struct Posterior {
  std::string member;                     ///< the model's label
  std::vector<std::string> column_names;  ///< log_phi_<input>..., length_scale_<input>..., nugget, energy, weight
  Matrix draws;                           ///< a row for each draw
  bool has_sample = false;                ///< false: only the maximum was sought
  double effective_sample_size = 0.0;     ///< the least over coordinates; 0 if it is not known
  double seconds = 0.0;                   ///< that the fit took
};

/// For each of as many draws as there are weights, which one it repeats: systematic resampling, then shuffled.
std::vector<Index> equally_weighted_draws(const Vector& weights, std::uint64_t seed);

// ---- arrays for ArviZ (https://python.arviz.org/en/stable/schema/schema.html) ----

/// One array of numbers. Row-major: the last dimension runs fastest.
struct NamedArray {
  std::string name;               ///< of the variable
  std::vector<std::string> dims;  ///< names of its dimensions
  std::vector<Index> shape;       ///< their sizes
  std::vector<double> values;     ///< all numbers
};

/// The labels along a dimension: words, or the numbers 0, 1, ... if there are none.
struct Labels {
  std::string dim;                      ///< name of the dimension
  Index size = 0;                       ///< of the dimension
  std::vector<std::string> words = {};  ///< one for each place; or none
};

/// Arrays that share dimensions: "posterior", "sample_stats".
struct ArrayGroup {
  std::string name;                ///< as ArviZ calls it
  std::vector<Labels> labels;      ///< of the dimensions
  std::vector<NamedArray> arrays;  ///< over them
};

/// All groups of one fit, and where they come from.
struct InferenceData {
  std::string version;             ///< of the program that made the fit
  std::string created;             ///< UTC, ISO 8601
  std::string model;               ///< which one of an average
  std::vector<ArrayGroup> groups;  ///< posterior, sample statistics, observed data
};

}  // namespace ta2s2
