// The posterior predictive over the whole sample: mean (2.6), covariance (2.7), variance (2.8), and the exact
// mixture. Everything in the user's units. A pure function of data and sample.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ta2s2/data/scaling.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/predictive/predictive_law.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

enum class Predict {
  new_run,  // what the simulator would give if it were run: nugget included
  latent,   // the smooth function behind it
};

// What a new run has beside the function: the nugget.
double added_nugget(Predict what, double nugget);

// The mixtures at a block of points. Means and scales are in the user's units where laws are plain, and otherwise in
// those of each draw's g of the standardised output.
struct MixtureBlock {
  Vector weights;  // of the draws
  Matrix means;    // (draws, points)
  Matrix scales;   // (draws, points)
  double degrees_of_freedom = 0.0;
  InstructionSet path = InstructionSet::plain;
  std::shared_ptr<const LawFrame> frame = nullptr;  // null: plain

  Index num_points() const { return means.cols(); }
  // Valid as long as the block is.
  PredictiveLaw at(Index point) const;
  // One draw's law at a point: its median in the user's units, and where y is in its standard t (+-inf without a
  // scale).
  double median_of(Index draw, Index point) const;
  double standardised(Index draw, Index point, double y) const;
};

// The draws of one model of the runs.
struct PredictiveMember {
  std::shared_ptr<const GpModel> model;
  std::vector<GpParameters> parameters;  // one per draw
};

class Predictive {
 public:
  // path: any that this processor has; they differ by rounding.
  Predictive(std::shared_ptr<const GpModel> model, Scaling scaling, const ParameterSpace& space,
             const PosteriorSample& sample, InstructionSet path = best_instruction_set());

  // The average over models of the same runs: their draws one after another, a longer mixture. Weights sum to one.
  // Error{internal} unless all share runs, scaling and degrees of freedom.
  static Predictive average(const std::vector<Predictive>& members, const std::vector<double>& weights);

  // The same with some of the draws, given by rising numbers, and other weights.
  Predictive with_draws(const std::vector<Index>& draws, Vector weights) const;
  // The same, with laws whose normal scores are divided by kappa.
  Predictive recalibrated(double kappa) const;
  // The same with `count` of the draws, chosen by weight (smc/thinning.hpp), or with all if there are no more.
  Predictive thinned(Index count, Stream& stream) const;

  Index num_inputs() const { return parts_.front().model->num_inputs(); }
  Index num_runs() const { return parts_.front().model->num_runs(); }
  Index num_draws() const { return weights_.size(); }  // of all models together
  double degrees_of_freedom() const { return static_cast<double>(parts_.front().model->degrees_of_freedom()); }
  const Vector& observed() const { return parts_.front().model->y(); }  // the runs' outputs, standardised
  const Scaling& scaling() const { return scaling_; }
  const std::vector<PredictiveMember>& parts() const { return parts_; }
  std::size_t part_of(Index draw) const { return static_cast<std::size_t>(place_of(draw).part - parts_.data()); }
  const GpModel& model_of(Index draw) const { return *place_of(draw).part->model; }
  const GpParameters& parameters_of(Index draw) const {
    const Place place = place_of(draw);
    return place.part->parameters[place.draw];
  }
  const Vector& weights() const { return weights_; }  // of the draws
  InstructionSet path() const { return path_; }
  double kappa() const { return kappa_; }
  std::shared_ptr<const LawFrame> law_frame() const;

  // How many points to ask for at once: as many as keep a MixtureBlock within a fixed memory, whatever the sample size.
  Index block_size() const;

  // Rows of `points` are new inputs. A point's mixture does not depend on the others, but for rounding on the plain
  // path.
  MixtureBlock mixtures(MatrixView points, Predict what, Executor& executor) const;

  Vector means(MatrixView points, Predict what, Executor& executor) const;  // in the user's units

  // (2.7) for all pairs of points; joint_predictions.cpp says what it is of transformed outputs.
  Matrix covariance(MatrixView points, Predict what, Executor& executor) const;

  // Joint draws of the output at all points, one per column: a draw of the hyper-parameters by weight, then
  // the multivariate t it predicts, mapped back by the draw's own transformation. Recalibration maps each point's
  // draws by the point's law and keeps their ranks.
  Matrix joint_draws(MatrixView points, Predict what, Index count, std::uint64_t seed, Executor& executor) const;

 private:
  struct Place {
    const PredictiveMember* part;
    std::size_t draw;  // within the part
  };

  Place place_of(Index draw) const;

  std::vector<PredictiveMember> parts_;
  Scaling scaling_;
  Vector weights_;
  InstructionSet path_;
  double kappa_ = 1.0;
};

}  // namespace ta2s2
