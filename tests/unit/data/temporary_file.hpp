// A file that lives as long as its test, and what is in one.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace ta2s2::test {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text, const std::string& name = "runs.csv")
      : folder_(std::filesystem::temp_directory_path() /
                ("ta2s2_" + std::to_string(::getpid()) + "_" + std::to_string(next_number()))),
        path_(folder_ / name) {
    std::filesystem::create_directory(folder_);
    write(text);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Anew each time: some file systems wait for the disk when a file is truncated.
  void write(std::string_view text) const {
    std::filesystem::remove(path_);
    std::ofstream file(path_, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  static int next_number() {
    static int number = 0;
    return number++;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace ta2s2::test
