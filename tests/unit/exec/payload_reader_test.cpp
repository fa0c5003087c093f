#include "ta2s2/exec/payload_reader.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

template <class Call>
void expect_refused(const Call& call) {
  test::expect_parts(test::message_of(ErrorCode::bad_file, call), {"checkpoint", "remove it to start again"});
}

TEST(PayloadReader, ReadsInOrder) {
  const Payload payload = {1.5, -2.0, 3.0, 4.0};
  PayloadReader reader(payload);
  EXPECT_EQ(reader.number(), 1.5);
  const auto two = reader.numbers(2);
  EXPECT_EQ(two[0], -2.0);
  EXPECT_EQ(two[1], 3.0);
  EXPECT_TRUE(reader.numbers(0).empty());
  EXPECT_EQ(reader.count(), 4);
  EXPECT_NO_THROW(reader.require_end());
}

TEST(PayloadReader, RefusesToReadBeyondTheEnd) {
  const Payload payload = {1.0};
  expect_refused([&] { PayloadReader(payload).numbers(2); });
  expect_refused([&] { PayloadReader(payload).numbers(std::numeric_limits<std::size_t>::max()); });
  PayloadReader reader(payload);
  reader.number();
  expect_refused([&] { reader.number(); });
  expect_refused([&] { reader.count(); });
}

TEST(PayloadReader, RefusesWhatIsLeftOver) {
  const Payload payload = {1.0};
  const PayloadReader reader(payload);
  expect_refused([&] { reader.require_end(); });
}

TEST(PayloadReader, ACountIsAWholeNumberWithinItsRange) {
  const Payload good = {0.0, 3.0, -0.0, 9007199254740992.0};
  PayloadReader reader(good);
  EXPECT_EQ(reader.count(), 0);
  EXPECT_EQ(reader.count(3), 3);
  EXPECT_EQ(reader.count(), 0);
  EXPECT_EQ(reader.count(), std::int64_t{1} << 53);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, kInfinity, -kInfinity, -1.0, -1e-300, 4.0, 2.5, 1e300}) {
    const Payload payload = {bad};
    expect_refused([&] { PayloadReader(payload).count(3); });
  }
  const Payload large = {9007199254740994.0};  // beyond, where not every whole number is a double
  expect_refused([&] { PayloadReader(large).count(); });
}

}  // namespace
}  // namespace ta2s2
