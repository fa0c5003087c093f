// Sums and means of numbers that are known by their logarithms.
#pragma once

#include <span>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// log(sum exp(values)); -inf for an empty span or when every value is -inf.
double log_sum_exp(std::span<const double> values);

// log(exp(a) + exp(b)).
double log_add_exp(double a, double b);

// log(1 / (1 + exp(-x))), without overflow on either side.
double log_sigmoid(double x);

}  // namespace ta2s2
