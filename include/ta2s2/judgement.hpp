// Whether an emulator may be used: what was asked of it, what was found, and one grade for all of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

/// In the order of their weight: a judgement is as good as its heaviest finding, and a note weighs nothing.
enum class Grade {
  note,     ///< worth knowing; it does not change what the emulator is good for
  good,     ///< asked and answered well
  unknown,  ///< asked, but there is too little to answer by
  caution,  ///< the emulator use it only after reading the sentence
  bad,      ///< predictions or their intervals are not what they say
};

/// "note", "good", "unknown", "caution" or "bad".
std::string to_word(Grade grade);

/// What is asked. `value` of a finding is the number that answers, where there is one.
enum class Question {
  accuracy,       ///< how close are predicted means? R^2
  coverage,       ///< do 95% intervals hold what they say? The share of runs that they held
  convergence,    ///< is the sample the posterior's? The least number of independent draws
  reliability,    ///< can leave-one-out be relied on? The share of runs for which it cannot
  extrapolation,  ///< do validation runs lie where the emulator was made? The share that does not
  data,           ///< do the box of the hyper-parameters, or the runs as they were read, limit what was learnt?
};

/// One answer. The sentence says what was found and, after a colon, why or what it means; it begins with a small letter
/// and has no full stop, so that it can stand in a line with others.
struct Finding {
  Question question = Question::accuracy;      ///< that was asked
  Grade grade = Grade::good;                   ///< how good the answer is
  std::optional<double> value = std::nullopt;  ///< the number that answers; see Question
  std::string sentence;                        ///< for the user
  std::string advice = {};                     ///< what to do about it; may be empty
  std::string member = {};  ///< the models of an average that it is of; empty: the emulator's as a whole
};

/// All that was found about the emulator of one output.
struct Judgement {
  std::string output;             ///< the name of its column
  std::vector<Finding> findings;  ///< by question, in the order of Question

  /// The heaviest grade among the findings; `note` if there are none.
  Grade grade() const;

  /// Accuracy, coverage and convergence in one line: of each the heaviest finding's sentence, up to its colon. For
  /// example "typical error 0.58 (0.3% of the range); 95% intervals held 59 of 60 left-out runs; sampler converged".
  std::string headline() const;

  /// Grade and headline: "good: typical error 0.58 ...".
  std::string line() const { return to_word(grade()) + ": " + headline(); }

  /// Sentence and advice of each finding that weighs `caution` or more, the heaviest first; empty if there is none.
  std::vector<std::string> warnings() const;
};

/// Grade, headline and findings (docs/file_formats.md).
std::string to_json(const Judgement& judgement);

/// "accuracy", "coverage", "convergence", "reliability", "extrapolation" or "data".
std::string to_word(Question question);

}  // namespace ta2s2
