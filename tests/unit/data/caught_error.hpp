// What a call that must fail says.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ta2s2/error.hpp"

namespace ta2s2::test {

// Calls `call`, which must throw Error{code}, and returns its sentence. Any other exception fails the test.
template <class Call>
std::string message_of(ErrorCode code, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

// Every part must be in the text, in this order.
inline void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t position = 0;
  for (const std::string& part : parts) {
    const std::size_t found = text.find(part, position);
    ASSERT_NE(found, std::string::npos) << "no \"" << part << "\" (in this order) in: " << text;
    position = found + part.size();
  }
}

}  // namespace ta2s2::test
