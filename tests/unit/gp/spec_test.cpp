#include "ta2s2/gp/spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Spec, ReadsNamesAndArguments) {
  EXPECT_EQ(parse_spec(" matern52 ")->name, "matern52");
  EXPECT_TRUE(parse_spec("matern52")->arguments.empty());
  EXPECT_EQ(parse_spec("gamma( 2 ,0.5)")->name, "gamma");
  EXPECT_THAT(parse_spec("gamma( 2 ,0.5)")->arguments, ElementsAre("2", "0.5"));
}

TEST(Spec, RefusesBadSyntax) {
  for (const char* bad : {"", "  ", "(2)", "gamma(2", "gamma 2)", "gamma(2,)", "gamma()", "a,b"}) {
    EXPECT_FALSE(parse_spec(bad).has_value()) << bad;
  }
}

TEST(Spec, NumbersSurviveTheRoundTrip) {
  EXPECT_EQ(format_spec("gamma", {2.0, 0.1}), "gamma(2,0.1)");
  EXPECT_EQ(format_spec("decaying"), "decaying");
  EXPECT_EQ(parse_number("+1e-8", "fixed(value)"), 1e-8);
  for (const char* bad : {"", "two", "1.5x", "inf", "nan", "1,5"}) EXPECT_THROW(parse_number(bad, "x"), Error) << bad;
}

struct Thing {
  double number;
};

std::vector<Choice<Thing>> things() {
  using Numbers = std::vector<double>;
  return {{"plain", 0, "plain", [](const Numbers&) { return std::make_unique<Thing>(Thing{0.0}); }},
          {"plain(joint)", 0, "plain(joint)", [](const Numbers&) { return std::make_unique<Thing>(Thing{-1.0}); }},
          {"scaled(by)", 1, "scaled(3)", [](const Numbers& a) { return std::make_unique<Thing>(Thing{a[0]}); }}};
}

TEST(Spec, FindsChoicesByNameAndArity) {
  EXPECT_EQ(make_choice("thing", "plain", things())->number, 0.0);
  EXPECT_EQ(make_choice("thing", "plain(joint)", things())->number, -1.0);
  EXPECT_EQ(make_choice("thing", "scaled(2.5)", things())->number, 2.5);
}

TEST(Spec, SaysWhatIsAllowed) {
  for (const char* bad : {"other", "scaled", "scaled(1,2)", "plain(1)", "scaled(1"}) {
    try {
      make_choice("thing", bad, things());
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_THAT(error.what(), HasSubstr("'" + std::string(bad) + "' is not a thing"));
      EXPECT_THAT(error.what(), HasSubstr("plain, plain(joint), scaled(by)"));
    }
  }
}

}  // namespace
}  // namespace ta2s2
