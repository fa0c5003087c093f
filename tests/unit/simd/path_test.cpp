#include "ta2s2/simd/instruction_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ta2s2/error.hpp"
#include "ta2s2/simd/lane_routines.hpp"
#include "ta2s2/simd/mixture_routines.hpp"
#include "ta2s2/simd/panel_routines.hpp"

namespace ta2s2 {
namespace {

TEST(InstructionSet, PlainAndBaselineAreEverywhere) {
  EXPECT_THAT(supported_instruction_sets(), testing::Contains(InstructionSet::baseline));
  EXPECT_EQ(supported_instruction_sets().front(), InstructionSet::plain);
  EXPECT_EQ(choose_instruction_set("auto"), best_instruction_set());
  EXPECT_EQ(choose_instruction_set("plain"), InstructionSet::plain);
}

TEST(InstructionSet, EverySupportedPathButPlainHasKernels) {
  for (const InstructionSet path : supported_instruction_sets()) {
    EXPECT_EQ(lane_routines(path) != nullptr, path != InstructionSet::plain);
    EXPECT_EQ(panel_routines(path) != nullptr, path != InstructionSet::plain);
    EXPECT_EQ(mixture_routines(path) != nullptr, path != InstructionSet::plain);
    EXPECT_EQ(choose_instruction_set(instruction_set_name(path)), path);
  }
}

// Of avx512 and neon no processor has both.
TEST(InstructionSet, RefusesWhatIsNotThere) {
  const auto supported = supported_instruction_sets();
  for (const std::string name : {"avx512", "neon"}) {
    bool found = false;
    for (const InstructionSet path : supported) found = found || instruction_set_name(path) == name;
    if (found) continue;
    EXPECT_THROW(choose_instruction_set(name), Error) << name;
  }
  EXPECT_THROW(choose_instruction_set("mmx"), Error);
  EXPECT_FALSE(is_instruction_set("mmx"));
  EXPECT_FALSE(is_instruction_set("auto"));
}

// A processor that shares a job with an older one.
TEST(InstructionSet, OnlyWhatIsKeptIsThereAnyMore) {
  const std::vector<InstructionSet> all = supported_instruction_sets();
  const InstructionSet best = best_instruction_set();
  keep_instruction_sets({InstructionSet::plain, InstructionSet::baseline});
  const std::vector<InstructionSet> kept = supported_instruction_sets();
  const InstructionSet chosen = choose_instruction_set("auto");
  std::string sentence;
  try {
    choose_instruction_set(instruction_set_name(best));
  } catch (const Error& error) {
    sentence = error.what();
  }
  keep_instruction_sets(all);
  EXPECT_EQ(kept, (std::vector<InstructionSet>{InstructionSet::plain, InstructionSet::baseline}));
  EXPECT_EQ(chosen, InstructionSet::baseline);
  if (best != InstructionSet::baseline) {
    EXPECT_THAT(sentence, testing::HasSubstr("not available on every processor of this job"));
  }
  EXPECT_EQ(supported_instruction_sets(), all);
}

}  // namespace
}  // namespace ta2s2
