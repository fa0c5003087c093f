// The makers of each density of a block of z; gp/prior.cpp names them for the user.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ta2s2/gp/prior.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"

namespace ta2s2 {

// How a coordinate z stands for its natural parameter v.
enum class Coordinate { log_phi, nugget };

// One coordinate: a density of its natural parameter, truncated to an interval of z.
struct ScalarOnBox {
  std::shared_ptr<const ScalarPrior> density;
  Coordinate coordinate = Coordinate::log_phi;
  Interval box;
};

std::unique_ptr<Prior> make_product_prior(std::string spec, std::vector<ScalarOnBox> parts);
std::unique_ptr<Prior> make_jointly_robust_prior(Index num_runs, Index num_inputs, Interval box);

std::unique_ptr<Prior> make_reference_prior(Index num_inputs, InformationOver over);

}  // namespace ta2s2
