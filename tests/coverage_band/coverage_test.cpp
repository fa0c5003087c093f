// What chance allows validation runs, on emulators that are right and on some that are not.
#include <gtest/gtest.h>

#include "coverage_band/right_emulator.hpp"
#include "long_run.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/report/judged_runs.hpp"
#include "ta2s2/workflow/chance_law.hpp"

namespace ta2s2::coverage {
namespace {

constexpr Index kProblems = 400, kSpoiltProblems = 60, kValidation = 40;
constexpr double kTail = 0.025;
// Of 400 right emulators Binomial(400, 0.025) are called wrong, or fewer as counts are whole: 10 with sd 3.1. Four sds.
constexpr int kMostFalseAlarms = 22;

struct Alarms {
  int joint = 0, binomial = 0;  // too few of the runs in their 95% intervals
  int distance = 0;             // the Mahalanobis distance is outside its 95%
};

// `spoil` makes other outputs of the right ones, given the predicted means.
template <class Spoil>
Alarms count_alarms(Index problems, const Spoil& spoil) {
  ThreadExecutor executor(2);
  Alarms alarms;
  for (Index i = 0; i < problems; ++i) {
    RightEmulator right = draw_right_emulator({.validation = kValidation}, 5, i);
    const MixtureBlock block = right.predictive.mixtures(right.inputs, Predict::new_run, executor);
    const Vector outputs = spoil(right.outputs, Vector(block.means.row(0).transpose()));
    const auto joint = replicate_jointly(right.predictive, right.inputs, outputs, 6, executor);
    const auto judged = report::judge_validation(right.predictive, right.inputs, outputs, executor);
    const Index inside = report::num_covered(judged, 0.95);
    alarms.joint += joint.chance.of(kValidation, central_range(0.95)).at_most(inside) < kTail;
    alarms.binomial += ChanceLaw().of(kValidation, central_range(0.95)).at_most(inside) < kTail;
    alarms.distance += joint.distance.squared < joint.distance.low || joint.distance.squared > joint.distance.high;
  }
  return alarms;
}

TEST(JointReplicates, CallARightEmulatorWrongAsOftenAsTheySay) {
  if (!is_long()) GTEST_SKIP() << "TA2S2_LONG=1 runs it";
  const Alarms alarms = count_alarms(kProblems, [](const Vector& y, const Vector&) { return y; });
  EXPECT_LE(alarms.joint, kMostFalseAlarms);
  // Runs that are taken for independent would be the mutant: they share an emulator.
  EXPECT_GT(alarms.binomial, kMostFalseAlarms);
  // Binomial(400, 0.05): 20 with sd 4.4. Four sds.
  EXPECT_GE(alarms.distance, 3);
  EXPECT_LE(alarms.distance, 37);
}

TEST(JointReplicates, NoticeErrorsThatAreTooLarge) {
  const Alarms alarms = count_alarms(
      kSpoiltProblems, [](const Vector& y, const Vector& mean) -> Vector { return mean + 3.0 * (y - mean); });
  EXPECT_GT(alarms.joint, kSpoiltProblems / 2);
  EXPECT_GT(alarms.distance, kSpoiltProblems / 2);
}

// Each residual is as likely as before at some point, but not beside its neighbours.
TEST(JointReplicates, NoticeErrorsThatDoNotHangTogether) {
  const Alarms alarms = count_alarms(
      kSpoiltProblems, [](const Vector& y, const Vector& mean) -> Vector { return mean + (y - mean).reverse(); });
  EXPECT_GT(alarms.distance, kSpoiltProblems / 2);
}

}  // namespace
}  // namespace ta2s2::coverage
