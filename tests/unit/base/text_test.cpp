#include "ta2s2/base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ta2s2 {
namespace {

using testing::ElementsAre;

TEST(Text, SplitsAndTrims) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_THAT(split(" a ,, b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_EQ(to_lower("AzZ9-\xC3\x84"), "azz9-\xC3\x84");
}

TEST(Text, JoinsWordsAndWhatHasThem) {
  struct Named {
    std::string name;
    std::string text(int i) const { return name + std::to_string(i); }
  };
  const std::vector<Named> list = {{"a"}, {"b"}};
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(join(std::vector<std::string>{"", "b", ""}, ", "), ", b, ");
  EXPECT_EQ(join(list, "; ", &Named::name), "a; b");
  EXPECT_EQ(join(list, " ", [](const Named& named) { return named.text(1); }), "a1 b1");
}

TEST(Text, KeepsEachSentenceWhereItIsFirstSaid) {
  EXPECT_THAT(once({"b", "a", "b", "", "a", "c", ""}), ElementsAre("b", "a", "", "c"));
  EXPECT_TRUE(contains({"a", "b"}, "b"));
  EXPECT_FALSE(contains({"a", "b"}, ""));
}

TEST(Text, CountsInWords) {
  EXPECT_EQ(counted(0, "run"), "0 runs");
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(2, "run"), "2 runs");
}

TEST(Text, WritesNumbers) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(format_number(1.0 / 3.0, 4), "0.3333");
  EXPECT_EQ(format_number(2.5, 4), "2.5");
  EXPECT_EQ(format_number(123456.0, 3), "1.23e+05");
  EXPECT_EQ(format_fixed(2.5, 3), "2.500");
  EXPECT_EQ(format_fixed(-0.4, 0), "-0");
  EXPECT_EQ(format_fixed(std::numeric_limits<double>::max(), 1).size(), 311u);
  EXPECT_EQ(format_fixed(-std::numeric_limits<double>::infinity(), 1), "-inf");
}

TEST(Text, WritesSharesInPercent) {
  EXPECT_EQ(percent(0.12345, 3), "12.3%");
  EXPECT_EQ(percent(0.12345, 2), "12%");
  EXPECT_EQ(percent(0.99876, 2), "99.88%");
  EXPECT_EQ(percent(1.0, 2), "100%");
}

}  // namespace
}  // namespace ta2s2
