// One place that turns what happened into the program's exit code (README, "Exit codes").
#pragma once

#include "ta2s2/error.hpp"

namespace ta2s2::cli {

inline constexpr int kDone = 0;
inline int exit_code(ErrorCode code) {
  return static_cast<int>(code);
}

}  // namespace ta2s2::cli
