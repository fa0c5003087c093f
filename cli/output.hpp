// Where a command's result goes: a file that appears whole or not at all, or standard output.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "ta2s2/execution.hpp"

namespace ta2s2::cli {

class Output {
 public:
  // An empty path or "-" is standard output. A file is opened at once, so that a path that cannot be written
  // is known before the work begins. Error{usage} if it is one of the files that the command reads. Only rank 0 has
  // files.
  Output(const std::string& path, const std::vector<std::string>& inputs);

  bool is_standard() const { return file_ == nullptr; }
  std::ostream& stream();
  // Error{cannot_write} if anything did not arrive. Outputs that belong together are all prepared before any
  // is committed.
  void prepare();
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;
};

// Error{cannot_write} if anything that was printed did not arrive.
void check_standard_output();

}  // namespace ta2s2::cli
