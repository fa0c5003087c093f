// What the public face refuses, so that a slip in a program is an error and not another number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ta2s2/ta2s2.hpp>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;

Dataset plane(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  Matrix X(12, 2);
  for (Index i = 0; i < X.rows(); ++i)
    X.row(i) << static_cast<double>(i) / 11.0, static_cast<double>(5 * i % 12) / 11.0;
  Matrix Y(12, static_cast<Index>(outputs.size()));
  for (Index k = 0; k < Y.cols(); ++k) Y.col(k) = X.col(0) + static_cast<double>(k + 2) * X.col(1).cwiseAbs2();
  return Dataset::from_arrays(X, Y, inputs, outputs);
}

Emulator fitted(const std::vector<std::string>& outputs = {"y"}) {
  FitSettings settings;
  settings.model.use = ModelUse::single;
  settings.sampler.samples = 60;
  return Emulator::fit(plane({"a", "b"}, outputs), settings);
}

TEST(EmulatorContract, PointsHaveTheInputsColumnsAndAreFinite) {
  const Emulator emulator = fitted();
  Matrix points = Matrix::Constant(3, 2, 0.5);
  EXPECT_EQ(emulator.predict(points).mean.rows(), 3);
  expect_parts(message_of(ErrorCode::usage, [&] { emulator.predict(points.leftCols(1)); }),
               {"points", "1 column", "expected 2", "a, b"});
  points(1, 1) = std::nan("");
  expect_parts(message_of(ErrorCode::bad_data, [&] { emulator.predict(points); }), {"row 2", "\"b\"", "nan", "finite"});
}

TEST(EmulatorContract, RunsInMemoryHaveEveryColumn) {
  const Emulator emulator = fitted();
  const Matrix two = Matrix::Ones(4, 2), one = Matrix::Ones(4, 1);
  expect_parts(message_of(ErrorCode::usage, [&] { emulator.take_runs(one, one); }), {"inputs", "1 column", "a, b"});
  expect_parts(message_of(ErrorCode::usage, [&] { emulator.take_runs(two, two); }), {"outputs", "2 columns", "y"});
}

TEST(EmulatorContract, ValidationRunsAreThoseOfTheEmulatorsColumns) {
  const Emulator emulator = fitted(), of_two = fitted({"y", "z"});
  EXPECT_EQ(emulator.validate(plane({"a", "b"}, {"y"})).size(), 1U);
  expect_parts(message_of(ErrorCode::usage, [&] { emulator.validate(plane({"b", "a"}, {"y"})); }), {"a, b", "y"});
  expect_parts(message_of(ErrorCode::usage, [&] { of_two.validate(plane({"a", "b"}, {"y"})); }), {"output z"});
}

// A program's own density, by nothing but public headers: a box and energies.
class Triangle final : public TargetDensity {
 public:
  Index dim() const override { return 1; }
  std::vector<std::string> names() const override { return {"x"}; }
  const Box* box() const override { return &box_; }
  void energies(MatrixView points, Workspace&, std::span<Energy> out) const override {
    const double log_volume = std::log(2.0);
    for (Index i = 0; i < points.cols(); ++i) {
      const double x = points(0, i);
      out[static_cast<std::size_t>(i)] = x > 0.0 && x < 2.0
                                             ? Energy{log_volume, -std::log(x) - log_volume, Impossible::no}
                                             : Energy::impossible(Impossible::outside_box);
    }
  }

 private:
  Box box_{Vector::Zero(1), Vector::Constant(1, 2.0)};
};

// The density x on [0, 2] has evidence 2. The run states its own error, of which five are allowed.
TEST(EmulatorContract, ADensityOfTheUsersOwnNeedsABoxAndEnergies) {
  const Sample found = sample(Triangle(), {}, {});
  ASSERT_TRUE(found.evidence);
  EXPECT_NEAR(found.evidence->log_evidence, std::log(2.0), 5.0 * found.evidence->standard_error);
  EXPECT_LT(found.evidence->standard_error, 0.1);  // a start elsewhere, or half of the box, would be off by log 2
}

}  // namespace
}  // namespace ta2s2
