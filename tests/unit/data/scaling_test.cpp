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
  message_of(ErrorCode::bad_data, [&] { Scaling(ones, ones, 0.0, 1.0, {InputScale::log}); });
  message_of(ErrorCode::bad_data, [&] {
    Scaling(Vector{{1.0, 0.0}}, ones, 0.0, 1.0, {InputScale::linear, InputScale::log});
  });
}

// ---- log scales ----

const std::vector<InputScaleRule> kLogOfB = {{"b", InputScale::log}};

// The same as a linear scaling of the logarithms, to rounding; the other input has the same bits.
TEST(Scaling, ALogInputIsScaledByItsLogarithm) {
  Matrix logs = kInputs;
  logs.col(1) = logs.col(1).array().log();
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput), {}, kLogOfB);
  const Scaling of_logs = Scaling::from(dataset(logs, kOutput));
  EXPECT_EQ(scaling.to_unit(kInputs).col(0), of_logs.to_unit(logs).col(0));
  EXPECT_LT((scaling.to_unit(kInputs) - of_logs.to_unit(logs)).cwiseAbs().maxCoeff(), 8 * kEpsilon);
  EXPECT_GT((scaling.to_unit(kInputs) - Scaling::from(dataset(kInputs, kOutput)).to_unit(kInputs)).norm(), 0.1);
  EXPECT_NEAR(scaling.length_units()[1], std::log(4.0), 4 * kEpsilon);
  EXPECT_EQ(scaling.length_units()[0], scaling.width()[0]);
}

TEST(Scaling, ALogInputKeepsItsRangeInTheUsersUnits) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput), {{"b", 1e-3, 1e3}}, kLogOfB);
  EXPECT_EQ(scaling.low()[1], 1e-3);
  EXPECT_NEAR(scaling.high(1), 1e3, 1e3 * kEpsilon);
  EXPECT_TRUE(scaling.has_logs());
  EXPECT_TRUE(scaling.is_log(1));
  EXPECT_FALSE(scaling.is_log(0));
  const Matrix middle = scaling.to_user(Matrix::Constant(1, 2, 0.5));
  EXPECT_EQ(middle(0, 0), 3.0);
  EXPECT_NEAR(middle(0, 1), 1.0, 1e-13);
}

TEST(Scaling, ThereAndBackAgain) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput), {}, kLogOfB);
  const Matrix back = scaling.to_user(scaling.to_unit(kInputs));
  EXPECT_LT(((back - kInputs).array() / kInputs.array()).abs().maxCoeff(), 16 * kEpsilon);
  const Scaling again(scaling.low(), scaling.width(), scaling.output_mean(), scaling.output_sd(),
                      {InputScale::linear, InputScale::log});
  EXPECT_EQ(again.to_unit(kInputs), scaling.to_unit(kInputs));
}

TEST(Scaling, GridsAreEvenAlongTheScale) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput), {}, kLogOfB);
  EXPECT_EQ(scaling.grid(0, 1.0, 5.0, 5), Vector::LinSpaced(5, 1.0, 5.0));
  const Vector grid = scaling.grid(1, 1e-2, 1e2, 5);
  EXPECT_EQ(grid[0], 1e-2);
  EXPECT_EQ(grid[4], 1e2);
  for (Index i = 1; i < 5; ++i) EXPECT_NEAR(grid[i] / grid[i - 1], 10.0, 1e-13);
}

TEST(Scaling, TheFirstRuleThatFitsWinsOverTheRange) {
  const OutputRuns data = dataset(kInputs, kOutput);
  const InputRange log_range{"b", 1, 100, InputScale::log};
  EXPECT_TRUE(Scaling::from(data, {log_range}).is_log(1));
  EXPECT_FALSE(Scaling::from(data, {log_range}, {{"b", InputScale::linear}}).is_log(1));
  const Scaling all_but_b = Scaling::from(data, {}, {{"b", InputScale::linear}, {"*", InputScale::log}});
  EXPECT_TRUE(all_but_b.is_log(0));
  EXPECT_FALSE(all_but_b.is_log(1));
  EXPECT_FALSE(Scaling::from(data, {}, {{"unus?d", InputScale::log}}).has_logs());
}

TEST(Scaling, BadLogScales) {
  Matrix inputs = kInputs;
  inputs(2, 1) = -40.0;
  const OutputRuns data = dataset(inputs, kOutput), good = dataset(kInputs, kOutput);
  expect_parts(message_of(ErrorCode::bad_data, [&] { Scaling::from(data, {}, kLogOfB); }),
               {"runs.csv, line 5, column \"b\": found -40, expected a positive number", "log scale"});
  expect_parts(message_of(ErrorCode::bad_data,
                          [&] {
                            Scaling::from(good, {{"b", 0, 100}}, kLogOfB);
                          }),
               {"the range declared for \"b\": found 0, expected a positive number"});
  const InputRange placed{"b", 0, 100, InputScale::log, "ranges.csv, line 3, column 2 \"min\""};
  expect_parts(message_of(ErrorCode::bad_data, [&] { Scaling::from(good, {placed}); }),
               {"ranges.csv, line 3, column 2 \"min\": found 0, expected a positive number"});
  expect_parts(message_of(ErrorCode::usage,
                          [&] {
                            Scaling::from(good, {}, {{"bb", InputScale::log}});
                          }),
               {"--input-scale: found \"bb\"", "expected one of the inputs \"a\", \"b\""});
}

TEST(Scaling, PointsWithoutALogarithmAreNamed) {
  const Scaling scaling = Scaling::from(dataset(kInputs, kOutput), {}, kLogOfB);
  const Matrix points = (Matrix(2, 2) << -1, 10, 2, 0).finished();
  const RowPlace where = [](Index row) { return "points.csv, line " + std::to_string(row + 2); };
  expect_parts(message_of(ErrorCode::bad_data,
                          [&] {
                            scaling.require_positive(points, {"a", "b"}, where);
                          }),
               {"points.csv, line 3, column \"b\": found 0, expected a positive number"});
  EXPECT_NO_THROW(scaling.require_positive(points.topRows(1), {"a", "b"}, where));
}

}  // namespace
}  // namespace ta2s2
