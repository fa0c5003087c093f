// What makes the sections of an output's page.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/judged_predictions.hpp"
#include "ta2s2/report/record.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::report {

inline const char* judged_by(bool are_validated) {
  return are_validated ? "validation runs" : "runs, each left out in turn";
}

// judgement.cpp: the judgement of a fit (workflow/judge.hpp) as a light, reasons with the worst first, and advice.
VerdictSection verdict_section(const OutputRecord& output, const detail::LeftOutPredictions& left_out,
                               const detail::ValidationPredictions* validation);

// predictions.cpp. None if no run can be left out.
std::optional<JudgedSection> left_out_section(const OutputRecord& output, const detail::LeftOutPredictions& left_out);
JudgedSection validation_section(const detail::ValidationPredictions& predictions);

// inputs.cpp. The numbers are those of `ta2s2 sensitivity` with as many paths, and of `ta2s2 next-runs` with as many
// draws; no next runs if there are so many runs that the choice takes minutes.
InputsSection inputs_section(const OutputRecord& output, Executor& executor);
EffectsSection effects_section(const OutputRecord& output, Executor& executor);
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
