#include "ta2s2/dataset.hpp"

#include <gtest/gtest.h>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;
using test::TemporaryFile;

TEST(LoadPoints, ColumnsByNameInAnyOrder) {
  const TemporaryFile file("b;note;a\n1,5;x;2\n3;;4,25\n", "new.csv");
  EXPECT_EQ(read_points(file.path(), {"a", "b"}), (Matrix(2, 2) << 2, 1.5, 4.25, 3).finished());
}

TEST(LoadPoints, Errors) {
  const TemporaryFile file("a,b\n1,2\n3,x\n", "new.csv");
  const auto failure = [&](std::string_view text) {
    file.write(text);
    return message_of(ErrorCode::bad_data, [&] { read_points(file.path(), {"a", "b"}); });
  };
  expect_parts(failure("a,b\n1,2\n3,x\n"), {"new.csv, line 3, column 2 \"b\": found \"x\", expected a number"});
  expect_parts(failure("a,b\n1,2\n3,\n"), {"new.csv, line 3, column 2 \"b\": found an empty cell, expected a number"});
  expect_parts(failure("a,b\n1,2\nNA,1\n"), {"new.csv, line 3, column 1 \"a\": found \"NA\", expected a number"});
  expect_parts(failure("a,c\n1,2\n"), {"new.csv, line 1", "\"a\", \"c\"", "expected a column \"b\""});
  expect_parts(failure("a,b\n"), {"new.csv, line 2", "found no rows"});
  message_of(ErrorCode::bad_file, [&] { read_points(file.folder() / "none.csv", {"a"}); });
}

TEST(PointReader, BlocksOfAnySizeGiveTheSamePoints) {
  std::string text = "a,b\n";
  for (int i = 0; i < 10; ++i) text += std::to_string(i) + "," + std::to_string(i * i) + "\n# comment\n";
  const TemporaryFile file(text, "new.csv");
  const Matrix whole = read_points(file.path(), {"b", "a"});
  ASSERT_EQ(whole.rows(), 10);
  for (const Index size : {1, 3, 5, 10, 100}) {
    PointReader reader(file.path(), {"b", "a"});
    Matrix block;
    Index row = 0;
    while (reader.next_block(size, block)) {
      ASSERT_EQ(block.rows(), std::min(size, 10 - row));
      ASSERT_EQ(block, whole.middleRows(row, block.rows()));
      EXPECT_EQ(reader.lines().front(), 2 + 2 * row);
      row += block.rows();
    }
    EXPECT_EQ(row, 10);
    EXPECT_EQ(block.rows(), 0);
    EXPECT_FALSE(reader.next_block(size, block));
  }
}

TEST(PointReader, ErrorsInLaterBlocksNameTheirLine) {
  const TemporaryFile file("a\n1\n2\n3\noops\n", "new.csv");
  PointReader reader(file.path(), {"a"});
  Matrix block;
  EXPECT_TRUE(reader.next_block(2, block));
  expect_parts(message_of(ErrorCode::bad_data, [&] { reader.next_block(2, block); }), {"new.csv, line 5, column 1"});
}

}  // namespace
}  // namespace ta2s2
