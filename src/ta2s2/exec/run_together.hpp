// Several runs side by side on one executor. Their tasks are done together, so that no worker waits for the last task
// of one run while another run has more.
#pragma once

#include "ta2s2/exec/executor.hpp"

namespace ta2s2 {

// Calls work(0, ...), ..., work(num_runs - 1, ...), each with an executor that stands for `executor`. The calls take
// turns, one at a time and in this order: each goes on until it asks for a map, and when all have, their maps are done
// as one. So what is asked of `executor`, and in which order, is the same on every process and after a restart, and the
// calls may share an observer. If a call throws, the others are ended at their next map, and the error of the first
// call that threw is thrown here.
void run_together(Executor& executor, Index num_runs, const std::function<void(Index run, Executor&)>& work);

}  // namespace ta2s2
