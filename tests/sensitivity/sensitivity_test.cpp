// Intervals of Sobol indices hold the truth as often as they say. TA2S2_LONG=1 takes 100 studies of each family at the
// default number of samples.
#include <gtest/gtest.h>

#include "long_run.hpp"
#include "sensitivity/study.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::sensitivity {
namespace {

Coverage covered(Family family, Uncertainty uncertainty) {
  ThreadExecutor executor(0);
  return is_long() ? run_studies(family, 100, 2000, uncertainty, executor)
                   : run_studies(family, 24, 500, uncertainty, executor);
}

}  // namespace
}  // namespace ta2s2::sensitivity
