// The one exception of the library: something its user can fix, or a request to stop.
#pragma once

#include <stdexcept>
#include <string>

namespace ta2s2 {

/// What kind of failure it was. The values are the program's exit codes (README, "Exit codes").
enum class ErrorCode {
  internal = 1,      ///< a fault of the library itself
  usage = 2,         ///< what was asked for makes no sense
  bad_data = 3,      ///< runs or points that cannot be used
  bad_file = 4,      ///< a file that cannot be read, or is damaged
  interrupted = 5,   ///< by a request to stop
  cannot_write = 6,  ///< a file that cannot be written
  resumable = 7,     ///< interrupted, with a checkpoint to go on from
  judged_bad = 8,    ///< all is done, but the emulator is bad and --strict was given
};

/// Thrown by every function of the library that fails; what() is for the user to read.
class Error : public std::runtime_error {
 public:
  /// `message` is what() and says how to do better.
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// What kind of failure it was.
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace ta2s2
