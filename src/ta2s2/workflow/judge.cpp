#include "ta2s2/workflow/judge.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/text.hpp"

namespace ta2s2 {
namespace {

// The finding that weighs most, the first of several; none if there are only notes.
const Finding* heaviest(const std::vector<Finding>& findings, Question question) {
  const Finding* found = nullptr;
  for (const Finding& finding : findings) {
    if (finding.question != question || finding.grade == Grade::note) continue;
    if (!found || finding.grade > found->grade) found = &finding;
  }
  return found;
}

// What was said when the runs were read and the fit was made, each sentence once.
std::vector<Finding> notices_of(const OutputRecord& output) {
  std::vector<std::string> notices;
  for (const MemberRecord& member : output.members) {
    for (const std::string& notice : member.notices) add_once(notices, notice);
  }
  std::vector<Finding> findings;
  for (const std::string& notice : notices) findings.push_back({Question::data, Grade::note, {}, notice});
  return findings;
}

}  // namespace

Grade Judgement::grade() const {
  Grade heaviest = Grade::note;
  for (const Finding& finding : findings) heaviest = std::max(heaviest, finding.grade);
  return heaviest;
}

std::string Judgement::headline() const {
  std::vector<std::string> parts;
  for (const Question question : {Question::accuracy, Question::coverage, Question::convergence}) {
    const Finding* finding = heaviest(findings, question);
    if (finding) parts.push_back(finding->sentence.substr(0, finding->sentence.find(": ")));
  }
  return join(parts, "; ");
}

std::vector<std::string> Judgement::warnings() const {
  std::vector<std::string> sentences;
  for (const Grade grade : {Grade::bad, Grade::caution}) {
    for (const Finding& finding : findings) {
      if (finding.grade != grade) continue;
      sentences.push_back(finding.sentence + (finding.advice.empty() ? "" : "; " + finding.advice));
    }
  }
  return sentences;
}

std::string to_word(Grade grade) {
  constexpr const char* kWords[] = {"note", "good", "unknown", "caution", "bad"};
  return kWords[static_cast<std::size_t>(grade)];
}

std::string to_word(Question question) {
  constexpr const char* kWords[] = {"accuracy", "coverage", "convergence", "reliability", "extrapolation", "data"};
  return kWords[static_cast<std::size_t>(question)];
}

Judgement judge(const OutputRecord& output, const LeftOutFacts& facts, const UnseenRuns* validation) {
  Judgement judgement{output.name(), detail::judge_predictions(output, facts, validation)};
  for (const std::vector<Finding>& more :
       {detail::judge_samplers(output), detail::judge_inputs(output), notices_of(output)}) {
    judgement.findings.insert(judgement.findings.end(), more.begin(), more.end());
  }
  std::stable_sort(judgement.findings.begin(), judgement.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.question < b.question; });
  return judgement;
}

namespace detail {

std::string rounded(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || size < 1e-4) return format_number(value, 2);
  return format_fixed(value, std::max(0, 1 - static_cast<int>(std::floor(std::log10(size)))));
}

std::string percent(double share) {
  return format_number(100.0 * share, share < 0.995 ? 2 : 3) + "%";
}

}  // namespace detail
}  // namespace ta2s2
