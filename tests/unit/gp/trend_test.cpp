#include "ta2s2/gp/trend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

const std::vector<std::string> kInputs = {"a", "length (mm)", "c"};

Matrix points() {
  Matrix X(2, 3);
  X << 0.0, 0.5, 1.0, 0.25, 0.75, 0.5;
  return X;
}

TEST(Trend, Columns) {
  EXPECT_EQ(Trend("none", kInputs).size(), 0);
  EXPECT_EQ(Trend("none", kInputs).columns(points()).rows(), 2);
  EXPECT_EQ(Trend("constant", kInputs).columns(points()), Matrix::Ones(2, 1).eval());
  Matrix linear(2, 4);
  linear << 1, 0.0, 0.5, 1.0, 1, 0.25, 0.75, 0.5;
  EXPECT_EQ(Trend("linear", kInputs).columns(points()), linear);
  Matrix chosen(2, 3);
  chosen << 1, 0.5, 1.0, 1, 0.75, 0.25;
  const Trend terms("terms(length (mm), c^2)", kInputs);
  EXPECT_EQ(terms.columns(points()), chosen);
  EXPECT_EQ(terms.size(), 3);
  EXPECT_EQ(terms.spec(), "terms(length (mm), c^2)");
}

TEST(Trend, RefusesWithASentence) {
  const auto message = [](const std::string& spec) -> std::string {
    try {
      Trend(spec, kInputs);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("quadratic"), testing::HasSubstr("none, constant, linear, terms(a,b,a^2)"));
  EXPECT_THAT(message("terms(b)"), testing::HasSubstr("the inputs are a, length (mm), c"));
  EXPECT_THAT(message("terms(a,a)"), testing::HasSubstr("twice"));
  EXPECT_THAT(message("terms(a"), testing::HasSubstr("is not a trend"));
}

}  // namespace
}  // namespace ta2s2
