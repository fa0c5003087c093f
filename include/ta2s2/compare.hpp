// Before a fit: which model suits the runs, and what a fit will cost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/settings.hpp"

namespace ta2s2 {

// ---- which model ----

/// What a comparison varies: correlations, trends, priors and transformations of the output, as text and separated by
/// commas. "all" stands for every correlation or transformation, or for the trends constant and linear. Nothing: for
/// correlations those that differ in how smooth the
/// process is; else what the settings say.
struct ModelGrid {
  std::string correlations = {};  ///< such as "matern52,matern32"
  std::string trends = {};        ///< such as "constant,linear"
  std::string priors = {};        ///< such as "jointly-robust"
  std::string transforms = {};    ///< such as "none,box-cox"
};

/// One model of the runs, beside the others.
struct ComparedModel {
  std::string correlation;              ///< by name
  std::string transform;                ///< of the output, by name
  std::string trend;                    ///< by name
  std::string prior;                    ///< of the length-scales
  std::string trend_prior;              ///< of the trend's coefficients
  Evidence evidence;                    ///< of this model
  double log_bayes_factor = 0.0;        ///< against the model with the largest evidence: 0 or below
  double log_bayes_factor_error = 0.0;  ///< its standard error
  double weight = 0.0;                  ///< by evidence
  double weight_low = 0.0;              ///< its 5% quantile
  double weight_high = 0.0;             ///< its 95% quantile
  double stacking_weight = 0.0;         ///< by how well it predicts runs that are left out
  double crps = 0.0;                    ///< of runs that are left out, the mean
  double log_density = 0.0;             ///< of runs that are left out, the mean
  Index num_unreliable = 0;             ///< left-out runs whose scores rest on few draws
  double seconds = 0.0;                 ///< of the fit, and of the prior's constant
  std::string sampler;                  ///< "converged", "not-converged", "not-exact", "unchecked" or "no-sample"
};

/// All models of a grid.
struct Comparison {
  std::string output;                 ///< of which the models are
  Index num_runs = 0;                 ///< that they were fitted to
  std::vector<ComparedModel> models;  ///< largest evidence first
  /// How many left-out runs rest on few draws, and which models cannot be told apart, in sentences.
  std::vector<std::string> notices;
};

/// Every correlation with every trend and every prior, one fit after another. With several trends the trend's prior is
/// unit-information. Error{usage} naming every problem: of a model, or of models whose evidences do not compare. The
/// runs have one output.
Comparison compare_models(const Dataset& runs, const ModelGrid& grid, const FitSettings& settings = {},
                          const Context& context = {});

// ---- what a fit costs ----

/// Nine fits in ten are expected between low and high.
struct Range {
  double low = 0.0;       ///< one in twenty is below
  double expected = 0.0;  ///< the middle
  double high = 0.0;      ///< one in twenty is above
};

/// What one evaluation of the posterior takes on this machine.
struct EvaluationTime {
  double in_block_seconds = 0.0;  ///< of one point of a full block, which is how chains ask
  double alone_seconds = 0.0;     ///< of one point in a call, which is how the search for modes asks
  double gradient_seconds = 0.0;  ///< of one point of a full block with its gradient; 0 if it has none
};

/// What a fit keeps in memory.
struct MemoryUse {
  double shared_bytes = 0.0;      ///< of a process: program, runs, states of all levels
  double bytes_per_thread = 0.0;  ///< on top of it, each: the matrices of one evaluation

  /// Bytes of a process with so many threads.
  double total(int threads) const { return shared_bytes + threads * bytes_per_thread; }
};

/// What a forecast depends on, of a fit by passes with a gradient, or of an annealed fit with the exact move and chains
/// of equal length.
struct FitShape {
  bool by_passes = false;        ///< of the sampler ta2s2
  bool is_transformed = false;   ///< the output, by parameters that are sampled too
  bool is_part = false;          ///< of an average, of whose models fewer draws are wanted
  Index num_runs = 0;            ///< of the output
  Index dim = 0;                 ///< sampling coordinates
  Index num_samples = 0;         ///< draws per level
  Index num_groups = 1;          ///< of chains that share no ancestor
  Index given_chain_length = 0;  ///< 0: by dimension and number of samples
  Index lanes = 1;               ///< points that are evaluated at once
  double ess_target = 0.5;       ///< share of the draws that a level's weights are to be worth

  Index chain_length() const;  ///< states of a chain in a level
  Index num_chains() const;    ///< of a level
  Index num_tasks() const;     ///< of a level; more cores than this have nothing to do
};

/// How much work one fit is.
struct FitForecast {
  Range levels;            ///< beyond level 0; of passes those of all runs
  Range evaluations;       ///< of all levels, without those with a gradient
  Range gradients;         ///< evaluations with a gradient
  Range mode_evaluations;  ///< of the search for modes after them, one after another
};

/// How long all fits take on so many cores.
struct WallTime {
  Index cores = 1;  ///< that work together
  Range seconds;    ///< from beginning to end
};

/// One of the fits that are done side by side: an output by a model.
struct PlannedModel {
  std::string name;           ///< what `fit` calls it; empty if it is the only one
  std::string correlation;    ///< by name
  Index num_runs = 0;         ///< of this output
  Index num_inputs = 0;       ///< that vary
  Index dim = 0;              ///< sampling coordinates
  Index lanes = 1;            ///< points that are evaluated at once
  FitShape shape;             ///< what its forecast depends on
  EvaluationTime evaluation;  ///< as it was timed
};

/// What the samplers' laws tell.
struct ExpectedWork {
  /// Each model is fitted so often: twice with check, once more for the constant of a prior that has none, where
  /// evidences weigh models.
  int num_rounds = 1;
  std::vector<FitForecast> forecasts;  ///< of each model, one round of it
  Index num_tasks = 0;                 ///< of all models' levels; more cores than this have nothing to do
  std::vector<WallTime> times;         ///< of all; in the order in which they were asked for
};

/// What a fit is, and what it costs.
struct FitPlan {
  std::vector<PlannedModel> models;  ///< side by side
  MemoryUse memory;                  ///< of all
  /// Nothing where no law was fitted to these settings.
  std::optional<ExpectedWork> work;
  std::string unknown;               ///< why there is no forecast, in a sentence; or empty
  std::vector<std::string> notices;  ///< as those of the fit
};

/// Times evaluations for about a fifth of a second for each correlation and number of runs, or one block where that
/// takes longer.
/// Throws what a fit would throw for the same runs and settings.
FitPlan plan_fit(const Dataset& runs, const FitSettings& settings, const std::vector<Index>& cores);

/// The least number of samples that gives `cores` something to do, of all fits of a plan together.
Index samples_for_cores(const FitPlan& plan, Index cores);

}  // namespace ta2s2
