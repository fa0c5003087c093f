// Predictions and scores from a fit's record, a block of points at a time.
#pragma once

#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/predictive/scores.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// The whole posterior's emulator, or the one that a point estimate would give.
Predictive make_predictive(const MemberRecord& record);
Predictive make_plug_in(const MemberRecord& record);
// Of some of its draws, or of others in the same coordinates.
Predictive make_predictive(const MemberRecord& record, const PosteriorSample& sample);

// The average over the models of an output, recalibrated as its record says; the maximum is that of the model with the
// largest weight.
Predictive make_predictive(const OutputRecord& output);
// The same as the models say it.
Predictive average_of(const OutputRecord& output);
Predictive make_plug_in(const OutputRecord& output);

struct PredictionSummary {
  Vector mean, sd;
  Matrix quantiles;  // (points, levels)
};

// Rows of `points` are new inputs in the user's units; `levels` in (0, 1).
PredictionSummary summarise(const Predictive& predictive, MatrixView points, Predict what,
                            const std::vector<double>& levels, Executor& executor);

// How the emulator does on runs it has not seen (docs/math.md, section 6).
Scores validate(const Predictive& predictive, const OutputRuns& runs, Executor& executor);

}  // namespace ta2s2
