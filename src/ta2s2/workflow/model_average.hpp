// Several models of one output and what each weighs: fitted, weighed and averaged.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/data/input_range.hpp"
#include "ta2s2/emulator/emulator.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/model_record.hpp"

namespace ta2s2 {

// "evidence", "stacking" or "equal"; Error{usage} for another word.
std::string to_word(Weighting weighting);
Weighting parse_weighting(const std::string& word);

// Weights of fits of the same runs; they sum to one. Error{usage} if a fit has no evidence, or one that compares only
// with those of the same prior, and weights by evidence are asked for.
std::vector<double> model_weights(const std::vector<FitRecord>& fits, Weighting weighting, Executor& executor);

// Stacking weights when the scores are at hand; runs that some model cannot miss are left aside.
std::vector<double> stacking_weights(const std::vector<LeftOutScores>& scores);

// The models that these options ask for: themselves, or one per correlation that is averaged over.
std::vector<ValidFitOptions> models_of(const FitOptions& options);

// Fits every model and weighs it. Error{usage} if the models' predictions cannot be averaged: all need as many degrees
// of freedom.
OutputRecord fit_average(const Dataset& data, const std::vector<ValidFitOptions>& models, Weighting weighting,
                         const std::vector<InputRange>& ranges, RunContext context);

// Of about `num_draws` of its draws, each model's share by its weight.
Emulator make_thinned_emulator(const OutputRecord& record, Index num_draws);

}  // namespace ta2s2
