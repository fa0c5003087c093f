#include "lab/results.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/io/text_file.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2::lab {
namespace {

using test::TemporaryFile;

const ResultRow kColumns = {"model", "design", "crps", "settings"};

ResultFile open_results(const TemporaryFile& file) {
  return ResultFile(file.path(), kColumns, 2);
}

TEST(ResultFile, RowsAreOnDiskAtOnce) {
  const TemporaryFile file("");
  ResultFile results = open_results(file);
  results.append({"a", "1", "0.25", "f0"});
  EXPECT_EQ(read_text_file(file.path()), "model,design,crps,settings\na,1,0.25,f0\n");
}

TEST(ResultFile, IsContinued) {
  const TemporaryFile file("");
  open_results(file).append({"trend=linear;prior=a=gamma(2,1)", "1", "", "f0"});
  ResultFile results = open_results(file);
  results.append({"b", "2", "0.5", "f0"});
  const ResultFile again = open_results(file);
  ASSERT_EQ(again.rows().size(), 2u);
  const ResultRow* first = again.find({"trend=linear;prior=a=gamma(2,1)", "1"});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->at(2), "");
  ASSERT_NE(again.find({"b", "2"}), nullptr);
  EXPECT_EQ(again.find({"b", "1"}), nullptr);
}

// Wherever a run is killed, whole rows stay and the file goes on as if nothing had happened.
TEST(ResultFile, ALineThatWasCutShortIsRemoved) {
  const std::string whole = "model,design,crps,settings\na,1,0.25,f0\nb,2,0.5,f0\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const TemporaryFile file(whole.substr(0, length));
    {
      ResultFile results = open_results(file);
      if (!results.find({"a", "1"})) results.append({"a", "1", "0.25", "f0"});
      if (!results.find({"b", "2"})) results.append({"b", "2", "0.5", "f0"});
    }
    EXPECT_EQ(read_text_file(file.path()), whole) << length << " bytes were left";
  }
}

TEST(ResultFile, OtherColumnsAreRefused) {
  const TemporaryFile file("model,design,rmse\na,1,0.25\n");
  const std::string message = test::message_of(ErrorCode::bad_data, [&] { open_results(file); });
  test::expect_parts(message, {"runs.csv, line 1", "other columns", "expected another folder"});
}

TEST(ResultFile, AFolderThatCannotBeMadeIsRefused) {
  const TemporaryFile file("a file");
  test::message_of(ErrorCode::cannot_write, [&] { make_folder(file.path() / "folder"); });
  test::message_of(ErrorCode::cannot_write, [&] { make_folder(file.path()); });
}

// R: quantile(c(3, 1, 4, 1.5, 9), c(0, 0.25, 0.5, 0.6, 1)).
TEST(Statistics, QuantilesAreLinearBetweenOrderStatistics) {
  const std::vector<double> values = {3.0, 1.0, 4.0, 1.5, 9.0};
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.25), 1.5);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.6), 3.4);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 1.0), 9.0);
  EXPECT_DOUBLE_EQ(sample_quantile({2.0}, 0.75), 2.0);
}

// R: t.test(c(1, 2, 3, 4, 5)) gives 1.036757 to 4.963243.
TEST(Statistics, IntervalsAreStudents) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0, 5.0};
  const MeanInterval interval = t_interval(values);
  EXPECT_DOUBLE_EQ(interval.mean, 3.0);
  EXPECT_NEAR(interval.half_width, 1.963243, 5e-7);
}

TEST(Statistics, OneValueHasNoInterval) {
  const std::vector<double> values = {7.0};
  EXPECT_DOUBLE_EQ(t_interval(values).mean, 7.0);
  EXPECT_TRUE(std::isinf(t_interval(values).half_width));
}

TEST(Statistics, AShareHasItsBinomialError) {
  EXPECT_DOUBLE_EQ(binomial_error(0.9, 100.0), 0.03);
  EXPECT_DOUBLE_EQ(binomial_error(1.0, 100.0), 0.0);
}

}  // namespace
}  // namespace ta2s2::lab
