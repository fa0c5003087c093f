// The one exception of the library: something its user can fix, or a request to stop.
#pragma once

#include <stdexcept>
#include <string>

namespace ta2s2 {

// The values are the program's exit codes (README, "Exit codes").
enum class ErrorCode {
  internal = 1,
  usage = 2,
  bad_data = 3,
  bad_file = 4,
  interrupted = 5,
  cannot_write = 6,
  resumable = 7,   // interrupted, with a checkpoint to go on from
  judged_bad = 8,  // all is done, but the emulator is bad and --strict was given
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace ta2s2
