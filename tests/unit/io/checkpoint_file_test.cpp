#include "ta2s2/io/checkpoint_file.hpp"

#include <fstream>
#include <sstream>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

CheckpointHeader some_header() {
  return {{"1.2.3", "0123456789abcdef", "fedcba9876543210", {{"output", "y"}, {"inputs", "a,\"b\""}, {"seed", "7"}}},
          {"/some/folder", "runs.csv", "model.json", "report.html"},
          12.5};
}

Journal some_journal() {
  Journal journal;
  journal.maps.push_back({UINT64_MAX - 1, {Payload{1.0, -0.0, 5e-324}, Payload{}, std::nullopt}});
  journal.maps.push_back({3, {}});
  journal.maps.push_back({4, {std::nullopt, Payload{-std::numeric_limits<double>::infinity()}}});
  return journal;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

class CheckpointFileTest : public testing::Test {
 protected:
  // The sentence with which the file is refused.
  std::string refusal() const {
    return test::message_of(ErrorCode::bad_file, [this] { CheckpointFile(path).read(); });
  }

  const test::TemporaryFile other{"", "other"};
  const std::filesystem::path path = other.folder() / "run.ckpt";
};

TEST_F(CheckpointFileTest, ReadsWhatWasWritten) {
  EXPECT_FALSE(CheckpointFile(path).exists());
  CheckpointFile(path).write(some_header(), some_journal());
  CheckpointFile file(path);
  EXPECT_TRUE(file.exists());
  const SavedFit read = file.read();
  const CheckpointHeader header = some_header();
  EXPECT_EQ(read.header.identity.version, header.identity.version);
  EXPECT_EQ(read.header.identity.data, header.identity.data);
  EXPECT_EQ(read.header.identity.ranges, header.identity.ranges);
  ASSERT_EQ(read.header.identity.settings.size(), 3u);
  EXPECT_EQ(read.header.identity.settings[1].name, "inputs");
  EXPECT_EQ(read.header.identity.settings[1].text, "a,\"b\"");
  EXPECT_EQ(read.header.command.folder, "/some/folder");
  EXPECT_EQ(read.header.command.runs, "runs.csv");
  EXPECT_EQ(read.header.command.model, "model.json");
  EXPECT_EQ(read.header.command.report, "report.html");
  EXPECT_EQ(read.header.seconds, 12.5);
  const Journal journal = some_journal();
  ASSERT_EQ(read.journal.maps.size(), journal.maps.size());
  for (std::size_t i = 0; i < journal.maps.size(); ++i) {
    EXPECT_EQ(read.journal.maps[i].costs_hash, journal.maps[i].costs_hash);
    EXPECT_EQ(read.journal.maps[i].results, journal.maps[i].results);
  }
  EXPECT_TRUE(std::signbit((*read.journal.maps[0].results[0])[1]));
}

TEST_F(CheckpointFileTest, KeepsTheOneBefore) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  const std::string first = content_of(path);
  file.write(some_header(), some_journal());
  EXPECT_EQ(content_of(file.previous()), first);
  EXPECT_NE(content_of(path), first);
}

// Every cut and every changed byte, one at a time.
TEST_F(CheckpointFileTest, RefusesAnyDamage) {
  CheckpointFile(path).write(some_header(), some_journal());
  const std::string whole = content_of(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    std::ofstream(path, std::ios::binary) << changed;
    test::expect_parts(refusal(), {"run.ckpt: is no whole checkpoint: "});
    std::ofstream(path, std::ios::binary) << whole.substr(0, i);
    test::expect_parts(refusal(), {"run.ckpt: is no whole checkpoint: "});
  }
  std::ofstream(path, std::ios::binary) << whole + "x";
  test::expect_parts(refusal(), {"run.ckpt: is no whole checkpoint: ", "checksum"});
}

TEST_F(CheckpointFileTest, RefusesWhatIsNone) {
  test::expect_parts(refusal(), {"run.ckpt: cannot be read", "fit --checkpoint"});
  std::ofstream(path) << "x1,x2,y\n1,2,3\n";
  test::expect_parts(refusal(), {"run.ckpt: is no whole checkpoint: its first line is not \"ta2s2 checkpoint 1\""});
}

TEST_F(CheckpointFileTest, OffersTheOneBeforeADamagedOneAndLeavesItWhole) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  file.write(some_header(), some_journal());
  std::ofstream(path, std::ios::binary) << "half";
  test::expect_parts(refusal(), {"the one before it is whole: ta2s2 resume", "run.ckpt.previous"});

  CheckpointFile offered(file.previous());
  EXPECT_TRUE(offered.read().journal.maps.empty());
  const std::string before = content_of(file.previous());
  offered.write(some_header(), some_journal());  // in the damaged one's place
  EXPECT_EQ(content_of(file.previous()), before);
  EXPECT_EQ(CheckpointFile(path).read().journal.maps.size(), 3u);

  std::ofstream(path, std::ios::binary) << "half";
  std::ofstream(file.previous(), std::ios::binary) << "half";
  EXPECT_EQ(refusal().find("the one before"), std::string::npos);
}

TEST_F(CheckpointFileTest, AWriteThatFailsLeavesBothAsTheyWere) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  file.write(some_header(), {});
  const std::string before = content_of(path);
  std::filesystem::create_directory(other.folder() / ("run.ckpt.partial-" + std::to_string(::getpid())));
  test::expect_parts(test::message_of(ErrorCode::cannot_write, [&] { file.write(some_header(), some_journal()); }),
                     {"run.ckpt: cannot be written"});
  EXPECT_EQ(content_of(path), before);
  EXPECT_EQ(content_of(file.previous()), before);
}

TEST_F(CheckpointFileTest, RemovesAllThatBelongsToIt) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  file.write(some_header(), {});
  std::ofstream(other.folder() / "run.ckpt.partial-123") << "of a process that was killed";
  file.remove();
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(other.folder())) left.push_back(entry.path().filename());
  EXPECT_EQ(left, (std::vector<std::string>{"other"}));
}

}  // namespace
}  // namespace ta2s2
