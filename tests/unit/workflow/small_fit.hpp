// A fit small enough for a unit test: a few runs of a smooth function in units of their own.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2::test {

// Rows: (metres 100..300, pascals 0..2e-3).
inline Matrix small_inputs(Index n, std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::design});
  Matrix inputs(n, 2);
  for (Index i = 0; i < n; ++i) {
    inputs(i, 0) = 100.0 + 200.0 * draw_uniform(stream);
    inputs(i, 1) = 2e-3 * draw_uniform(stream);
  }
  return inputs;
}

inline OutputRuns small_runs(Index n = 14, double output_unit = 1.0, std::uint64_t seed = 3) {
  const Matrix inputs = small_inputs(n, seed);
  Vector output(n);
  for (Index i = 0; i < n; ++i) {
    const double a = (inputs(i, 0) - 100.0) / 200.0, b = inputs(i, 1) / 2e-3;
    output[i] = output_unit * (50.0 + 7.0 * std::sin(4.0 * a) + 3.0 * b * b - 2.0 * a * b);
  }
  return OutputRuns(inputs, output, {"length", "load"}, "weight");
}

// Few draws unless set otherwise.
inline FitOptions small_options(std::vector<Setting> settings = {}) {
  FitOptions options;
  settings.insert(settings.begin(), {{"samples", "200"}, {"model", "single"}});
  apply_settings(options, settings);
  return options;
}

inline MemberRecord small_fit(const std::vector<Setting>& settings = {}, const OutputRuns& data = small_runs(),
                              int threads = 2) {
  ThreadExecutor executor(threads);
  Observer silent;
  return fit(data, ValidFitOptions(small_options(settings)), {}, {executor, silent});
}

}  // namespace ta2s2::test
