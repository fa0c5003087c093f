// The makers of each covariance; covariance_list.cpp names them for the user.
#pragma once

#include <memory>

#include "ta2s2/gp/covariance.hpp"

namespace ta2s2 {

std::unique_ptr<Covariance> make_squared_exponential();
std::unique_ptr<Covariance> make_matern52();
std::unique_ptr<Covariance> make_matern32();
std::unique_ptr<Covariance> make_power_exponential(double alpha);  // 0 < alpha <= 2
std::unique_ptr<Covariance> make_rational(double share);           // 0 <= share < 1

}  // namespace ta2s2
