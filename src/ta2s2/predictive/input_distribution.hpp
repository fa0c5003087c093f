// How an input varies where the emulator is used, in the user's units: what a sensitivity analysis averages over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// A rule for averages of one input: sum of weights times values at the nodes. Weights sum to one.
struct Quadrature {
  Vector nodes, weights;
  Index panel_size = 0;  // nodes of a panel, between which a smooth function is a polynomial; 0: of values alone
};

// Matrix (values, nodes) that gives a function at `values` from what it is at the rule's nodes: by the polynomial of
// the nearest panel, or, of a rule of values alone, at the nearest of them.
Matrix interpolation(const Quadrature& rule, VectorView values);

class InputDistribution {
 public:
  virtual ~InputDistribution() = default;

  virtual std::string spec() const = 0;  // as a file spells it: "normal(10,2)"
  virtual double quantile(double share) const = 0;
  virtual double share_within(double low, double high) const = 0;  // borders included
  virtual Quadrature quadrature() const = 0;
  // The interval that shows all of it, or all but its tails.
  virtual double shown_low() const = 0;
  virtual double shown_high() const = 0;
};

using InputDistributions = std::vector<std::shared_ptr<const InputDistribution>>;  // one per input

// Error{usage} on an unknown one, or numbers that make none.
std::shared_ptr<const InputDistribution> make_input_distribution(const std::string& spec);
std::shared_ptr<const InputDistribution> make_uniform_input(double low, double high);
std::shared_ptr<const InputDistribution> make_log_uniform_input(double low, double high);
std::vector<std::string> input_distribution_names();  // as help shows them: "normal(mean,sd)"

}  // namespace ta2s2
