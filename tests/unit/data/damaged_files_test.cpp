// Whatever the bytes, a reader gives a table or throws ta2s2::Error: nothing else, no hang, no crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ta2s2/data/csv_cells.hpp"
#include "ta2s2/data/csv_reader.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

using std::string_literals::operator""s;
using test::TemporaryFile;

const std::string kSound[] = {
    "a,b,y\n1,2,3\n4,5,6.5\n7,8e2,nan\n1,1,1\n2,3,4\n",
    "\"a\";\"b\";\"y\"\r\n1,5;2;3\r\n4;5,25;6\r\n7;8;\r\n1;1;1\r\n",
    "\xEF\xBB\xBF# comment\n\ta\tb\ty\t\n0\t1\t2\t3\t\n1\t4\t5\t6\t\n2\t7\t8\t9\t\n",
    "name,min,max\na,0,1\nb,-1e12,1e12\n",
    "a,b,y\r1,2,3\r4,\"5\r\",6\r7,8,9\r",
};

// Bytes that mean something to a reader, and any byte at all.
char random_byte(Stream& stream) {
  static const std::string kTelling = "\",;\t\n\r#\0 .+-eEdDnaif0159\xEF\xBB\xBF\xFF\xFE\xC3"s;
  if (draw_uniform(stream) < 0.3) return static_cast<char>(draw_index(stream, 256));
  return kTelling[static_cast<std::size_t>(draw_index(stream, static_cast<Index>(kTelling.size())))];
}

void mutate_once(std::string& text, Stream& stream) {
  const auto place = static_cast<std::size_t>(draw_index(stream, static_cast<Index>(text.size()) + 1));
  const auto length = static_cast<std::size_t>(draw_index(stream, 8)) + 1;
  switch (draw_index(stream, 5)) {
    case 0:
      text.insert(place, 1, random_byte(stream));
      break;
    case 1:
      text.erase(place, length);
      break;
    case 2:
      text.resize(place);
      break;
    case 3:
      text.insert(place, text.substr(place / 2, length));
      break;
    default:
      if (place < text.size()) text[place] = random_byte(stream);
  }
}

// True if `read` succeeds, false if it throws Error; anything else fails the test. The sentence itself must
// be UTF-8.
template <class Read>
bool reads(const std::string& text, Read&& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(detail::is_utf8(error.what()));
    EXPECT_NE(std::string(error.what()), "");
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << " for: " << testing::PrintToString(text);
  }
  return false;
}

TEST(DamagedFiles, ParseOrThrowOurError) {
  Stream stream({.seed = 20160101});
  const TemporaryFile file("");
  int num_read = 0, num_refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = kSound[static_cast<std::size_t>(trial) % std::size(kSound)];
    const Index mutations = 1 + draw_index(stream, 3);
    for (Index i = 0; i < mutations; ++i) mutate_once(text, stream);
    file.write(text);
    const bool is_table = reads(text, [&] { read_csv_table(file.path()); });
    const bool is_runs = reads(text, [&] { load_runs(file.path(), {}); });
    const bool is_points = reads(text, [&] { read_points(file.path(), {"a", "b"}); });
    const bool is_ranges = reads(text, [&] { read_ranges(file.path()); });
    if (!is_table) {
      EXPECT_FALSE(is_runs || is_points || is_ranges) << testing::PrintToString(text);
    }
    ++(is_runs || is_points || is_ranges ? num_read : num_refused);
  }
  // The mutations must be neither harmless nor hopeless.
  EXPECT_GT(num_read, 300);
  EXPECT_GT(num_refused, 500);
}

TEST(DamagedFiles, PureNoise) {
  Stream stream({.seed = 20160102});
  const TemporaryFile file("");
  for (int trial = 0; trial < 1000; ++trial) {
    std::string text(static_cast<std::size_t>(draw_index(stream, 300)), ' ');
    std::generate(text.begin(), text.end(), [&] { return random_byte(stream); });
    file.write(text);
    reads(text, [&] { read_csv_table(file.path()); });
    reads(text, [&] { load_runs(file.path(), {}); });
  }
}

TEST(DamagedFiles, ACellWithoutEndIsRefusedEarly) {
  // 3 MB in one open quote: refused after 1 MB, as a quote that is not closed.
  const TemporaryFile file("a,y\n1,\"" + std::string(3 << 20, 'x') + "\"\n");
  test::expect_parts(test::message_of(ErrorCode::bad_data, [&] { read_csv_table(file.path()); }),
                     {"runs.csv, line 2, column 2", "a quote that is not closed"});
}

}  // namespace
}  // namespace ta2s2
