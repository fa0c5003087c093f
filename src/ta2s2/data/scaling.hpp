// From the user's units to those the model computes in: inputs on the unit cube, output with mean 0 and sd 1. It alone
// knows which inputs have a log scale: their logarithms are scaled, and callers see user's units and the unit cube
// only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// Gives the place of a row for messages: "points.csv, line 7".
using RowPlace = std::function<std::string(Index row)>;

class Scaling {
 public:
  // Each input from its declared range, or from its observed one, on its scale (data/input_scale.hpp: find_ranges lists
  // the errors). A constant input or output is an Error{bad_data}.
  static Scaling from(const OutputRuns& data, const std::vector<InputRange>& declared = {},
                      const std::vector<InputScaleRule>& rules = {});

  // From stored numbers; without scales, all are linear. Error{bad_data} unless all are finite, widths and output_sd
  // positive, and ranges of log inputs too.
  Scaling(Vector low, Vector width, double output_mean, double output_sd, std::vector<InputScale> scales = {});

  Matrix to_unit(MatrixView inputs) const;      // (n, p), the user's units
  Matrix to_user(MatrixView unit) const;        // back again
  Vector to_standard(VectorView output) const;  // (n), the user's units

  // The same for values of one input.
  Vector to_unit(Index input, VectorView values) const;
  Vector to_user(Index input, VectorView unit) const;
  // From low to high in the user's units, in even steps along the input's scale.
  Vector grid(Index input, double low, double high, Index size) const;

  // Error{bad_data} that names the row's place, the column and the value if an input with a log scale is not positive.
  void require_positive(MatrixView inputs, const std::vector<std::string>& names, const RowPlace& where) const;
  void require_positive(const OutputRuns& runs) const;

  Index num_inputs() const { return low_.size(); }
  const Vector& low() const { return low_; }      // the user's units
  const Vector& width() const { return width_; }  // the user's units
  double high(Index input) const { return low_[input] + width_[input]; }
  InputScale scale(Index input) const { return scales_[static_cast<std::size_t>(input)]; }
  bool is_log(Index input) const { return scale(input) == InputScale::log; }
  bool has_logs() const;
  // The length of the unit cube's edge: the width of an input's range, or of its logarithm's.
  const Vector& length_units() const { return length_units_; }
  double output_mean() const { return output_mean_; }
  double output_sd() const { return output_sd_; }  // divisor n - 1

 private:
  Vector low_, width_;
  Vector start_, length_units_;  // along the inputs' scales
  std::vector<InputScale> scales_;
  double output_mean_, output_sd_;
};

}  // namespace ta2s2
