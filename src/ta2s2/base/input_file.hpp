// Where the bytes of a file come from: one place, so that a job of several processes can have its files read by one of
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <streambuf>

namespace ta2s2 {

struct InputFile {
  std::unique_ptr<std::streambuf> bytes;  // null if it cannot be opened
  bool is_directory = false;
  int error_number = 0;  // errno's, if it is known why
};

using OpenInputFile = std::function<InputFile(const std::filesystem::path& path)>;

// Opens the file on this machine, unless open_files_with has named another way.
InputFile open_input_file(const std::filesystem::path& path);
InputFile open_local_file(const std::filesystem::path& path);

// For the whole process, before the first file is opened; an empty function is the local way.
void open_files_with(OpenInputFile open);

}  // namespace ta2s2
