#include "ta2s2/data/load_runs.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;
using test::TemporaryFile;
using testing::ElementsAre;
using testing::HasSubstr;

using Strings = std::vector<std::string>;

OutputRuns load(std::string_view text, const RunColumns& columns = {}) {
  const TemporaryFile file(text);
  return load_runs(file.path(), columns);
}

std::string load_failure(std::string_view text, const RunColumns& columns = {}, ErrorCode code = ErrorCode::bad_data) {
  const TemporaryFile file(text);
  return message_of(code, [&] { load_runs(file.path(), columns); });
}

// The output of three runs, the last of which is `cell`.
double read_number(const std::string& cell, const std::string& separator = ",") {
  const std::string s = separator;
  return load("a" + s + "y\n1" + s + "100\n2" + s + "200\n3" + s + cell + "\n").output()[2];
}

TEST(LoadRuns, ColumnsByName) {
  const OutputRuns data = load("b,y,a,note\n1,2,3,x\n4,5,6,y\n7,8,10,z\n", {"y", {"a", "b"}});
  EXPECT_EQ(data.input_names(), (Strings{"a", "b"}));
  EXPECT_EQ(data.output_name(), "y");
  EXPECT_EQ(data.inputs(), (Matrix(3, 2) << 3, 1, 6, 4, 10, 7).finished());
  EXPECT_EQ(data.output(), Vector((Vector(3) << 2, 5, 8).finished()));
  EXPECT_THAT(data.lines(), ElementsAre(2, 3, 4));
  EXPECT_THAT(data.unused_columns(), ElementsAre("note"));
  EXPECT_THAT(data.path(), HasSubstr("runs.csv"));
  EXPECT_TRUE(data.notices().empty());
}

TEST(LoadRuns, WithoutNames) {
  const OutputRuns with_y = load("y,a,b\n1,2,3\n4,5,6\n7,8,10\n");
  EXPECT_EQ(with_y.output_name(), "y");
  EXPECT_EQ(with_y.input_names(), (Strings{"a", "b"}));
  EXPECT_TRUE(with_y.notices().empty());
  const OutputRuns without_y = load("a,b,weight\n1,2,3\n4,5,6\n7,8,10\n");
  EXPECT_EQ(without_y.output_name(), "weight");
  EXPECT_THAT(without_y.notices(), ElementsAre(HasSubstr("the last column, \"weight\", is taken as the output")));
}

TEST(LoadRuns, NumberForms) {
  EXPECT_EQ(read_number("+1.5"), 1.5);
  EXPECT_EQ(read_number("-1e5"), -1e5);
  EXPECT_EQ(read_number("1E+5"), 1e5);
  EXPECT_EQ(read_number("1d5"), 1e5);
  EXPECT_EQ(read_number("1.25D-03"), 1.25e-3);
  EXPECT_EQ(read_number(".5"), 0.5);
  EXPECT_EQ(read_number("5."), 5.0);
  EXPECT_EQ(read_number("1e-400"), 0.0);
  EXPECT_EQ(read_number("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(read_number("0.1"), 0.1);
  EXPECT_EQ(read_number("0,1", ";"), 0.1);
  EXPECT_EQ(read_number("0.1", ";"), 0.1);
  EXPECT_EQ(read_number("-1,5e3", "\t"), -1.5e3);
}

TEST(LoadRuns, NotNumbers) {
  for (const std::string cell :
       {"abc", "0x10", "1.2.3", "1e", "--1", "+-1", "+", "-", "1 2", "nan(1)", "1e5e5", "e5"}) {
    SCOPED_TRACE(cell);
    expect_parts(load_failure("a,y\n1,1\n2," + cell + "\n3,4\n"),
                 {"runs.csv, line 3, column 2 \"y\"", "found \"" + cell + "\"", "expected a number"});
  }
  expect_parts(load_failure("a,y\n1,1\n2,\"1,5\"\n3,4\n"),
               {"line 3, column 2 \"y\"", "found \"1,5\"", "expected a number"});
}

TEST(LoadRuns, MixedDecimalMarksAreNotGuessed) {
  expect_parts(load_failure("a;y\n1;0,5\n2;1.234\n3;2\n"),
               {"runs.csv, line 3, column 2 \"y\"", "found \"1.234\"", "expected the same decimal mark"});
}

TEST(LoadRuns, BadInputs) {
  expect_parts(load_failure("q,a,b,y\n1,2,3,4\n1,2,abc,4\n", {"y", {"a", "b"}}),
               {"runs.csv, line 3, column 3 \"b\": found \"abc\", expected a number"});
  expect_parts(load_failure("a,y\n1,2\nNaN,3\n4,5\n"),
               {"line 3, column 1 \"a\"", "found \"NaN\"", "expected a number"});
  expect_parts(load_failure("a,b,y\n1,1,2\n,2,3\n4,5,6\n"),
               {"line 3, column 1 \"a\"", "found an empty cell", "a number"});
  expect_parts(load_failure("a,y\n1,2\ninf,3\n4,5\n"), {"line 3, column 1 \"a\"", "\"inf\"", "a finite number"});
  expect_parts(load_failure("a,y\n1,2\n1e999,3\n4,5\n"), {"line 3, column 1 \"a\"", "\"1e999\"", "a finite number"});
  expect_parts(load_failure(",a,y\n0,1,2\n1,x,3\n2,4,5\n"),
               {"line 3, column 2 \"a\"", "found \"x\"", "name the inputs"});
}

TEST(LoadRuns, FailedRunsAreLeftOutAndCounted) {
  const OutputRuns data = load("a,y\n1,1\n2,NaN\n3,2\n4,\n5,3\n6,-inf\n7,n/a\n8,NULL\n9,NA\n10,-nan\n11,1e999\n");
  EXPECT_EQ(data.num_runs(), 3);
  EXPECT_THAT(data.lines(), ElementsAre(2, 4, 6));
  EXPECT_THAT(data.notices(),
              ElementsAre("8 of 11 runs have no output and were left out (lines 3, 5, 7, 8, 9, 10, 11, 12)"));
  const OutputRuns one = load("a,y\n1,1\n2,nan\n3,2\n4,3\n");
  EXPECT_THAT(one.notices(), ElementsAre("1 of 4 runs has no output and was left out (line 3)"));
}

TEST(LoadRuns, LongListsOfLinesAreCut) {
  std::string text = "a,y\n1,1\n2,2\n3,3\n";
  for (int i = 0; i < 12; ++i) text += "4,\n";
  EXPECT_THAT(load(text).notices(), ElementsAre(HasSubstr("(lines 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ...)")));
}

TEST(LoadRuns, RowLabelsGetANotice) {
  EXPECT_THAT(load(",a,y\n0,1,2\n1,3,4\n2,5,7\n").notices(), ElementsAre(HasSubstr("column 1 has no name")));
}

TEST(LoadRuns, ConstantInputsAreDropped) {
  const OutputRuns data = load("a,b,y\n1,7.5,1\n2,7.5,2\n3,7.5,4\n4,8,\n");
  EXPECT_EQ(data.input_names(), (Strings{"a"}));
  EXPECT_EQ(data.num_inputs(), 1);
  EXPECT_THAT(data.notices(), testing::Contains("input \"b\" is 7.5 in every run and was left out"));
  EXPECT_THAT(data.unused_columns(), ElementsAre("b"));
  expect_parts(load_failure("a,y\n1,1\n1,2\n1,3\n"),
               {"runs.csv, line 2, column 1 \"a\"", "the same", "one input that varies"});
}

TEST(LoadRuns, ConstantOutput) {
  expect_parts(load_failure("a,y\n1,2.5\n2,2.5\n3,2.5\n"),
               {"runs.csv, line 2, column 2 \"y\"", "found 2.5", "expected an output that varies"});
}

TEST(LoadRuns, TooFewRuns) {
  expect_parts(load_failure("a,y\n1,1\n2,2\n"), {"runs.csv, line 3", "found 2 usable runs", "expected at least 3"});
  expect_parts(load_failure("a,y\n1,1\n2,2\n3,\n"),
               {"runs.csv, line 4, column 2 \"y\"", "found 2 usable runs", "1 of 3 runs has no output", "at least 3"});
}

TEST(LoadRuns, MissingColumns) {
  const std::string text = "speed,height,weight\n1,2,3\n4,5,6\n7,8,10\n";
  expect_parts(load_failure(text, {"wieght", {}}),
               {"runs.csv, line 1", "found the columns \"speed\", \"height\", \"weight\"",
                "expected a column \"wieght\" (did you mean \"weight\"?)"});
  expect_parts(load_failure(text, {"weight", {"Speed"}}), {"a column \"Speed\" (did you mean \"speed\"?)"});
  EXPECT_THAT(load_failure(text, {"z", {}}), testing::Not(HasSubstr("did you mean")));
  expect_parts(load_failure("y\n1\n2\n3\n"),
               {"runs.csv, line 1, column 1 \"y\"", "no other column", "at least one input"});
}

TEST(LoadRuns, ContradictoryColumns) {
  const std::string text = "a,b,y\n1,2,3\n4,5,6\n7,8,10\n";
  expect_parts(load_failure(text, {"y", {"a", "y"}}, ErrorCode::usage), {"\"y\" cannot be an input and the output"});
  expect_parts(load_failure(text, {"y", {"a", "a"}}, ErrorCode::usage), {"input \"a\" is named twice"});
}

TEST(LoadTestRuns, NothingHasToVary) {
  const TemporaryFile file("y,b,a\n5,1,2\n5,1,2\n,1,2\n");
  const OutputRuns data = load_test_runs(file.path(), {"a", "b"}, "y");
  EXPECT_EQ(data.inputs(), (Matrix(2, 2) << 2, 1, 2, 1).finished());
  EXPECT_THAT(data.notices(), ElementsAre("1 of 3 runs has no output and was left out (line 4)"));
  file.write("y,a\n,1\n");
  expect_parts(message_of(ErrorCode::bad_data, [&] { load_test_runs(file.path(), {"a"}, "y"); }),
               {"runs.csv, line 2, column 1 \"y\"", "found 0 usable runs", "expected at least 1"});
}

std::vector<OutputRuns> load_all(std::string_view text, const RunColumns& columns) {
  const TemporaryFile file(text);
  return load_outputs(file.path(), columns);
}

constexpr std::string_view kThreeOutputs = "a,lift1,b,drag,lift2\n1,10,3,5,7\n2,20,1,,8\n4,31,2,6,9\n5,39,5,7,7\n";

TEST(LoadOutputs, ByNamesAndPatterns) {
  const std::vector<OutputRuns> outputs = load_all(kThreeOutputs, {"drag,lift*", {}});
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].output_name(), "drag");
  EXPECT_EQ(outputs[1].output_name(), "lift1");
  EXPECT_EQ(outputs[2].output_name(), "lift2");
  for (const OutputRuns& data : outputs) EXPECT_EQ(data.input_names(), (Strings{"a", "b"}));
  EXPECT_EQ(load_all(kThreeOutputs, {"lift?, drag, drag", {}}).size(), 3u);
}

TEST(LoadOutputs, ARunWithoutOneOutputCountsForTheOthers) {
  const std::vector<OutputRuns> outputs = load_all(kThreeOutputs, {"drag,lift1", {"a", "b"}});
  EXPECT_EQ(outputs[0].num_runs(), 3);
  EXPECT_THAT(outputs[0].notices(), ElementsAre(HasSubstr("1 of 4 runs has no output")));
  EXPECT_EQ(outputs[1].num_runs(), 4);
}

TEST(LoadOutputs, APatternLeavesNamedInputsAlone) {
  const std::vector<OutputRuns> outputs = load_all(kThreeOutputs, {"*", {"a", "b"}});
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].output_name(), "lift1");
}

TEST(LoadOutputs, OneNameIsOneOutput) {
  EXPECT_EQ(load_all("a,y\n1,2\n2,3\n3,5\n", {})[0].output_name(), "y");
  // A comma within a column's own name.
  EXPECT_EQ(load_all("a,\"y,z\"\n1,2\n2,3\n3,5\n", {"y,z", {}})[0].output_name(), "y,z");
  // Another output is an input, as ever, unless it is asked for too.
  EXPECT_EQ(load_all(kThreeOutputs, {"drag", {}})[0].num_inputs(), 4);
}

TEST(LoadOutputs, NoSuchColumn) {
  const TemporaryFile file(kThreeOutputs);
  const auto message = [&](const std::string& output) {
    return message_of(ErrorCode::bad_data, [&] { load_outputs(file.path(), {output, {}}); });
  };
  expect_parts(message("drag,heft"), {"line 1", "\"lift1\"", "expected a column \"heft\""});
  expect_parts(message("moment*"), {"line 1", "\"drag\"", "expected at least one that fits \"moment*\""});
}

const Matrix kArrayInputs{{1.0, 5.0, 2.0}, {2.0, 5.0, 1.0}, {3.0, 5.0, 4.0}};
const Vector kArrayOutput{{1.0, 4.0, 9.0}};
const std::vector<std::string> kNames = {"a", "b", "c"};

TEST(TakeRuns, LeavesOutInputsThatNeverChangeAndSaysSo) {
  const OutputRuns runs = take_runs(kArrayInputs, kArrayOutput, kNames, "y");
  EXPECT_EQ(runs.input_names(), (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(runs.inputs(), (Matrix{{1.0, 2.0}, {2.0, 1.0}, {3.0, 4.0}}));
  EXPECT_EQ(runs.unused_columns(), std::vector<std::string>{"b"});
  EXPECT_EQ(runs.notices(), std::vector<std::string>{"input \"b\" is 5 in every run and was left out"});
}

TEST(TakeRuns, RefusesWhatNothingCanBeLearntFrom) {
  const auto say = [](const Matrix& inputs, const Vector& output) {
    return message_of(ErrorCode::bad_data, [&] { take_runs(inputs, output, kNames, "y"); });
  };
  EXPECT_EQ(say(kArrayInputs, Vector::Constant(3, 2.0)),
            "output \"y\": found 2 in every run, expected an output that varies");
  EXPECT_EQ(say(kArrayInputs.topRows(2), kArrayOutput.head(2)), "found 2 usable runs, expected at least 3");
  EXPECT_EQ(say(Matrix::Ones(3, 3), kArrayOutput),
            "found inputs that are the same in every run, expected at least one input that varies");
  Matrix damaged = kArrayInputs;
  damaged(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(say(damaged, kArrayOutput), "");
}

}  // namespace
}  // namespace ta2s2
