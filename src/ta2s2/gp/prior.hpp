// Priors of the sampling position, each with the Jacobian from its natural parameter to z, exactly once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/gp/reference_information.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

class Stream;  // rng/stream.hpp

// A density over a block of z: over (log phi_1, ..., log phi_p), over z_nugget, or over both.
class Prior {
 public:
  virtual ~Prior() = default;

  virtual std::string spec() const = 0;
  virtual Index dim() const = 0;

  // Whether log_density is normalised on the box and draw is there.
  virtual bool is_proper() const = 0;
  // What of the likelihood's information it needs (the reference prior): then log_density_given answers, not
  // log_density.
  virtual InformationOver needs_information() const { return InformationOver::nothing; }
  // Whether its last coordinate is z_nugget, so that the nugget has no prior of its own.
  virtual bool covers_nugget() const { return false; }

  // With respect to dz on the box; -inf outside it.
  virtual double log_density(VectorView z) const;
  virtual double log_density_given(VectorView z, double log_information_root) const;

  // Whether log_density_gradient is there: d log_density / dz, of a point where log_density is finite.
  virtual bool has_gradient() const { return false; }
  virtual void log_density_gradient(VectorView z, Eigen::Ref<Vector> gradient) const;

  virtual Vector draw(Stream& stream) const;

  // Rate of the exponential law in each log phi, falling from the box's lower bound, from which the sampler starts to
  // look for the posterior; zero: uniform.
  virtual double start_rate() const { return 0.0; }

  // Standard error of the logarithm of the mass on the box, which log_density was divided by.
  virtual double log_mass_error() const { return 0.0; }
};

struct PriorContext {
  Index num_runs = 0;
  Index num_trend_columns = 0;
  std::vector<std::string> inputs;
  Interval box = kDefaultLogPhiBox;  // of every log phi
};

// A spec from length_scale_prior_names(), or one per input: "a=gamma(2,1);b=exponential(0.2);*=log-uniform".
std::unique_ptr<Prior> make_length_scale_prior(const std::string& spec, const PriorContext& context);

// The box of every log phi that goes with this prior unless a user gives one: as far up as length-scales make a
// difference under it.
Interval log_phi_box_of(const std::string& spec);

// What of the likelihood's information the prior of this spec needs. A prior that needs none is proper, and one over
// the nugget too covers it. Of a spec that names inputs, which are not known here, nothing is checked.
InformationOver information_needed_by(const std::string& spec, Interval box = kDefaultLogPhiBox);

// A user's density of phi with respect to dphi; the Jacobian is added here. It counts as proper only if it is
// said to be normalised on the box and can be drawn from.
struct FunctionPrior {
  std::function<double(VectorView phi)> log_density_of_phi;
  bool normalised_on_box = false;
  std::function<Vector(Stream&)> draw_phi;
};
std::unique_ptr<Prior> make_length_scale_prior(FunctionPrior function, const PriorContext& context);

// The nugget is held fixed, or it has a prior of z_nugget (dimension 1) on its box.
struct NuggetPrior {
  std::string spec;
  std::optional<double> fixed;
  std::shared_ptr<const Prior> prior;
};
NuggetPrior make_nugget_prior(const std::string& spec, Interval box = kDefaultNuggetBox);

// Of coordinates that are normal a priori, on their boxes.
std::unique_ptr<Prior> make_normal_prior(const std::vector<NormalCoordinate>& coordinates);

std::vector<std::string> length_scale_prior_names();  // as help shows them: "gamma(shape,rate)"
std::vector<std::string> length_scale_prior_examples();
std::vector<std::string> nugget_prior_names();
std::vector<std::string> nugget_prior_examples();

}  // namespace ta2s2
