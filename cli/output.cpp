#include "output.hpp"

#include <cstdio>
#include <iostream>

#include "console.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

void refuse_own_input(const std::string& path, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code missing;
    const bool is_regular = std::filesystem::is_regular_file(input, missing);
    if (!is_regular || !std::filesystem::equivalent(path, input, missing)) continue;
    throw Error(ErrorCode::usage, path + ": is read by this command; expected another file to write to");
  }
}

}  // namespace

Output::Output(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-" || !is_first_rank()) return;
  refuse_own_input(path, inputs);
  file_ = std::make_unique<AtomicFile>(path);
}

std::ostream& Output::stream() {
  return file_ ? file_->stream() : std::cout;
}

void Output::prepare() {
  file_ ? file_->prepare() : check_standard_output();
}

void Output::commit() {
  file_ ? file_->commit() : check_standard_output();
}

void check_standard_output() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(ErrorCode::cannot_write, "standard output cannot be written");
  }
}

}  // namespace ta2s2::cli
