// Predictions and scores from a fit's record, a block of points at a time.
#pragma once

#include "ta2s2/emulator/emulator.hpp"
#include "ta2s2/emulator/scores.hpp"
#include "ta2s2/workflow/model_record.hpp"

namespace ta2s2 {

// The whole posterior's emulator, or the one that a point estimate would give.
Emulator make_emulator(const FitRecord& record);
Emulator make_map_emulator(const FitRecord& record);
// Of some of its draws, or of others in the same coordinates.
Emulator make_emulator(const FitRecord& record, const PosteriorSample& sample);

// The average over the models of an output; the maximum is that of the model with the largest weight.
Emulator make_emulator(const OutputRecord& output);
Emulator make_map_emulator(const OutputRecord& output);

struct PredictionSummary {
  Vector mean, sd;
  Matrix quantiles;  // (points, levels)
};

// Rows of `points` are new inputs in the user's units; `levels` in (0, 1).
PredictionSummary summarise(const Emulator& emulator, MatrixView points, Predict what,
                            const std::vector<double>& levels, Executor& executor);

// How the emulator does on runs it has not seen (docs/math.md, section 6).
Scores validate(const Emulator& emulator, const Dataset& runs, Executor& executor);

}  // namespace ta2s2
