// What one more run of the simulator is worth, by where it is made, averaged over the posterior (docs/math.md, section
// "Next runs"). Values are in the user's units, of transformed outputs too, but for the information of entropy, which
// has none.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ta2s2/design.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/draw_output.hpp"
#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

// One draw's process given the runs, and given further runs at chosen points whose outputs nobody knows yet: what they
// leave of the variance depends on where they are alone (docs/math.md, section "Next runs").
class DrawProcess {
 public:
  // The emulator must outlive it.
  DrawProcess(const Predictive& predictive, Index draw);

  struct Points {
    ConditionalPredictor::Points given_runs;
    Matrix told;  // a column per point: T^-1 c(S, x), S the chosen points, T T' = c(S, S) + noise
    Vector c;     // c(x, x) given the runs and S
  };
  // Rows are points in the unit cube.
  Points at(MatrixView unit_points) const;
  Matrix covariance(const Points& a, const Points& b) const;  // c(x, w) given the runs and S

  // A further run at the point: its output is the process there, and noise of this variance, in units of c.
  void add_run(const Vector& unit_point, double noise);
  // For points that were worked out before the latest run was added.
  void update(Points& points) const;

  double weight() const { return weight_; }
  double nugget() const { return predictor_.nugget(); }
  double S2() const { return predictor_.S2(); }
  // Variance of the latent output for c = 1, in the user's units or, where the output is transformed, in those of g.
  // Its expectation is the same after any further runs.
  double unit_variance() const { return unit_variance_; }

  const DrawOutput& output() const { return output_; }
  bool is_plain() const { return output_.is_plain(); }
  // What the runs alone say of a transformed output. Standardised means, and by what unit_variance() c is to be
  // multiplied to be its variance in the user's units.
  struct OutputMoments {
    Vector means, ratios;
  };
  OutputMoments output_moments(const ConditionalPredictor::Points& points) const;
  const ConditionalPredictor& predictor() const { return predictor_; }
  // The diagonal element of T that belongs to the latest run.
  double latest_scale() const { return T_(T_.rows() - 1, T_.cols() - 1); }

 private:
  ConditionalPredictor predictor_;
  DrawOutput output_;
  std::shared_ptr<const StudentRule> rule_;  // null of a plain output
  double weight_, unit_variance_, output_variance_;
  ConditionalPredictor::Points chosen_;
  Matrix T_;
};

// One for each draw of the emulator, which must outlive them.
std::vector<std::unique_ptr<DrawProcess>> make_processes(const Predictive& predictive, Executor& executor);

class RunCriterion {
 public:
  virtual ~RunCriterion() = default;

  // One value per row, a point in the unit cube: never negative, the larger the better. Called by several threads.
  virtual Vector values(MatrixView unit_points) const = 0;

  // The run is going to be made; its output is not known.
  virtual void add_run(const Vector& unit_point, Executor& executor) = 0;

  // Points of the unit cube near which a search should look, too.
  virtual Matrix places_to_look() const { return {}; }

  // What the criterion lowers, if it is an average of variances: now, given all runs added so far.
  virtual std::optional<double> average_variance() const { return std::nullopt; }
};

// Over which variances are averaged.
inline constexpr Index kReferencePoints = 256;

// The emulator must outlive it, and has few enough draws to keep the factors of all in memory.
std::unique_ptr<RunCriterion> make_criterion(const CriterionSpec& spec, const Predictive& predictive,
                                             std::uint64_t seed, Executor& executor);

}  // namespace ta2s2

namespace ta2s2::detail {

// The criteria themselves (predictive/criteria/).

// MacKay (1992), Seo et al. (2000): variance of the latent output, of all draws together.
std::unique_ptr<RunCriterion> make_variance_criterion(const Predictive& predictive, Executor& executor);

// Cohn (1996): expected fall of the variance, averaged over reference points with weights that sum to one.
std::unique_ptr<RunCriterion> make_imse_criterion(const Predictive& predictive, Matrix reference, Vector weights,
                                                  Executor& executor);

// Information about the latent output that a run brings, given a draw, in nats.
std::unique_ptr<RunCriterion> make_entropy_criterion(const Predictive& predictive, Executor& executor);

// Mockus; Jones et al. (1998); batches after Ginsbourger et al. (2010). sign is 1 for a search for the maximum, -1 for
// the minimum.
std::unique_ptr<RunCriterion> make_improvement_criterion(const Predictive& predictive, double sign, std::uint64_t seed,
                                                         Executor& executor);

// How much reference points count, by the errors that leaving runs out shows near them. They sum to one.
Vector left_out_weights(const Predictive& predictive, const Matrix& unit_points, Executor& executor);

struct WeightedPoints {
  Matrix unit_points;
  Vector weights;  // sum to one
};

// Reference points where the output may be at the level.
WeightedPoints points_near_level(const Predictive& predictive, double level, Index count, std::uint64_t seed,
                                 Executor& executor);

}  // namespace ta2s2::detail
