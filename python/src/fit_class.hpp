// A fit's record with its emulators: what Python holds as Fit.
#pragma once

#include "ta2s2/emulator/emulator.hpp"
#include "ta2s2/workflow/fit_record.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::python {

class Fit {
 public:
  explicit Fit(FitRecord record)
      : record_(std::move(record)), posterior_(make_emulator(record_)), map_(make_map_emulator(record_)) {}

  const FitRecord& record() const { return record_; }
  const Emulator& emulator(bool map) const { return map ? map_ : posterior_; }

 private:
  FitRecord record_;
  Emulator posterior_, map_;
};

}  // namespace ta2s2::python
