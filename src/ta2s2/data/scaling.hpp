// From the user's units to those the model computes in: inputs on the unit cube, output with mean 0 and sd 1.
#pragma once

#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

class Scaling {
 public:
  // Each input from its declared range, or from its observed one. A range for a name that is no column of the
  // data is an Error{usage}; a run outside its declared range, a constant input or output is an
  // Error{bad_data}.
  static Scaling from(const OutputRuns& data, const std::vector<InputRange>& ranges = {});

  // From stored numbers. Error{bad_data} unless all are finite, widths and output_sd positive.
  Scaling(Vector low, Vector width, double output_mean, double output_sd);

  Matrix to_unit(MatrixView inputs) const;      // (n, p), the user's units
  Matrix to_user(MatrixView unit) const;        // back again
  Vector to_standard(VectorView output) const;  // (n), the user's units

  const Vector& low() const { return low_; }
  const Vector& width() const { return width_; }
  double output_mean() const { return output_mean_; }
  double output_sd() const { return output_sd_; }  // divisor n - 1

 private:
  Vector low_, width_;
  double output_mean_, output_sd_;
};

}  // namespace ta2s2
