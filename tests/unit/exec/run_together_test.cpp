#include "ta2s2/exec/run_together.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/distributed_executor.hpp"
#include "ta2s2/exec/recording_executor.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/exec/thread_ranks.hpp"

namespace ta2s2 {
namespace {

// A run like a fit: maps whose tasks depend on what the maps before them gave, and another number of them in each run.
double chained_sums(Index run, Executor& executor) {
  double value = static_cast<double>(run + 1);
  for (Index step = 0; step < run + 2; ++step) {
    const Executor::Task task = [&](Index i, int) { return Payload{value + static_cast<double>(i)}; };
    const std::vector<double> costs(static_cast<std::size_t>(run + 3), 1.0);
    for (const Payload& payload : executor.map(costs, task)) value += payload.front() / 7.0;
    value = executor.agree({value}).front();
  }
  return value;
}

std::vector<double> alone(Index count) {
  ThreadExecutor one(1);
  std::vector<double> values;
  for (Index run = 0; run < count; ++run) values.push_back(chained_sums(run, one));
  return values;
}

std::vector<double> together(Executor& executor, Index count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  run_together(executor, count,
               [&](Index run, Executor& own) { values[static_cast<std::size_t>(run)] = chained_sums(run, own); });
  return values;
}

TEST(RunTogether, EachRunGetsWhatItWouldGetAlone) {
  for (const int threads : {1, 2, 7}) {
    ThreadExecutor executor(threads);
    for (const Index count : {1, 2, 5}) EXPECT_EQ(together(executor, count), alone(count));
  }
}

TEST(RunTogether, EveryRankGetsTheSame) {
  std::vector<std::vector<double>> by_rank(3);
  const auto errors = test::run_ranks(3, [&](Ranks& ranks) {
    DistributedExecutor executor(ranks, 2);
    by_rank[static_cast<std::size_t>(ranks.rank())] = together(executor, 4);
  });
  for (const auto& error : errors) EXPECT_EQ(error, nullptr);
  for (const auto& values : by_rank) EXPECT_EQ(values, alone(4));
}

// Runs of 2, 3 and 4 maps are 4 maps in all, not 9: that is what keeps workers busy.
TEST(RunTogether, MapsAreDoneAsOne) {
  ThreadExecutor threads(2);
  RecordingExecutor recorder(
      threads, {}, [](const Journal&) {}, 1e9);
  together(recorder, 3);
  ASSERT_EQ(recorder.journal().maps.size(), 4u);
  EXPECT_EQ(recorder.journal().maps[0].results.size(), 3u + 4u + 5u);
  EXPECT_EQ(recorder.journal().maps[2].results.size(), 4u + 5u);
  EXPECT_EQ(recorder.journal().maps[3].results.size(), 5u);
}

TEST(RunTogether, GoesOnFromAJournal) {
  ThreadExecutor threads(2);
  RecordingExecutor first(
      threads, {}, [](const Journal&) {}, 1e9);
  together(first, 3);
  Journal half = first.journal();
  half.maps.resize(2);
  half.maps[1].results[4].reset();
  RecordingExecutor second(
      threads, half, [](const Journal&) {}, 1e9);
  EXPECT_EQ(together(second, 3), alone(3));
}

// One at a time: what runs share needs no lock.
TEST(RunTogether, RunsTakeTurns) {
  ThreadExecutor executor(2);
  std::vector<Index> order;
  run_together(executor, 3, [&](Index run, Executor& own) {
    for (int step = 0; step < 2; ++step) {
      order.push_back(run);
      own.for_each_here(2, [](Index) {});
      own.map(std::vector<double>{1.0, 1.0}, [](Index, int) { return Payload{}; });
    }
  });
  EXPECT_EQ(order, (std::vector<Index>{0, 1, 2, 0, 1, 2}));
}

TEST(RunTogether, ArrivalsReachTheirRun) {
  ThreadExecutor executor(2);
  std::vector<std::vector<Index>> arrived(2);
  run_together(executor, 2, [&](Index run, Executor& own) {
    const std::vector<double> costs(static_cast<std::size_t>(run + 2), 1.0);
    own.map(
        costs, [](Index i, int) { return Payload{static_cast<double>(i)}; },
        [&](Index task, const Payload& result) {
          EXPECT_EQ(result.front(), static_cast<double>(task));
          arrived[static_cast<std::size_t>(run)].push_back(task);
        });
  });
  for (auto& tasks : arrived) std::sort(tasks.begin(), tasks.end());
  EXPECT_EQ(arrived[0], (std::vector<Index>{0, 1}));
  EXPECT_EQ(arrived[1], (std::vector<Index>{0, 1, 2}));
}

TEST(RunTogether, AnErrorEndsAllRuns) {
  ThreadExecutor executor(2);
  int ended_by_others = 0;
  const auto program = [&] {
    run_together(executor, 3, [&](Index run, Executor& own) {
      const auto nothing = [](Index, int) { return Payload{}; };
      own.map(std::vector<double>{1.0}, nothing);
      if (run == 1) throw Error(ErrorCode::bad_data, "run 1 cannot go on");
      try {
        own.map(std::vector<double>{1.0}, nothing);
      } catch (const Error&) {
        ++ended_by_others;
        throw;
      }
    });
  };
  EXPECT_EQ(test::message_of(ErrorCode::bad_data, program), "run 1 cannot go on");
  EXPECT_EQ(ended_by_others, 2);
}

TEST(RunTogether, ATasksErrorAndAStopAreThrown) {
  StopFlag stop{false};
  ThreadExecutor executor(2, &stop);
  const auto map_twice = [&](bool fails) {
    run_together(executor, 2, [&](Index run, Executor& own) {
      own.map(std::vector<double>{1.0, 1.0}, [&](Index, int) {
        if (fails && run == 1) throw Error(ErrorCode::internal, "task");
        return Payload{};
      });
    });
  };
  EXPECT_EQ(test::message_of(ErrorCode::internal, [&] { map_twice(true); }), "task");
  stop = true;
  test::message_of(ErrorCode::interrupted, [&] { map_twice(false); });
}

}  // namespace
}  // namespace ta2s2
