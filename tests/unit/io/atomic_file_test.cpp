#include "ta2s2/execution.hpp"

#include <sys/stat.h>

#include <thread>

#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"

namespace ta2s2 {
namespace {

int num_files(const std::filesystem::path& folder) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

class AtomicFileTest : public testing::Test {
 protected:
  const test::TemporaryFile old{"old content", "result.csv"};
  const std::filesystem::path fresh = old.folder() / "new.csv";
};

TEST_F(AtomicFileTest, AppearsWithItsContentOnCommit) {
  {
    AtomicFile file(fresh);
    file.stream() << "a,b\n1,2\n";
    EXPECT_FALSE(std::filesystem::exists(fresh));
    EXPECT_EQ(file.target(), fresh);
    file.commit();
    EXPECT_EQ(test::content_of(fresh), "a,b\n1,2\n");
  }
  EXPECT_EQ(test::content_of(fresh), "a,b\n1,2\n");
  EXPECT_EQ(num_files(old.folder()), 2);
}

TEST_F(AtomicFileTest, ReplacesAnOldFileOnlyOnCommit) {
  AtomicFile file(old.path());
  file.stream() << "new content";
  file.stream().flush();
  EXPECT_EQ(test::content_of(old.path()), "old content");
  file.commit();
  EXPECT_EQ(test::content_of(old.path()), "new content");
  EXPECT_EQ(num_files(old.folder()), 1);
}

TEST_F(AtomicFileTest, LeavesNothingBehindWithoutCommit) {
  {
    AtomicFile file(fresh);
    file.stream() << "half a line";
    EXPECT_EQ(num_files(old.folder()), 2);  // the old file and the temporary one
  }
  EXPECT_EQ(num_files(old.folder()), 1);
  { AtomicFile file(old.path()); }
  EXPECT_EQ(test::content_of(old.path()), "old content");
}

TEST_F(AtomicFileTest, LeavesNothingBehindWhenTheWriterThrows) {
  try {
    AtomicFile file(fresh);
    file.stream() << "half a line";
    throw Error(ErrorCode::interrupted, "stop");
  } catch (const Error&) {
  }
  EXPECT_EQ(num_files(old.folder()), 1);
}

TEST_F(AtomicFileTest, RefusesAFolder) {
  const std::string message = test::message_of(ErrorCode::cannot_write, [&] { AtomicFile file(old.folder()); });
  test::expect_parts(message, {old.folder().string(), "folder", "expected a file name"});
  EXPECT_EQ(num_files(old.folder()), 1);
}

TEST_F(AtomicFileTest, RefusesAMissingFolder) {
  const std::filesystem::path target = old.folder() / "missing" / "result.csv";
  const std::string message = test::message_of(ErrorCode::cannot_write, [&] { AtomicFile file(target); });
  test::expect_parts(message, {target.string(), "No such file or directory"});
  EXPECT_FALSE(std::filesystem::exists(target.parent_path()));
}

TEST_F(AtomicFileTest, FailsWhenTheTargetBecomesAFolderMeanwhile) {
  {
    AtomicFile file(fresh);
    file.stream() << "content";
    std::filesystem::create_directory(fresh);
    test::message_of(ErrorCode::cannot_write, [&] { file.commit(); });
  }
  EXPECT_EQ(num_files(old.folder()), 2);  // the old file and the folder: the temporary file is gone
}

// /dev/full accepts an open and refuses every byte: a full disk.
TEST_F(AtomicFileTest, FailsOnAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  AtomicFile file("/dev/full");
  file.stream() << "content";
  const std::string message = test::message_of(ErrorCode::cannot_write, [&] { file.commit(); });
  test::expect_parts(message, {"/dev/full", "No space left on device"});
}

TEST_F(AtomicFileTest, WritesToAPipeDirectly) {
  const std::filesystem::path pipe = old.folder() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = test::content_of(pipe); });
  {
    AtomicFile file(pipe);
    file.stream() << "through the pipe";
    file.commit();
  }
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace ta2s2
