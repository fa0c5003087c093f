#include "ta2s2/error.hpp"

#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

TEST(Error, KeepsItsCodeAndSentence) {
  try {
    throw Error(ErrorCode::bad_data, "runs.csv, line 3: not a number");
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "runs.csv, line 3: not a number");
    EXPECT_EQ(dynamic_cast<const Error&>(error).code(), ErrorCode::bad_data);
  }
}

// The values are the program's documented exit codes: a user's script depends on them.
TEST(Error, CodesAreTheDocumentedExitCodes) {
  EXPECT_EQ(static_cast<int>(ErrorCode::internal), 1);
  EXPECT_EQ(static_cast<int>(ErrorCode::usage), 2);
  EXPECT_EQ(static_cast<int>(ErrorCode::bad_data), 3);
  EXPECT_EQ(static_cast<int>(ErrorCode::bad_file), 4);
  EXPECT_EQ(static_cast<int>(ErrorCode::interrupted), 5);
  EXPECT_EQ(static_cast<int>(ErrorCode::cannot_write), 6);
  EXPECT_EQ(static_cast<int>(ErrorCode::resumable), 7);
}

}  // namespace
}  // namespace ta2s2
