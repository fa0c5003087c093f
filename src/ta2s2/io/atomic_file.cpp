#include "ta2s2/execution.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

// The data must be on the disk before the name is: a crash in between must not leave an empty file under the name.
bool sync_to_disk(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = ::fsync(file) == 0;
  return ::close(file) == 0 && synced;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)), is_direct_(is_special(target_)) {
  std::error_code ignored;
  if (std::filesystem::is_symlink(target_, ignored)) target_ = std::filesystem::weakly_canonical(target_, ignored);
  if (std::filesystem::is_directory(target_, ignored)) {
    throw Error(ErrorCode::cannot_write,
                target_.string() + ": cannot be written: it is a folder, expected a file name");
  }
  temporary_ = is_direct_ ? target_ : unfinished_prefix(target_);
  if (!is_direct_) temporary_ += std::to_string(::getpid());
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(std::strerror(errno));
}

AtomicFile::~AtomicFile() {
  if (is_committed_ || is_direct_) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::prepare() {
  errno = 0;
  stream_.flush();
  if (!stream_) fail(errno != 0 ? std::strerror(errno) : "the disk may be full");
  stream_.close();
  if (!stream_) fail("the disk may be full");
  if (!is_direct_ && !sync_to_disk(temporary_)) fail(std::strerror(errno));
  is_prepared_ = true;
}

void AtomicFile::commit() {
  if (!is_prepared_) prepare();
  if (!is_direct_) {
    std::error_code error;
    std::filesystem::rename(temporary_, target_, error);
    if (error) fail(error.message());
    sync_to_disk(target_.has_parent_path() ? target_.parent_path() : ".");  // the new name; not every folder can
  }
  is_committed_ = true;
}

std::filesystem::path AtomicFile::unfinished_prefix(std::filesystem::path target) {
  target += ".partial-";
  return target;
}

void AtomicFile::fail(const std::string& what) const {
  throw Error(ErrorCode::cannot_write, target_.string() + ": cannot be written: " + what);
}

}  // namespace ta2s2
