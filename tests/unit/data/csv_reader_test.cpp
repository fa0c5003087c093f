#include "ta2s2/data/csv_reader.hpp"

#include <gtest/gtest.h>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;
using test::TemporaryFile;

using Strings = std::vector<std::string>;

CsvTable read(std::string_view text) {
  const TemporaryFile file(text);
  return read_csv_table(file.path());
}

std::string failure(std::string_view text) {
  const TemporaryFile file(text);
  return message_of(ErrorCode::bad_data, [&] { read_csv_table(file.path()); });
}

void expect_table(std::string_view text, const Strings& names, const std::vector<Strings>& rows) {
  SCOPED_TRACE(text);
  const CsvTable table = read(text);
  EXPECT_EQ(table.names, names);
  ASSERT_EQ(table.rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(table.rows[i].cells, rows[i]);
}

TEST(CsvTable, SeparatorIsFound) {
  for (const std::string separator : {",", ";", "\t"}) {
    const auto line = [&](const std::string& a, const std::string& b) { return a + separator + b + "\n"; };
    expect_table(line("a", "y") + line("1", "2") + line("3", "4"), {"a", "y"}, {{"1", "2"}, {"3", "4"}});
    EXPECT_EQ(read(line("a", "y") + line("1", "2")).separator, separator[0]);
  }
}

TEST(CsvTable, DecimalCommasDoNotHideTheSemicolon) {
  expect_table("a;b;y\n0,5;1,5;2,5\n", {"a", "b", "y"}, {{"0,5", "1,5", "2,5"}});
  expect_table("x\n0,5\n0,7\n", {"x"}, {{"0,5"}, {"0,7"}});
  expect_table("size, mm;y\n0,5;1\n2,5;3\n", {"size, mm", "y"}, {{"0,5", "1"}, {"2,5", "3"}});
  expect_table("size, mm;y\n0,5;1,5\n2,5;3,5\n", {"size, mm", "y"}, {{"0,5", "1,5"}, {"2,5", "3,5"}});
}

TEST(CsvTable, OneColumnNeedsNoSeparator) {
  expect_table("x\n0.5\n0.7\n", {"x"}, {{"0.5"}, {"0.7"}});
}

TEST(CsvTable, LineEnds) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const CsvTable table = read("a,y" + end + "1,2" + end + end + "3,4");
    EXPECT_EQ(table.names, (Strings{"a", "y"}));
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0].line, 2);
    EXPECT_EQ(table.rows[1].line, 4);
    EXPECT_EQ(table.rows[1].cells, (Strings{"3", "4"}));
  }
}

TEST(CsvTable, Quotes) {
  expect_table("\"a\",\"the \"\"big\"\" one\", \"b,c\" \n\"1\",2,\"3\"\n", {"a", "the \"big\" one", "b,c"},
               {{"1", "2", "3"}});
  expect_table("name,size 5\",y\nx,1,2\n", {"name", "size 5\"", "y"}, {{"x", "1", "2"}});
}

TEST(CsvTable, LineEndsInsideQuotesCountAsLines) {
  const CsvTable table = read("\"a\r\nb\",y\n\"1\",2\n");
  EXPECT_EQ(table.names[0], "a\nb");
  EXPECT_EQ(table.header_line, 1);
  EXPECT_EQ(table.rows[0].line, 3);
}

TEST(CsvTable, ByteOrderMarkSpacesCommentsBlankLines) {
  expect_table(
      "\xEF\xBB\xBF"
      "a,y\n1,2\n",
      {"a", "y"}, {{"1", "2"}});
  expect_table("# made by \"hand\n\n  # and more\n a , y \n\n 1 ,\t2 \n   \n,,\n#3,4\n", {"a", "y"}, {{"1", "2"}});
  EXPECT_EQ(read("# x\n\na,y\n1,2\n").header_line, 3);
}

TEST(CsvTable, TrailingSeparatorsAreDropped) {
  expect_table("a,y,\n1,2,\n3,4,\n", {"a", "y"}, {{"1", "2"}, {"3", "4"}});
  expect_table("a,y\n1,2,\n3,4,\n", {"a", "y"}, {{"1", "2"}, {"3", "4"}});
  expect_table("a,y,\n1,2\n3,4\n", {"a", "y"}, {{"1", "2"}, {"3", "4"}});
  expect_table("a;y;;\n1;;;\n", {"a", "y"}, {{"1", ""}});
}

TEST(CsvTable, UnnamedIndexColumnIsDropped) {
  expect_table(",a,y\n0,1,2\n1,3,4\n", {"a", "y"}, {{"1", "2"}, {"3", "4"}});
  expect_table("\"\",\"a\",\"y\"\n\"r1\",1,2\n", {"a", "y"}, {{"1", "2"}});
  expect_table("a,y\nr1,1,2\nr2,3,\n", {"a", "y"}, {{"1", "2"}, {"3", ""}});
  expect_table("a\ty\t\nr1\t1\t2\t\nr2\t3\t4\t\n", {"a", "y"}, {{"1", "2"}, {"3", "4"}});
  const CsvTable table = read(",a,y\n0,1,2\n");
  EXPECT_TRUE(table.has_row_labels);
  EXPECT_EQ(table.column_number(0), 2);
  EXPECT_FALSE(read("a,y\n0,1\n").has_row_labels);
}

TEST(CsvTable, RepeatedLabelsAreNoLabels) {
  // R's row names never repeat: here a column name was forgotten.
  expect_parts(failure("a,y\n0,1,5\n0,2,7\n"), {"runs.csv, line 2, column 3", "found 3 cells", "expected 2 cells"});
}

TEST(CsvTable, RaggedRows) {
  expect_parts(failure("a,b,y\n1,2,3\n4,5\n"),
               {"runs.csv, line 3, column 3 \"y\"", "found 2 cells", "expected 3 cells, separated by ','"});
  expect_parts(failure("a,b,y\n1,2,3\n4,5,6,7\n"),
               {"runs.csv, line 3, column 4", "found 4 cells", "\"7\"", "expected 3 cells"});
  expect_parts(failure("a,b,y\n1,2,3\n4,5,6,\n"), {"line 3, column 4", "found 4 cells", "expected 3 cells"});
  expect_parts(failure(",a,y\n1,2,3\n4,5\n"), {"line 3, column 3 \"y\"", "found 2 cells", "expected 3 cells"});
}

TEST(CsvTable, BadHeaders) {
  expect_parts(failure(""), {"runs.csv, line 1, column 1", "found no text", "expected a line of column names"});
  expect_parts(failure("\n# only this\n"), {"runs.csv, line 1", "found no text"});
  expect_parts(failure("a,y\n\n"), {"runs.csv, line 2, column 1", "found no rows", "expected at least one row"});
  expect_parts(failure("a,b,a\n1,2,3\n"),
               {"runs.csv, line 1, column 3 \"a\"", "found the name of column 1 again", "expected a different name"});
  expect_parts(failure("a,,y\n1,2,3\n"),
               {"runs.csv, line 1, column 2", "found an empty cell", "expected a column name"});
  expect_parts(failure("a,y,\n1,2,3\n"), {"line 2, column 3", "found 3 cells", "expected 2 cells"});
  expect_parts(failure("1,2,3\n4,5,6\n"),
               {"runs.csv, line 1, column 1", "only numbers", "expected column names: add a header line"});
  expect_parts(failure("0,5;1\n4,5;6\n"), {"only numbers"});
}

TEST(CsvTable, BadBytes) {
  expect_parts(failure(std::string("a,y\n1,2\n3,\0\n", 11)), {"runs.csv, line 3", "found a NUL byte", "UTF-8"});
  expect_parts(failure(std::string("a\0,\0y\0\n\0", 8)), {"runs.csv, line 1", "found a NUL byte", "UTF-16"});
  expect_parts(failure(std::string("\xFF\xFE"
                                   "a\0,\0y\0",
                                   8)),
               {"runs.csv, line 1", "found UTF-16 text", "UTF-8"});
  expect_parts(failure("temp\xE9rature,y\n1,2\n"), {"runs.csv, line 1, column 1 \"temp?rature\"", "not UTF-8"});
}

TEST(CsvTable, BadQuotes) {
  expect_parts(failure("a,y\n1,\"2\n3,4\n"), {"runs.csv, line 2, column 2", "a quote that is not closed"});
  expect_parts(failure("a,y\n1,\"2\"3\n"), {"runs.csv, line 2, column 2", "text after a closing quote", "separator"});
}

TEST(CsvTable, UnreadableFiles) {
  const TemporaryFile file("a,y\n1,2\n");
  expect_parts(message_of(ErrorCode::bad_file, [&] { read_csv_table(file.folder() / "none.csv"); }),
               {"none.csv", "cannot be opened", "expected a CSV file"});
  expect_parts(message_of(ErrorCode::bad_file, [&] { read_csv_table(file.folder()); }),
               {"found a directory", "expected a CSV file"});
}

TEST(CsvTable, LongFilesGoBeyondTheSample) {
  // More rows than the dialect is judged by, more bytes than are read at first, a row across every block's
  // border.
  constexpr int kRows = 60000;
  std::string text = "a;y\n";
  for (int i = 0; i < kRows; ++i) text += std::to_string(i) + ";" + std::to_string(2 * i) + "\n";
  const CsvTable table = read(text);
  ASSERT_EQ(table.rows.size(), static_cast<std::size_t>(kRows));
  for (int i = 0; i < kRows; ++i) {
    const CsvRow& row = table.rows[static_cast<std::size_t>(i)];
    ASSERT_EQ(row.line, i + 2);
    ASSERT_EQ(row.cells, (Strings{std::to_string(i), std::to_string(2 * i)}));
  }
  expect_parts(failure(text + "1;2;3\n"), {"line 60002, column 3", "found 3 cells", "expected 2 cells"});
}

}  // namespace
}  // namespace ta2s2
