#include "ta2s2/exec/thread_executor.hpp"

#include <gtest/gtest.h>

#include <sched.h>
#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

TEST(ThreadExecutor, TakesAsManyThreadsAsAsked) {
  EXPECT_EQ(ThreadExecutor(1).num_workers(), 1);
  EXPECT_EQ(ThreadExecutor(7).num_workers(), 7);
}

TEST(ThreadExecutor, ZeroTakesTheCoresThisProcessMayRunOn) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  EXPECT_EQ(ThreadExecutor(0).num_workers(), CPU_COUNT(&allowed));
}

TEST(ThreadExecutor, OneThreadRunsTheCostliestFirstAndTiesInOrder) {
  ThreadExecutor executor(1);
  const std::vector<double> costs = {1.0, 5.0, 3.0, 5.0};
  std::vector<Index> order;
  executor.map(costs, [&](Index task, int) {
    order.push_back(task);
    return Payload{};
  });
  EXPECT_EQ(order, (std::vector<Index>{1, 3, 2, 0}));
}

TEST(ThreadExecutor, KeepsItsThreadsFromOneMapToTheNext) {
  ThreadExecutor executor(3);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int repeat = 0; repeat < 200; ++repeat) {
    executor.map(std::vector<double>(3, 1.0), [&](Index, int) {
      const std::scoped_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
      return Payload{};
    });
  }
  EXPECT_LE(seen.size(), 3u);
}

TEST(ThreadExecutor, OneThreadIsTheCallersOwn) {
  ThreadExecutor executor(1);
  const auto caller = std::this_thread::get_id();
  executor.map(std::vector<double>{1.0, 1.0}, [&](Index, int worker) {
    EXPECT_EQ(worker, 0);
    EXPECT_EQ(std::this_thread::get_id(), caller);
    return Payload{};
  });
}

// Two tasks that each wait for the other to begin can only end if they run at the same time.
TEST(ThreadExecutor, TwoThreadsRunTwoTasksAtOnce) {
  ThreadExecutor executor(2);
  std::atomic<int> begun{0};
  executor.map(std::vector<double>{1.0, 1.0}, [&](Index, int) {
    ++begun;
    while (begun.load() < 2) std::this_thread::yield();
    return Payload{};
  });
  EXPECT_EQ(begun.load(), 2);
}

TEST(ThreadExecutor, ALoopHereTakesEveryIndexOnce) {
  for (const int num_threads : {1, 2, 5}) {
    ThreadExecutor executor(num_threads);
    for (const Index count : {0, 1, 2, 100}) {
      std::vector<int> times(static_cast<std::size_t>(count), 0);
      executor.for_each_here(count, [&](Index i) { ++times[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(times, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }
}

TEST(ThreadExecutor, TwoThreadsShareALoopHere) {
  ThreadExecutor executor(2);
  std::atomic<int> begun{0};
  executor.for_each_here(2, [&](Index) {
    ++begun;
    while (begun.load() < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun.load(), 2);
}

// More threads than cores, and work that is done before most of them wake: those come too late and must find nothing.
TEST(ThreadExecutor, ManyShortLoopsTakeEveryIndexOnceThoughThreadsComeLate) {
  ThreadExecutor executor(32);
  for (int round = 0; round < 2000; ++round) {
    std::array<std::atomic<int>, 3> taken{};
    executor.for_each_here(3, [&](Index i) { ++taken[static_cast<std::size_t>(i)]; });
    for (const std::atomic<int>& times : taken) ASSERT_EQ(times.load(), 1) << "round " << round;
  }
}

TEST(ThreadExecutor, ALoopHereThrowsTheErrorOfTheLowestIndex) {
  for (const int num_threads : {1, 3}) {
    ThreadExecutor executor(num_threads);
    try {
      executor.for_each_here(20, [](Index i) {
        if (i % 7 == 4) throw Error(ErrorCode::bad_data, std::to_string(i));
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "4");
    }
  }
}

TEST(ForEachStretch, CutsAtTheSamePlacesForAnyNumberOfThreads) {
  ThreadExecutor one(1), three(3);
  for (Executor* executor :
       {static_cast<Executor*>(nullptr), static_cast<Executor*>(&one), static_cast<Executor*>(&three)}) {
    std::vector<Index> ends(3, -1);
    for_each_stretch(executor, 10, 4, [&](Index begin, Index end) { ends[static_cast<std::size_t>(begin / 4)] = end; });
    EXPECT_EQ(ends, (std::vector<Index>{4, 8, 10}));
  }
}

TEST(ThreadExecutor, IsNotStoppedWithoutAFlag) {
  const ThreadExecutor executor(1);
  EXPECT_FALSE(executor.stop_requested());
  EXPECT_NO_THROW(executor.throw_if_stopped());
}

TEST(ThreadExecutor, AgreesWithItself) {
  ThreadExecutor executor(2);
  const Payload payload = {1.0, -0.0, 3.0};
  EXPECT_EQ(executor.agree(payload), payload);
}

TEST(CoreShares, OneProcessHasAllItsCores) {
  EXPECT_EQ(core_shares({{"a", {0, 1, 2, 3}}}), std::vector<int>{4});
}

TEST(CoreShares, ProcessesThatAreBoundKeepTheirCores) {
  EXPECT_EQ(core_shares({{"a", {0, 1}}, {"a", {2, 3}}, {"a", {4}}}), (std::vector<int>{2, 2, 1}));
}

TEST(CoreShares, ProcessesOfOneMachineDivideTheCoresThatTheyShare) {
  const Seat seat{"a", {0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(core_shares({seat, seat}), (std::vector<int>{3, 3}));
  EXPECT_EQ(core_shares({seat, seat, seat}), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(core_shares({seat, seat, seat, seat}), (std::vector<int>{1, 1, 1, 1}));
}

TEST(CoreShares, ThoseOfDifferentMachinesDoNot) {
  EXPECT_EQ(core_shares({{"a", {0, 1}}, {"b", {0, 1}}}), (std::vector<int>{2, 2}));
}

TEST(CoreShares, AProcessAlwaysHasOne) {
  EXPECT_EQ(core_shares({{"a", {0}}, {"a", {0}}, {"a", {}}}), (std::vector<int>{1, 1, 1}));
}

TEST(CoreShares, ThisProcessMayRunSomewhere) {
  EXPECT_FALSE(own_seat().cores.empty());
  EXPECT_FALSE(own_seat().machine.empty());
}

}  // namespace
}  // namespace ta2s2
