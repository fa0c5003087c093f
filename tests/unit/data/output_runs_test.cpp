#include "ta2s2/data/output_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;

OutputRuns small(Matrix inputs, Vector output, RunSource source = {}) {
  return OutputRuns(std::move(inputs), std::move(output), {"a", "b"}, "y", std::move(source));
}

const Matrix kSmallInputs = (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished();
const Vector kSmallOutput = (Vector(3) << 7, 8, 9).finished();

TEST(OutputRuns, KeepsItsPromise) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Matrix inputs = kSmallInputs;
  inputs(1, 0) = nan;
  expect_parts(message_of(ErrorCode::bad_data, [&] { small(inputs, kSmallOutput); }),
               {"run 2", "\"a\"", "nan", "finite"});
  Vector output = kSmallOutput;
  output[2] = -std::numeric_limits<double>::infinity();
  expect_parts(message_of(ErrorCode::bad_data,
                          [&] {
                            small(kSmallInputs, output, {"r.csv", {2, 4, 9}, {}, {}});
                          }),
               {"r.csv, line 9", "\"y\"", "-inf", "finite"});
  message_of(ErrorCode::bad_data, [&] { small(kSmallInputs, Vector::Ones(2)); });
  message_of(ErrorCode::bad_data, [&] { small(kSmallInputs, kSmallOutput, {"", {1}, {}, {}}); });
  message_of(ErrorCode::bad_data, [&] { small(Matrix(0, 2), Vector(0)); });
  message_of(ErrorCode::bad_data, [&] { OutputRuns(kSmallInputs, kSmallOutput, {"a"}, "y"); });
  message_of(ErrorCode::bad_data, [&] { OutputRuns(kSmallInputs, kSmallOutput, {"a", ""}, "y"); });
  expect_parts(message_of(ErrorCode::bad_data,
                          [&] {
                            OutputRuns(kSmallInputs, kSmallOutput, {"a", "a"}, "y");
                          }),
               {"\"a\" twice"});
  expect_parts(message_of(ErrorCode::bad_data,
                          [&] {
                            OutputRuns(kSmallInputs, kSmallOutput, {"a", "y"}, "y");
                          }),
               {"\"y\" twice"});
}

TEST(OutputRuns, FingerprintHasAKnownAnswer) {
  // FNV-1a over little-endian 64-bit words: 1 run, 1 input, 1, "a", 1, "y", 1.0, 2.0. From Python's
  // struct.pack("<Q") and struct.pack("<d") with h = ((h ^ byte) * 0x100000001b3) mod 2^64 from h =
  // 0xcbf29ce484222325.
  const OutputRuns data(Matrix::Ones(1, 1), Vector::Constant(1, 2.0), {"a"}, "y");
  EXPECT_EQ(data.fingerprint(), "1e2c278384f128d8");
}

TEST(OutputRuns, FingerprintChangesWithAnyBit) {
  std::set<std::string> seen{small(kSmallInputs, kSmallOutput).fingerprint()};
  std::size_t expected = 1;
  const auto add = [&](const OutputRuns& data) {
    seen.insert(data.fingerprint());
    EXPECT_EQ(seen.size(), ++expected);
  };
  for (Index run = 0; run < 3; ++run) {
    for (Index input = 0; input < 2; ++input) {
      Matrix inputs = kSmallInputs;
      inputs(run, input) = std::nextafter(inputs(run, input), 0.0);
      add(small(inputs, kSmallOutput));
    }
    Vector output = kSmallOutput;
    output[run] = std::nextafter(output[run], 100.0);
    add(small(kSmallInputs, output));
  }
  add(OutputRuns(kSmallInputs, kSmallOutput, {"b", "a"}, "y"));
  add(OutputRuns(kSmallInputs, kSmallOutput, {"a", "b"}, "Y"));
  add(OutputRuns(kSmallInputs, kSmallOutput, {"ab", "c"}, "y"));
  add(OutputRuns(kSmallInputs, kSmallOutput, {"a", "bc"}, "y"));
  add(OutputRuns(kSmallInputs.topRows(2), kSmallOutput.head(2), {"a", "b"}, "y"));
  // Where the runs came from is not part of them.
  EXPECT_EQ(small(kSmallInputs, kSmallOutput, {"r.csv", {2, 3, 4}, {}, {"notice"}}).fingerprint(),
            small(kSmallInputs, kSmallOutput).fingerprint());
}

TEST(DuplicateRuns, None) {
  const DuplicateRuns found = find_duplicate_runs(small(kSmallInputs, kSmallOutput));
  EXPECT_EQ(found.groups, 0);
  EXPECT_FALSE(found.differing_outputs);
}

TEST(DuplicateRuns, EqualOutputs) {
  const Matrix inputs = (Matrix(5, 2) << 1, 2, 3, 4, 1, 2, 3, 5, 3, 4).finished();
  const Vector output = (Vector(5) << 1, 2, 1, 4, 2).finished();
  const DuplicateRuns found = find_duplicate_runs(small(inputs, output));
  EXPECT_EQ(found.groups, 2);
  EXPECT_FALSE(found.differing_outputs);
}

TEST(DuplicateRuns, TheFirstDifferingPairIsNamed) {
  // Two groups differ. The one that comes second in sorted order has its second run first; -0 equals 0.
  const Matrix inputs = (Matrix(6, 2) << 0.0, 2, 9, 4, 9, 4, 9, 4, 5, 5, -0.0, 2).finished();
  const Vector output = (Vector(6) << 1, 2, 2, 3, 4, 9).finished();
  const DuplicateRuns found = find_duplicate_runs(small(inputs, output, {"r.csv", {2, 3, 5, 6, 7, 8}, {}, {}}));
  EXPECT_EQ(found.groups, 2);
  EXPECT_TRUE(found.differing_outputs);
  EXPECT_EQ(found.first_line, 3);
  EXPECT_EQ(found.second_line, 6);
}

}  // namespace
}  // namespace ta2s2
