// May this emulator be trusted? The sampler's verdict and what the predictions of known runs say, in one answer.
#pragma once

#include "ta2s2/report/detail/judged_predictions.hpp"
#include "ta2s2/report/record.hpp"
#include "ta2s2/workflow/verdict.hpp"

namespace ta2s2::detail {

enum class Trust { note, good, care, bad };  // in the order of their weight: a note does not lower the verdict

struct TrustReason {
  Trust level = Trust::good;
  std::string text;    // one sentence
  std::string advice;  // what to do about it; may be empty
};

std::vector<TrustReason> judge_sampler(const MemberRecord& fit);
// Of an average: which models a reason is of. Those of hardly any weight are left aside.
std::vector<TrustReason> judge_samplers(const OutputRecord& output);
// `which`: "left-out runs", "validation runs".
std::vector<TrustReason> judge_predictions(const JudgedPredictions& runs, const std::string& which);
std::vector<TrustReason> judge_reliability(const LeftOutPredictions& left_out);
std::vector<TrustReason> judge_extrapolation(const ValidationPredictions& validation);

// Level, headline, reasons with the worst first, advice.
report::VerdictSection verdict_section(const OutputRecord& output, const LeftOutPredictions& left_out,
                                       const ValidationPredictions* validation);

}  // namespace ta2s2::detail
