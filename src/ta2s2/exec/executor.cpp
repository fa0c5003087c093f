#include "ta2s2/exec/executor.hpp"

#include "ta2s2/base/error.hpp"

namespace ta2s2 {

void Executor::throw_if_stopped() const {
  if (stop_requested()) throw Error(ErrorCode::interrupted, "interrupted; no output was written");
}

}  // namespace ta2s2
