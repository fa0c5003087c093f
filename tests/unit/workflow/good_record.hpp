// A record of a fit with nothing wrong, made by hand, for tests that spoil one thing at a time.
#pragma once

#include "unit/workflow/small_fit.hpp"

namespace ta2s2::test {

// 1000 draws of two coordinates with mean 0 and sd 1, kurtosis 1; two modes of weights 0.7 and 0.3; four groups.
inline MemberRecord good_record() {
  constexpr Index kDraws = 1000;
  const OutputRuns data = small_runs();
  MemberRecord record{.version = "0",
                      .data = data,
                      .scaling = Scaling(Vector::Zero(2), Vector{{200.0, 1e-3}}, 50.0, 2.0),
                      .options = {},
                      .sample = {{"log_phi_length", "log_phi_load"},
                                 Matrix(2, kDraws),
                                 Vector::Constant(kDraws, 1.0 / kDraws),
                                 Vector::Zero(kDraws)},
                      .map = {},
                      .modes = {},
                      .levels = {},
                      .evidence = Evidence{7.0, 0.1, true, {6.9, 7.0, 7.1, 7.2}},
                      .diagnostics = {},
                      .notices = {},
                      .times = {}};
  record.options.sampler = "annealed";
  record.options.transform = kNoTransform;
  for (Index i = 0; i < kDraws; ++i) record.sample.positions.col(i).setConstant(i % 2 == 0 ? 1.0 : -1.0);
  record.diagnostics = {{"log_phi_length", 400.0, 0.01, 0.0, 1.002}, {"log_phi_load", 900.0, 0.0, 0.02, 1.001}};
  record.modes = {
      {Vector{{-1.0, 0.0}}, 1.0, 0.7, Vector{{-1.0, 0.0}}, Vector{{0.1, 0.2}}, {0.7, 0.68, 0.72, 0.7}, 800.0},
      {Vector{{1.0, 0.0}}, 2.0, 0.3, Vector{{1.0, 0.0}}, Vector{{0.1, 0.2}}, {0.3, 0.32, 0.28, 0.3}, 800.0}};
  record.levels.resize(2);
  record.levels.back().beta = 1.0;
  record.levels.back().num_chains = 100;
  record.levels.back().num_states = 2000;
  return record;
}

}  // namespace ta2s2::test
