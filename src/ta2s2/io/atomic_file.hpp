// A file that appears whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>

namespace ta2s2 {

// Writes beside the target under another name; prepare() puts every byte on the disk, commit() renames (and prepares if
// that was not done). Several files that belong together are all prepared before the first is committed. Without
// commit() nothing is left behind. A link is followed.
// A target that is no regular file (/dev/stdout, a pipe) is written directly. Every failure is Error{cannot_write}.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  std::ostream& stream() { return stream_; }
  const std::filesystem::path& target() const { return target_; }
  void prepare();
  void commit();

  // How the name of an unfinished file begins; a process that was killed leaves one.
  static std::filesystem::path unfinished_prefix(std::filesystem::path target);

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path target_, temporary_;
  bool is_direct_ = false;
  bool is_prepared_ = false;
  bool is_committed_ = false;
  std::ofstream stream_;
};

}  // namespace ta2s2
