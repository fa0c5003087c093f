// What an emulator predicts, and how good its predictions were where the truth is known (docs/math.md, section 6).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ta2s2/judgement.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

/// What is asked of a prediction besides means and standard deviations.
struct PredictOptions {
  std::vector<double> quantiles = {};  ///< probabilities between 0 and 1, each once
  bool latent = false;                 ///< the smooth function, without the nugget of a new run
  bool plug_in = false;                ///< by the posterior's maximum alone, as plug-in emulators do
  bool covariance = false;             ///< between all points
  Index draws = 0;                     ///< joint draws of the output at all points
  std::uint64_t seed = 1;              ///< of these draws
};

/// A covariance or joint draws look at all pairs of points: at most so many.
inline constexpr Index kMostPointsTogether = 5000;

/// A row for each point. What was not asked for is empty.
struct Prediction {
  std::vector<std::string> outputs;  ///< their names, in the order of what follows
  Matrix mean;                       ///< a column for each output
  Matrix sd;                         ///< standard deviations; a column for each output
  std::vector<Matrix> quantiles;     ///< for each output; a column for each probability
  std::vector<Matrix> draws;         ///< for each output; a column for each draw
  std::vector<Matrix> covariance;    ///< between all points, if asked for: of one output
  Vector outside;                    ///< how far each point lies beyond the inputs' ranges, in ranges; 0 inside
};

/// One sentence on the points that lie outside, for the user; empty if there are none.
std::string outside_warning(Index num_outside, Index num_points, double farthest);

/// The coverages of Scores are those of central intervals that are to hold these shares.
inline constexpr std::array<double, 5> kCoverageLevels = {0.5, 0.8, 0.9, 0.95, 0.99};

/// Means over runs that the emulator has not seen; all but the coverage are better when smaller.
struct Scores {
  Index n = 0;        ///< number of runs
  double rmse = 0.0;  ///< root of the mean squared error of the means
  double crps = 0.0;  ///< of the exact predictive
  /// Of normals with the means and variances of its components, the paper's score; NaN if the output is transformed.
  double crps_normal_mixture = 0.0;
  double nlpd = 0.0;                                      ///< minus log density
  double interval_score_95 = 0.0;                         ///< Gneiting and Raftery (2007), central 95% interval
  std::array<double, kCoverageLevels.size()> coverage{};  ///< share of truths inside
  std::vector<double> pit;                                ///< predictive cdf at each truth
};

/// How the emulator of one output did on such runs.
struct OutputValidation {
  std::string output;   ///< its name
  Scores posterior;     ///< of the whole posterior
  Scores plug_in;       ///< of its maximum alone
  Judgement judgement;  ///< in which these runs answer for accuracy and coverage
};

}  // namespace ta2s2
