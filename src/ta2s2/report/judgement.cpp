#include <algorithm>

#include "ta2s2/report/sections.hpp"
#include "ta2s2/workflow/judge.hpp"

namespace ta2s2::report {
namespace {

// A finding's sentence can stand within a line; on the page it stands alone.
std::string alone(std::string sentence) {
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence + ".";
}

UnseenRuns validation_of(const ValidationPredictions& predictions) {
  UnseenRuns validation{total_scores(predictions.runs.posterior).rmse, {}};
  for (const JudgedRun& run : predictions.runs.posterior) validation.pit.push_back(run.pit);
  validation.num_outside = predictions.num_outside();
  validation.farthest = predictions.farthest;
  validation.chance = predictions.runs.chance;
  return validation;
}

// The light's colour, and what it says.
std::pair<std::string, std::string> light_of(Grade grade) {
  if (grade == Grade::bad) return {"red", "Do not trust this emulator yet"};
  if (grade >= Grade::unknown) return {"amber", "Use this emulator with care"};
  return {"green", "This emulator can be trusted"};
}

// What the page's style calls a grade.
std::string style_of(Grade grade) {
  return grade == Grade::unknown || grade == Grade::caution ? "care" : to_word(grade);
}

}  // namespace

VerdictSection verdict_section(const OutputRecord& output, const LeftOutPredictions& left_out,
                               const ValidationPredictions* validation) {
  const UnseenRuns unseen = validation ? validation_of(*validation) : UnseenRuns{};
  const Judgement judgement = judge(output, left_out.facts, validation ? &unseen : nullptr);
  std::vector<Finding> findings = judgement.findings;
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.grade > b.grade; });
  const auto [level, headline] = light_of(judgement.grade());
  VerdictSection section{
      level, headline, to_word(judgement.grade()), judgement.headline(), to_word(sampler_status(output)), {}, {}};
  for (const Finding& finding : findings) {
    section.reasons.push_back({style_of(finding.grade), alone(finding.sentence)});
    if (finding.grade >= Grade::unknown && !finding.advice.empty()) add_once(section.advice, alone(finding.advice));
  }
  if (section.advice.empty()) {
    section.advice = {validation ? "Predict with ta2s2 predict, within the ranges below."
                                 : "Predict with ta2s2 predict, within the ranges below; if you have runs to spare, "
                                   "add --validation test.csv to this report."};
  }
  return section;
}

}  // namespace ta2s2::report
