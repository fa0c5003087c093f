#include "ta2s2/dataset.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/rng/stream.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

std::string header(const std::vector<std::string>& names) {
  std::ostringstream out;
  write_csv_header(out, names);
  return out.str();
}

std::string rows(const Matrix& matrix) {
  std::ostringstream out;
  write_csv_rows(out, matrix);
  return out.str();
}

TEST(CsvWriter, WritesCommasAndLineFeeds) {
  EXPECT_EQ(header({"a", "b c", "sd"}), "a,b c,sd\n");
  EXPECT_EQ(rows(Matrix{{1, -2.5, 0}, {1e-300, 0.1, 12345678}}), "1,-2.5,0\n1e-300,0.1,12345678\n");
  EXPECT_EQ(rows(Matrix(0, 3)), "");
}

TEST(CsvWriter, QuotesNamesThatNeedIt) {
  EXPECT_EQ(header({"a,b", "say \"hi\"", "#1", "two\nlines", "semi;colon", "tab\t"}),
            "\"a,b\",\"say \"\"hi\"\"\",\"#1\",\"two\nlines\",\"semi;colon\",\"tab\t\"\n");
}

TEST(CsvWriter, OurOwnReaderReadsItsNames) {
  const std::vector<std::string> names = {"#first", "a,b", "say \"hi\"", "semi;colon", "blade angle (°)", "x^2"};
  const test::TemporaryFile file(header(names) + rows(Matrix::Ones(1, 6)));
  const CsvTable table = read_csv_table(file.path());
  EXPECT_EQ(table.names, names);
  EXPECT_EQ(table.separator, ',');
}

// Any finite double, subnormal numbers included, drawn by its bits.
TEST(CsvWriter, NumbersReadBackAsTheSameDouble) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> values = {0.1,  1.0 / 3.0, 5e-324, Limits::min(),        Limits::max(),
                                -0.0, 0.1 + 0.2, 1e22,   123456789012345678.0, std::nextafter(1.0, 2.0)};
  Stream stream({.seed = 5, .purpose = Purpose::design});
  while (values.size() < 5000) {
    const double value = std::bit_cast<double>(stream.bits());
    if (std::isfinite(value)) values.push_back(value);
  }
  const std::string text = rows(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
  std::istringstream lines(text);
  for (const double value : values) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    double read = 0.0;
    const auto result = std::from_chars(line.data(), line.data() + line.size(), read);
    ASSERT_EQ(result.ptr, line.data() + line.size()) << line;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(value)) << line;
  }
}

TEST(CsvWriter, ALabelBeginsEveryRowAndIsQuotedWhereItMustBe) {
  std::ostringstream out;
  write_csv_rows(out, "matern52, linear trend", Matrix{{1.0, 0.5}, {2.0, -3.0}});
  EXPECT_EQ(out.str(), "\"matern52, linear trend\",1,0.5\n\"matern52, linear trend\",2,-3\n");
}

}  // namespace
}  // namespace ta2s2
