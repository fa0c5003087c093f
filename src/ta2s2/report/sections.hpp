// What makes the sections of an output's page.
#pragma once

#include "ta2s2/design.hpp"
#include "ta2s2/report/judged_runs.hpp"
#include "ta2s2/report/record.hpp"
#include "ta2s2/sensitivity.hpp"

namespace ta2s2::report {

inline const char* judged_by(bool are_validated) {
  return are_validated ? "validation runs" : "runs, each left out in turn";
}

// How many factorisations of as many runs take a few seconds, within limits.
inline Index affordable(Index num_runs, Index fewest, Index most) {
  const double count = 1e10 / std::pow(static_cast<double>(num_runs), 3);
  return static_cast<Index>(std::clamp(count, static_cast<double>(fewest), static_cast<double>(most)));
}

// Over the ranges of the runs, evenly along the inputs' scales.
inline Matrix random_points(const MemberRecord& fit, Index count, std::uint64_t seed) {
  return fit.scaling.to_user(make_design({fit.data.num_inputs(), count, DesignKind::random, seed}));
}

inline Index num_draws(const OutputRecord& output) {
  Index sum = 0;
  for (const MemberRecord& fit : output.members) sum += fit.sample.size();
  return sum;
}

// judgement.cpp: the judgement of a fit (workflow/judge.hpp) as a light, reasons with the worst first, and advice.
VerdictSection verdict_section(const OutputRecord& output, const LeftOutPredictions& left_out,
                               const ValidationPredictions* validation);

// predictions.cpp. None if no run can be left out.
std::optional<JudgedSection> left_out_section(const OutputRecord& output, const LeftOutPredictions& left_out);
JudgedSection validation_section(const ValidationPredictions& predictions);

// inputs.cpp. The numbers are those of `ta2s2 sensitivity` with as many paths, for the two sections that show them, and
// of `ta2s2 next-runs` with as many draws; no next runs if there are so many runs that the choice takes minutes.
Sensitivity sensitivity_of(const OutputRecord& output, Executor& executor);
InputsSection inputs_section(const Sensitivity& result);
EffectsSection effects_section(const Sensitivity& result, const MemberRecord& fit);
std::optional<NextRunsSection> next_runs_section(const OutputRecord& output, Executor& executor);

// members.cpp. No average of one member; `order`: the inputs' columns as the page lists them.
std::optional<AverageSection> average_section(const OutputRecord& output);
std::vector<MemberSection> member_sections(const OutputRecord& output, const std::vector<Index>& order,
                                           Executor& executor);

// provenance.cpp
SamplerSection sampler_section(const MemberRecord& fit);
TotalsSection totals_section(const OutputRecord& output);
ProvenanceSection provenance_section(const OutputRecord& output);

// page_emulator.cpp: the runs and few draws, chosen to predict as all do.
PageEmulator page_emulator(const OutputRecord& output, Executor& executor);

}  // namespace ta2s2::report
