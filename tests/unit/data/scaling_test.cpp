#include "ta2s2/data/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

const Matrix kInputs = (Matrix(4, 2) << 1, 20, 2, 10, 3, 40, 5, 30).finished();
const Vector kOutput = (Vector(4) << 2, 4, 6, 8).finished();

OutputRuns dataset(const Matrix& inputs, const Vector& output) {
  return OutputRuns(inputs, output, {"a", "b"}, "y", {"runs.csv", {2, 3, 5, 6}, {"unused"}, {}});
}

TEST(Scaling, ObservedRanges) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput));
  EXPECT_EQ(scaling.low(), Vector((Vector(2) << 1, 10).finished()));
  EXPECT_EQ(scaling.width(), Vector((Vector(2) << 4, 30).finished()));
  EXPECT_EQ(scaling.output_mean(), 5.0);
  EXPECT_NEAR(scaling.output_sd(), std::sqrt(20.0 / 3.0), 4 * kEpsilon);  // divisor n - 1
  const Matrix unit = scaling.to_unit(kInputs);
  EXPECT_EQ(unit, (Matrix(4, 2) << 0, 10.0 / 30.0, 0.25, 0, 0.5, 1, 1, 20.0 / 30.0).finished());
  const Vector standard = scaling.to_standard(kOutput);
  EXPECT_NEAR(standard.mean(), 0.0, 4 * kEpsilon);
  EXPECT_NEAR(standard.squaredNorm() / 3.0, 1.0, 8 * kEpsilon);
}

TEST(Scaling, DeclaredRanges) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput), {{"unused", 0, 1}, {"b", 0, 100}});
  EXPECT_EQ(scaling.low(), Vector((Vector(2) << 1, 0).finished()));
  EXPECT_EQ(scaling.width(), Vector((Vector(2) << 4, 100).finished()));
}

TEST(Scaling, BadRanges) {
  const OutputRuns data = dataset(kInputs, kOutput);
  expect_parts(message_of(ErrorCode::usage,
                          [&] {
                            Scaling::from(data, {{"c", 0, 1}});
                          }),
               {"\"c\"", "expected one of the inputs \"a\", \"b\""});
  expect_parts(message_of(ErrorCode::bad_data,
                          [&] {
                            Scaling::from(data, {{"b", 0, 35}});
                          }),
               {"runs.csv, line 5, column \"b\": found 40, expected a value in its declared range, 0 to 35"});
}

TEST(Scaling, ConstantsAreRefused) {
  Matrix inputs = kInputs;
  inputs.col(1).setConstant(3.0);
  expect_parts(message_of(ErrorCode::bad_data, [&] { Scaling::from(dataset(inputs, kOutput)); }), {"\"b\"", "width"});
  expect_parts(message_of(ErrorCode::bad_data, [&] { Scaling::from(dataset(kInputs, Vector::Ones(4))); }),
               {"\"y\"", "varies"});
}

// Changing units by a power of two changes nothing but the units, however far.
TEST(Scaling, UnitsDoNotMatter) {
  const Scaling plain = Scaling::from(dataset(kInputs, kOutput));
  for (const int exponent : {-1000, -600, -40, 40, 600, 1000}) {
    const double unit = std::ldexp(1.0, exponent);
    const Scaling scaling = Scaling::from(dataset(unit * kInputs, unit * kOutput));
    EXPECT_EQ(scaling.to_unit(unit * kInputs), plain.to_unit(kInputs));
    EXPECT_EQ(scaling.to_standard(unit * kOutput), plain.to_standard(kOutput));
    EXPECT_EQ(scaling.output_sd(), unit * plain.output_sd());
  }
}

// Outputs 1e12 + {2, 4, 6, 8} are exact doubles, so their deviations from an exact mean are too. A one-pass
// variance would lose all of 20/3: its terms are 1e24, with a spacing of 1e8.
TEST(Scaling, ALargeOffsetCostsNothing) {
  const Vector output = kOutput.array() + 1e12;
  const Scaling scaling = Scaling::from(dataset(kInputs, output));
  EXPECT_EQ(scaling.output_mean(), 1e12 + 5.0);
  EXPECT_NEAR(scaling.output_sd(), std::sqrt(20.0 / 3.0), 4 * kEpsilon);
}

TEST(Scaling, FromStoredNumbers) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput));
  const Scaling again(scaling.low(), scaling.width(), scaling.output_mean(), scaling.output_sd());
  EXPECT_EQ(again.to_unit(kInputs), scaling.to_unit(kInputs));
  EXPECT_EQ(again.to_standard(kOutput), scaling.to_standard(kOutput));
  const Vector ones = Vector::Ones(2);
  message_of(ErrorCode::bad_data, [&] { Scaling(ones, Vector::Zero(2), 0.0, 1.0); });
  message_of(ErrorCode::bad_data, [&] { Scaling(ones, Vector::Ones(3), 0.0, 1.0); });
  message_of(ErrorCode::bad_data, [&] { Scaling(ones, ones, 0.0, 0.0); });
  message_of(ErrorCode::bad_data, [&] { Scaling(ones, ones, std::nan(""), 1.0); });
}

}  // namespace
}  // namespace ta2s2
