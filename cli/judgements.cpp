#include "judgements.hpp"

#include <cstdio>

#include "ta2s2/error.hpp"

namespace ta2s2::cli {

std::vector<Judgement> judge_all(const EmulatorRecord& model, Executor& executor) {
  std::vector<Judgement> judgements;
  for (const OutputRecord& output : model.outputs)
    judgements.push_back(judge(output, left_out_facts(output, executor)));
  return judgements;
}

std::string judgement_line(const Judgement& judgement) {
  return to_word(judgement.grade()) + ": " + judgement.headline();
}

void print_warnings(const std::vector<Judgement>& judgements) {
  for (const Judgement& judgement : judgements) {
    const std::string name = judgements.size() > 1 ? judgement.output + ": " : "";
    for (const std::string& warning : judgement.warnings()) {
      std::fprintf(stderr, "warning: %s%s\n", name.c_str(), warning.c_str());
    }
  }
}

void add_strict_flag(CLI::App& command, bool& is_strict) {
  command.add_flag("--strict", is_strict, "end with exit code 8 if the judgement is bad; all files are written first");
}

void require_not_bad(const std::vector<Judgement>& judgements, bool is_strict) {
  std::string names;
  for (const Judgement& judgement : judgements) {
    if (judgement.grade() == Grade::bad) names += (names.empty() ? "" : ", ") + judgement.output;
  }
  if (is_strict && !names.empty())
    throw Error(ErrorCode::judged_bad, "--strict: the judgement of " + names + " is bad");
}

}  // namespace ta2s2::cli
