#include "output.hpp"

#include <iostream>

#include "ta2s2/base/error.hpp"

namespace ta2s2::cli {

Output::Output(const std::string& path) {
  if (!path.empty() && path != "-") file_ = std::make_unique<AtomicFile>(path);
}

std::ostream& Output::stream() { return file_ ? file_->stream() : std::cout; }

void Output::commit() {
  if (file_) return file_->commit();
  std::cout.flush();
  if (!std::cout) throw Error(ErrorCode::cannot_write, "standard output cannot be written");
}

}  // namespace ta2s2::cli
