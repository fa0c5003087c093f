// What Python holds of a fit: the record of one output with its emulators.
#pragma once

#include <nanobind/nanobind.h>

#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::python {

class Fit {
 public:
  explicit Fit(OutputRecord output)
      : output_(std::move(output)), posterior_(make_predictive(output_)), map_(make_plug_in(output_)) {}

  const OutputRecord& output() const { return output_; }
  // Of an average, that of the model with the largest weight.
  const MemberRecord& record() const { return heaviest_member(output_); }
  const Predictive& predictive(bool map) const { return map ? map_ : posterior_; }

 private:
  OutputRecord output_;
  Predictive posterior_, map_;
};

// A Fit for each output, and back.
nanobind::list fits_of(EmulatorRecord model);
EmulatorRecord model_of(const nanobind::list& fits);

}  // namespace ta2s2::python
