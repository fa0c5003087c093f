#include "ta2s2/dataset.hpp"

#include <gtest/gtest.h>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;
using test::TemporaryFile;

TEST(LoadRanges, SpellingsAndOrder) {
  for (const std::string header : {"name,min,max", "Name,LOW,High", "NAME,Lower,Upper", "name,min,upper"}) {
    SCOPED_TRACE(header);
    const TemporaryFile file(header + "\nspeed,-1,2.5\nheight,0,1e12\n", "ranges.csv");
    const std::vector<InputRange> ranges = read_ranges(file.path());
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(ranges[0].name, "speed");
    EXPECT_EQ(ranges[0].low, -1.0);
    EXPECT_EQ(ranges[0].high, 2.5);
    EXPECT_EQ(ranges[1].name, "height");
    EXPECT_EQ(ranges[1].high, 1e12);
  }
  const TemporaryFile file("max;unit;name;min\n2,5;m;a;0,5\n", "ranges.csv");
  const std::vector<InputRange> ranges = read_ranges(file.path());
  EXPECT_EQ(ranges[0].low, 0.5);
  EXPECT_EQ(ranges[0].high, 2.5);
}

TEST(LoadRanges, Scales) {
  const TemporaryFile file("name,min,max,Scale\nk,1e-3,10,LOG\nx,0,1,\nz,0,1,Linear\n", "ranges.csv");
  const std::vector<InputRange> ranges = read_ranges(file.path());
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].scale, InputScale::log);
  EXPECT_EQ(ranges[1].scale, InputScale::linear);
  EXPECT_EQ(ranges[2].scale, InputScale::linear);
  expect_parts(ranges[0].where, {"ranges.csv, line 2, column 2 \"min\""});
}

TEST(LoadRanges, Errors) {
  const auto failure = [](std::string_view text) {
    const TemporaryFile file(text, "ranges.csv");
    return message_of(ErrorCode::bad_data, [&] { read_ranges(file.path()); });
  };
  expect_parts(failure("name,min,max\na,0,1\nb,2,2\n"),
               {"ranges.csv, line 3, column 3 \"max\"", "found a range from 2 to 2", "a maximum above the minimum"});
  expect_parts(failure("name,min,max\na,-1.7e308,1.7e308\n"), {"ranges.csv, line 2, column 3", "found a range"});
  expect_parts(failure("name,min,max\na,x,1\n"), {"ranges.csv, line 2, column 2 \"min\"", "\"x\"", "a number"});
  expect_parts(failure("name,min,max\na,0,inf\n"), {"ranges.csv, line 2, column 3 \"max\"", "a finite number"});
  expect_parts(failure("name,min,max\na,0,1\na,0,2\n"),
               {"ranges.csv, line 3, column 1 \"name\"", "\"a\" again after line 2", "each input once"});
  expect_parts(failure("name,min,max\n,0,1\n"), {"ranges.csv, line 2, column 1", "found an empty cell"});
  expect_parts(failure("name,from,max\na,0,1\n"), {"ranges.csv, line 1", "\"from\"", "expected a column \"min\""});
  expect_parts(failure("name,min,low,max\na,0,0,1\n"),
               {"ranges.csv, line 1, column 3 \"low\"", "a second such column"});
  expect_parts(failure("name,min,max,scale\na,1,2,log10\n"),
               {"ranges.csv, line 2, column 4 \"scale\": found \"log10\", expected linear or log"});
  expect_parts(failure("name,min,max,scale,Scale\na,1,2,log,log\n"),
               {"ranges.csv, line 1, column 5 \"Scale\"", "a second such column"});
}

}  // namespace
}  // namespace ta2s2
