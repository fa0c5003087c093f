// What errors over seeds say: their mean, how well it is known, and when it is more than chance.
#pragma once

#include "whole_run/study.hpp"

namespace ta2s2::whole_run {

struct Bias {
  Quantity quantity;
  double bias = 0.0;
  double standard_error = 0.0;  // of the bias, from the seeds' spread
  double rmse = 0.0;

  double in_standard_errors() const { return bias == 0.0 ? 0.0 : bias / standard_error; }
};

// `errors` are the final or the recycled ones of `study`.
std::vector<Bias> biases(const Study& study, const Matrix& errors);
Bias bias_of(const Study& study, const Matrix& errors, Kind kind);  // of the first quantity of that kind

// Seeds are independent and equally distributed, so that a bias of none, in its standard errors, is Student's t with
// one degree of freedom less than there are seeds. Returns what any of `num_comparisons` such values exceeds in size
// with probability at most `level`, by Bonferroni.
double critical_value(Index num_seeds, Index num_comparisons, double level);

}  // namespace ta2s2::whole_run
