// The makers of each density of one parameter; prior_list.cpp names them for the user.
#pragma once

#include <memory>

#include "ta2s2/gp/scalar_prior.hpp"

namespace ta2s2 {

std::unique_ptr<ScalarPrior> make_exponential_prior(double rate);
std::unique_ptr<ScalarPrior> make_gamma_prior(double shape, double rate);
std::unique_ptr<ScalarPrior> make_log_normal_prior(double mean, double sd);          // of log v
std::unique_ptr<ScalarPrior> make_log_laplace_prior(double location, double scale);  // of log v
std::unique_ptr<ScalarPrior> make_decaying_prior();
std::unique_ptr<ScalarPrior> make_log_uniform_prior(double low, double high);
std::unique_ptr<ScalarPrior> make_uniform_prior(double low, double high);
std::unique_ptr<ScalarPrior> make_beta_prior(double a, double b);

}  // namespace ta2s2
