// The posterior that a fit sampled: draws, modes, evidence, how healthy the sample is, and the levels that led to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

// What one part of a kernel did over a level.
struct PartTally {
  std::string name;
  std::int64_t steps = 0;
  std::int64_t moved = 0;
  std::int64_t evaluations = 0;
  double squared_jump = 0.0;  // sum over steps of (x' - x)' Sigma^-1 (x' - x) / d

  double acceptance() const { return steps > 0 ? static_cast<double>(moved) / static_cast<double>(steps) : 0.0; }
};

struct LevelSummary {
  Index level = 0;
  double beta = 0.0;
  double effective_sample_size = 0.0;          // of the weights that led to this level; N at level 0
  double log_mean_weight = 0.0;                // this level's term of the log evidence
  double log_mean_weight_error = 0.0;          // its standard error, from between-chain variance
  std::vector<double> group_log_mean_weights;  // the same term of each group's own evidence
  double walk_scale = 1.0;
  int mixture_components = 0;
  Index num_chains = 0;
  Index num_states = 0;
  std::int64_t evaluations = 0;
  std::array<std::int64_t, kNumImpossible> impossible{};  // evaluations without a density, by reason
  std::vector<PartTally> parts;
  double mean_energy = 0.0;  // of H over the level's states with a density
  double sd_energy = 0.0;
  double seconds = 0.0;
  std::optional<Index> levels_left = std::nullopt;  // for progress lines; annealing does not know
  std::string run = {};  // for progress lines: which of several runs side by side; empty if there is one

  double acceptance() const;
};

// Which draws of a sample may resemble each other, so that an update that starts from them knows how far to trust them.
struct DrawLineage {
  // Of each draw. A family is a chain and those that started from it: one level before the last, or earlier.
  std::vector<Index> families;
  std::vector<Index> group_begin;  // group g holds draws [group_begin[g], group_begin[g + 1])

  bool is_known() const { return !families.empty(); }
};

// Draws from the posterior of the hyper-parameters, as sampled.
struct PosteriorSample {
  std::vector<std::string> names;  // of the sampling coordinates
  Matrix positions;                // z, one draw per column
  Vector weights;                  // sum to one
  Vector energies;                 // H = -log posterior density of each draw, output in the user's units
  DrawLineage lineage = {};        // not known of a sample that was read from an early file

  Index size() const { return positions.cols(); }
};

// The maximiser of the posterior density, in sampling coordinates.
struct MapEstimate {
  Vector position;
  double energy = kInfinity;  // H at the position
  int evaluations = 0;
};

// One mode of the posterior: where it is and how much of the mass it holds.
struct Mode {
  Vector position;      // the mode's own maximum, refined
  double energy = 0.0;  // H there
  double weight = 0.0;  // share of the posterior sample
  Vector mean;          // of its draws
  Vector sd;
  std::vector<double> group_weights = {};  // its share of each group's states; empty if that was not counted
  double effective_sample_size = 0.0;      // of its weight, from the chains; 0 if not estimated
};

struct Evidence {
  double log_evidence = 0.0;  // output in the user's units
  double standard_error = 0.0;
  // False if the prior's constant is unknown: the number then compares only fits under the same prior.
  bool is_normalised = true;
  std::vector<double> by_group = {};  // what each group of chains alone would report; they share no ancestor
};

// One sampling coordinate's health.
struct CoordinateDiagnostics {
  std::string name;
  double effective_sample_size = 0.0;  // of its posterior mean
  double mass_near_low = 0.0;          // posterior mass within kBorderShare of the box's width from its border
  double mass_near_high = 0.0;
  std::optional<double> r_hat = std::nullopt;  // between groups of chains; none with fewer than two
};
inline constexpr double kBorderShare = 0.05;

// One number that two runs of the same fit both estimate.
struct ComparedQuantity {
  std::string name;
  double first = 0.0, second = 0.0;
  double error = 0.0;  // Monte Carlo standard error of their difference
};

// This fit against another with another seed.
struct RunComparison {
  std::uint64_t seed = 0;  // of the other run
  Index num_modes = 0;     // that the other run found
  std::vector<ComparedQuantity> quantities;
};

// How a model came to its runs, if not all were there from the beginning.
struct RunHistory {
  std::vector<Index> batches;           // runs that were fitted, then those of each batch that was added
  std::int64_t fit_evaluations = 0;     // of H, by the fit at the beginning
  double update_evaluations = 0.0;      // by the latest update, in units of one H of all runs
  double log_evidence_increment = 0.0;  // of the latest batch given the runs before, output in the user's units
  double log_evidence_increment_error = 0.0;
};

struct FitTimes {
  std::string created;  // UTC, ISO 8601
  double total_seconds = 0.0;
};

/// What a sampler's work says of its target: the sample, its health and the modes.
struct Sample {
  PosteriorSample sample;
  std::vector<LevelSummary> levels;
  std::optional<Evidence> evidence;
  std::vector<CoordinateDiagnostics> diagnostics;
  std::vector<Mode> modes;
  std::vector<std::string> notices;
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

// Row-major: the last dimension runs fastest.
struct NamedArray {
  std::string name;
  std::vector<std::string> dims;
  std::vector<Index> shape;
  std::vector<double> values;
};

// The labels along a dimension: words, or the numbers 0, 1, ... if there are none.
struct Labels {
  std::string dim;
  Index size = 0;
  std::vector<std::string> words = {};
};

struct ArrayGroup {
  std::string name;
  std::vector<Labels> labels;
  std::vector<NamedArray> arrays;
};

struct InferenceData {
  std::string version;  // of the program that made the fit
  std::string created;  // UTC, ISO 8601
  std::string model;    // which one of an average
  std::vector<ArrayGroup> groups;
};

}  // namespace ta2s2
