// Long work that Python can interrupt: it runs on a thread of its own without the interpreter's lock, while the calling
// thread looks for signals.
#pragma once

#include <functional>

#include "ta2s2/exec/executor.hpp"

namespace ta2s2::python {

enum class Tick { go_on, stop };

// Returns when `work` has ended; throws what it threw. Between looks for a signal, and once at the end, the calling
// thread runs `tick` with the lock held. A signal's exception, KeyboardInterrupt as a rule, or one of `tick` raises the
// flag and is thrown once `work` has seen it; Tick::stop only raises the flag.
void run_stoppably(
    const std::function<void(const StopFlag&)>& work, const std::function<Tick()>& tick = [] { return Tick::go_on; });

}  // namespace ta2s2::python
