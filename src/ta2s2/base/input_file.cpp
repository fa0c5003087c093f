#include "ta2s2/base/input_file.hpp"

#include <cerrno>
#include <fstream>

namespace ta2s2 {
namespace {

OpenInputFile& chosen_way() {
  static OpenInputFile open;
  return open;
}

}  // namespace

InputFile open_local_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return {nullptr, true};
  auto buffer = std::make_unique<std::filebuf>();
  errno = 0;
  if (buffer->open(path, std::ios::in | std::ios::binary) == nullptr) return {nullptr, false, errno};
  return {std::move(buffer)};
}

InputFile open_input_file(const std::filesystem::path& path) {
  return chosen_way() ? chosen_way()(path) : open_local_file(path);
}

void open_files_with(OpenInputFile open) {
  chosen_way() = std::move(open);
}

}  // namespace ta2s2
