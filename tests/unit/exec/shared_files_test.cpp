#include "ta2s2/exec/ranks.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "unit/exec/thread_ranks.hpp"

namespace ta2s2 {
namespace {

using ta2s2::test::run_ranks;

std::string text_of(std::streambuf& bytes) {
  return {std::istreambuf_iterator<char>(&bytes), std::istreambuf_iterator<char>()};
}

// As long as several blocks, and its last one not full.
TEST(SharedFile, EveryRankReadsWhatTheFirstHas) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "shared_file_test.txt";
  std::string text;
  while (text.size() < 2'500'000) text += std::to_string(text.size()) + ",\n";
  std::ofstream(path, std::ios::binary) << text;
  const auto errors = run_ranks(3, [&](Ranks& ranks) {
    // Another rank's machine need not have the file.
    const InputFile file = open_shared_file(ranks, ranks.is_first() ? path : "not here");
    ASSERT_NE(file.bytes, nullptr);
    EXPECT_EQ(text_of(*file.bytes), text);
  });
  for (const auto& error : errors) EXPECT_EQ(error, nullptr);
  std::filesystem::remove(path);
}

TEST(SharedFile, EveryRankKnowsWhyItIsNotThere) {
  run_ranks(3, [](Ranks& ranks) {
    const InputFile missing = open_shared_file(ranks, ranks.is_first() ? "/nowhere/at/all" : "/");
    EXPECT_EQ(missing.bytes, nullptr);
    EXPECT_EQ(missing.error_number, ENOENT);
    EXPECT_FALSE(missing.is_directory);
    const InputFile folder = open_shared_file(ranks, ranks.is_first() ? "/" : "/nowhere");
    EXPECT_EQ(folder.bytes, nullptr);
    EXPECT_TRUE(folder.is_directory);
  });
}

}  // namespace
}  // namespace ta2s2
