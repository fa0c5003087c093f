// Where a command's result goes: a file that appears whole or not at all, or standard output.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "ta2s2/io/atomic_file.hpp"

namespace ta2s2::cli {

class Output {
 public:
  // An empty path or "-" is standard output. A file is opened at once, so that a path that cannot be written is known
  // before the work begins.
  explicit Output(const std::string& path);

  std::ostream& stream();
  // Error{cannot_write} if anything did not arrive.
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;
};

}  // namespace ta2s2::cli
