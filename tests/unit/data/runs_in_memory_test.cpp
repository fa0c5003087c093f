#include "ta2s2/data/runs_in_memory.hpp"

#include <limits>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

using test::message_of;

const Matrix kInputs{{1.0, 5.0, 2.0}, {2.0, 5.0, 1.0}, {3.0, 5.0, 4.0}};
const Vector kOutput{{1.0, 4.0, 9.0}};
const std::vector<std::string> kNames = {"a", "b", "c"};

TEST(TakeRuns, LeavesOutInputsThatNeverChangeAndSaysSo) {
  const OutputRuns runs = take_runs(kInputs, kOutput, kNames, "y");
  EXPECT_EQ(runs.input_names(), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(runs.inputs(), (Matrix{{1.0, 2.0}, {2.0, 1.0}, {3.0, 4.0}}));
  EXPECT_EQ(runs.unused_columns(), std::vector<std::string>{"b"});
  EXPECT_EQ(runs.notices(), std::vector<std::string>{"input \"b\" is 5 in every run and was left out"});
}

TEST(TakeRuns, RefusesWhatNothingCanBeLearntFrom) {
  const auto say = [](const Matrix& inputs, const Vector& output) {
    return message_of(ErrorCode::bad_data, [&] { take_runs(inputs, output, kNames, "y"); });
  };
  EXPECT_EQ(say(kInputs, Vector::Constant(3, 2.0)),
            "output \"y\": found 2 in every run, expected an output that varies");
  EXPECT_EQ(say(kInputs.topRows(2), kOutput.head(2)), "found 2 usable runs, expected at least 3");
  EXPECT_EQ(say(Matrix::Ones(3, 3), kOutput),
            "found inputs that are the same in every run, expected at least one input that varies");
  Matrix damaged = kInputs;
  damaged(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(say(damaged, kOutput), "");
}

}  // namespace
}  // namespace ta2s2
