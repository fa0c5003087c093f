#include "ta2s2/exec/ranks.hpp"

#include <gtest/gtest.h>

#include "ta2s2/error.hpp"
#include "unit/exec/thread_ranks.hpp"

namespace ta2s2 {
namespace {

using ta2s2::test::run_ranks;

class RanksTest : public ::testing::TestWithParam<int> {
 protected:
  // Each rank runs `program` to its end, and then the job ends as the command line ends it.
  std::vector<Ending> endings_of(const std::function<void(Ranks&)>& program) const {
    std::vector<Ending> endings(static_cast<std::size_t>(GetParam()));
    const auto errors = run_ranks(GetParam(), [&](Ranks& ranks) {
      Ending own;
      try {
        program(ranks);
      } catch (const Error& error) {
        own = {static_cast<int>(error.code()), error.what()};
      } catch (const JobEnded&) {
        own = {99, "must not be told"};
      }
      endings[static_cast<std::size_t>(ranks.rank())] = ranks.end(own);
    });
    for (const auto& error : errors) EXPECT_EQ(error, nullptr);
    return endings;
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, RanksTest, ::testing::Values(1, 2, 3, 4, 7, 8, 9),
                         [](const auto& instance) { return std::to_string(instance.param) + "_ranks"; });

TEST_P(RanksTest, EveryRankGetsWhatTheFirstBroadcasts) {
  const auto endings = endings_of([](Ranks& ranks) {
    for (int i = 0; i < 50; ++i) {
      const Bytes own = "of rank " + std::to_string(ranks.rank()) + ", " + std::to_string(i);
      EXPECT_EQ(ranks.broadcast('x', own), "of rank 0, " + std::to_string(i));
    }
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 0);
}

TEST_P(RanksTest, TheFirstGathersFromAllInTheirOrder) {
  endings_of([](Ranks& ranks) {
    const std::vector<Bytes> gathered = ranks.gather(std::to_string(ranks.rank()));
    ASSERT_EQ(gathered.size(), static_cast<std::size_t>(ranks.is_first() ? ranks.size() : 0));
    for (std::size_t rank = 0; rank < gathered.size(); ++rank) EXPECT_EQ(gathered[rank], std::to_string(rank));
  });
}

TEST_P(RanksTest, WhatOneRankLacksIsNotInCommon) {
  const int last = GetParam() - 1;
  endings_of([&](Ranks& ranks) {
    const std::vector<std::string> all = {"plain", "sse4", "avx2", "avx512"}, fewer = {"avx2", "plain", "neon"};
    const std::vector<std::string> common = ranks.in_common(ranks.rank() == last && last > 0 ? fewer : all);
    EXPECT_EQ(common, last > 0 ? (std::vector<std::string>{"plain", "avx2"}) : all);
  });
}

// The first rank's failure ends those that wait for it, wherever they are.
TEST_P(RanksTest, AFailureOfTheFirstEndsAll) {
  const auto endings = endings_of([](Ranks& ranks) {
    if (ranks.is_first()) throw Error(ErrorCode::cannot_write, "no space");
    ranks.broadcast('x', {});
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 6);
  EXPECT_EQ(endings.front().sentence, "no space");
}

TEST_P(RanksTest, AFailureOfTheLastEndsAll) {
  if (GetParam() == 1) GTEST_SKIP() << "there is no other";
  const int last = GetParam() - 1;
  const auto endings = endings_of([&](Ranks& ranks) {
    if (ranks.rank() == last) throw Error(ErrorCode::bad_data, "no memory");
    ranks.gather("here");
    ranks.broadcast('x', "for all");
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 3);
  EXPECT_EQ(endings.front().sentence, "rank " + std::to_string(last) + ": no memory");
}

TEST_P(RanksTest, AFailureAfterTheFirstIsDoneIsStillTold) {
  if (GetParam() == 1) GTEST_SKIP() << "there is no other";
  const auto endings = endings_of([](Ranks& ranks) {
    if (ranks.rank() == 1) throw Error(ErrorCode::bad_data, "late");
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 3);
  EXPECT_EQ(endings.front().sentence, "rank 1: late");
}

// What all ranks find out alike is rank 0's to say, however late it comes.
TEST_P(RanksTest, AFailureOfAllIsTheFirstRanksOwn) {
  const auto endings = endings_of([](Ranks& ranks) {
    ranks.broadcast('x', "bad bytes");
    if (ranks.is_first()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    throw Error(ErrorCode::bad_data, "line 3");
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 3);
  EXPECT_EQ(endings.front().sentence, "line 3");
}

TEST_P(RanksTest, RanksAtDifferentPlacesAreAnError) {
  if (GetParam() == 1) GTEST_SKIP() << "there is no other";
  const auto endings = endings_of([](Ranks& ranks) { ranks.broadcast(ranks.is_first() ? 'x' : 'y', {}); });
  EXPECT_EQ(endings.front().code, 1);
  EXPECT_NE(endings.front().sentence.find("not at the same place"), std::string::npos);
}

}  // namespace
}  // namespace ta2s2
