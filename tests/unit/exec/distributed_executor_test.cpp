// What the contract (tests/contract/executor_contract_test.cpp) does not see: that every rank has the same, and how a
// rank's stop or failure reaches the others.
#include "ta2s2/exec/distributed_executor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "unit/exec/thread_ranks.hpp"

namespace ta2s2 {
namespace {

using ta2s2::test::run_ranks;

struct Shape {
  int ranks, threads;
};

class DistributedExecutorTest : public ::testing::TestWithParam<Shape> {
 protected:
  int num_ranks() const { return GetParam().ranks; }

  std::vector<std::exception_ptr> run(const std::function<void(DistributedExecutor&, int rank)>& program) const {
    return run_ranks(num_ranks(), [&](Ranks& ranks) {
      DistributedExecutor executor(ranks, GetParam().threads, flag_of(ranks.rank()));
      program(executor, ranks.rank());
    });
  }
  void run_well(const std::function<void(DistributedExecutor&, int rank)>& program) const {
    for (const auto& error : run(program)) EXPECT_EQ(error, nullptr);
  }

  const StopFlag* flag_of(int rank) const { return &flags_[static_cast<std::size_t>(rank)]; }
  mutable std::vector<StopFlag> flags_ = std::vector<StopFlag>(16);
};

INSTANTIATE_TEST_SUITE_P(Shapes, DistributedExecutorTest,
                         ::testing::Values(Shape{1, 1}, Shape{2, 1}, Shape{3, 2}, Shape{4, 1}, Shape{7, 2}),
                         [](const auto& instance) {
                           return std::to_string(instance.param.ranks) + "_ranks_of_" +
                                  std::to_string(instance.param.threads);
                         });

std::vector<double> uneven_costs(std::size_t count) {
  std::vector<double> costs(count);
  for (std::size_t i = 0; i < count; ++i) costs[i] = static_cast<double>((i * 37) % 11);
  return costs;
}

Payload numbers_of(Index task) {
  Payload payload(static_cast<std::size_t>(task % 5));
  for (std::size_t i = 0; i < payload.size(); ++i)
    payload[i] = std::sin(static_cast<double>(task) + 0.1 * static_cast<double>(i));
  return payload;
}

TEST_P(DistributedExecutorTest, EveryRankHasTheSameBitsAsOneThread) {
  const std::vector<double> costs = uneven_costs(200);
  ThreadExecutor one(1);
  const auto expected = one.map(costs, [](Index task, int) { return numbers_of(task); });
  run_well([&](DistributedExecutor& executor, int) {
    EXPECT_EQ(executor.map(costs, [](Index task, int) { return numbers_of(task); }), expected);
  });
}

TEST_P(DistributedExecutorTest, ManyMapsInARowStayApart) {
  run_well([](DistributedExecutor& executor, int) {
    for (std::size_t count = 0; count < 40; ++count) {
      const double offset = static_cast<double>(count);
      const auto results = executor.map(
          uneven_costs(count), [&](Index task, int) { return Payload{static_cast<double>(task) + 1000.0 * offset}; });
      ASSERT_EQ(results.size(), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(results[i], Payload{static_cast<double>(i) + 1000.0 * offset});
      ASSERT_EQ(executor.agree({offset}), Payload{offset});
    }
  });
}

// A payload of many megabytes travels in several messages.
TEST_P(DistributedExecutorTest, LargeResultsArriveWhole) {
  run_well([](DistributedExecutor& executor, int) {
    const auto results = executor.map(std::vector<double>(5, 1.0),
                                      [](Index task, int) { return Payload(1'000'000, static_cast<double>(task)); });
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(results[i], Payload(1'000'000, static_cast<double>(i)));
  });
}

TEST_P(DistributedExecutorTest, OnlyTheFirstRankIsTold) {
  std::vector<std::atomic<int>> num_told(16);
  run_well([&](DistributedExecutor& executor, int rank) {
    executor.map(
        uneven_costs(30), [](Index task, int) { return numbers_of(task); },
        [&](Index, const Payload&) { ++num_told[static_cast<std::size_t>(rank)]; });
  });
  EXPECT_EQ(num_told[0], 30);
  for (std::size_t rank = 1; rank < num_told.size(); ++rank) EXPECT_EQ(num_told[rank], 0);
}

TEST_P(DistributedExecutorTest, EveryRankAgreesWithTheFirst) {
  run_well([](DistributedExecutor& executor, int rank) {
    EXPECT_EQ(executor.agree({static_cast<double>(rank), 0.1}), (Payload{0.0, 0.1}));
    EXPECT_EQ(executor.is_first(), rank == 0);
  });
}

// No rank computes everything: with one slow task under way the others take the rest.
TEST_P(DistributedExecutorTest, ALoopHereIsEachRanksOwn) {
  run_well([](DistributedExecutor& executor, int) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<int> times(50, 0);
      executor.for_each_here(50, [&](Index i) { ++times[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(times, std::vector<int>(50, 1));
      executor.map(uneven_costs(5), [](Index task, int) { return numbers_of(task); });
    }
  });
}

TEST_P(DistributedExecutorTest, EveryRankTakesPart) {
  std::mutex mutex;
  std::set<int> took_part;
  run_well([&](DistributedExecutor& executor, int rank) {
    executor.map(std::vector<double>(100, 1.0), [&](Index, int) {
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      const std::scoped_lock lock(mutex);
      took_part.insert(rank);
      return Payload{};
    });
  });
  EXPECT_EQ(took_part.size(), static_cast<std::size_t>(num_ranks()));
}

// What error a thread executor would throw, every rank throws.
TEST_P(DistributedExecutorTest, EveryRankThrowsTheFirstErrorInTheOrderOfCosts) {
  const auto errors = run([](DistributedExecutor& executor, int) {
    executor.map(std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0}, [](Index task, int) -> Payload {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (task <= 3) throw Error(ErrorCode::bad_data, "task " + std::to_string(task));
      return {};
    });
  });
  for (const auto& error : errors) {
    try {
      ASSERT_NE(error, nullptr);
      std::rethrow_exception(error);
    } catch (const Error& thrown) {
      EXPECT_STREQ(thrown.what(), "task 3");
      EXPECT_EQ(thrown.code(), ErrorCode::bad_data);
    }
  }
}

TEST_P(DistributedExecutorTest, AnErrorOfTheArrivalIsEveryRanks) {
  const auto errors = run([](DistributedExecutor& executor, int) {
    executor.map(
        std::vector<double>(20, 1.0), [](Index, int) { return Payload{}; },
        [](Index task, const Payload&) {
          if (task == 7) throw Error(ErrorCode::cannot_write, "disk full");
        });
  });
  for (const auto& error : errors) EXPECT_THROW(std::rethrow_exception(error), Error);
}

// A signal may reach any one rank; tasks under way see the stop on all of them.
TEST_P(DistributedExecutorTest, AStopOnTheLastRankEndsTheMapOnAll) {
  const int last = num_ranks() - 1;
  std::atomic<int> num_started{0};
  const auto errors = run([&](DistributedExecutor& executor, int rank) {
    EXPECT_FALSE(executor.stop_requested());
    const auto work_until_stopped = [&](Index, int) -> Payload {
      ++num_started;
      if (rank == last) flags_[static_cast<std::size_t>(last)] = true;
      for (;; std::this_thread::sleep_for(std::chrono::microseconds(100))) executor.throw_if_stopped();
    };
    try {
      executor.map(std::vector<double>(1000, 1.0), work_until_stopped);
      ADD_FAILURE() << "the stop was not noticed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::interrupted);
    }
    EXPECT_TRUE(executor.stop_requested());
  });
  for (const auto& error : errors) EXPECT_EQ(error, nullptr);
  EXPECT_LE(num_started.load(), num_ranks() * GetParam().threads);
}

// A flag that rises between maps stops the next map, on every rank, and nothing before it.
TEST_P(DistributedExecutorTest, AStopBetweenMapsIsDecidedInTheNext) {
  run_well([&](DistributedExecutor& executor, int rank) {
    const auto task = [](Index index, int) { return Payload{static_cast<double>(index)}; };
    executor.map(uneven_costs(10), task);
    if (rank == num_ranks() - 1) flags_[static_cast<std::size_t>(rank)] = true;
    executor.agree({1.0});
    EXPECT_FALSE(executor.stop_requested());
    const auto slow = [&](Index index, int worker) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return task(index, worker);
    };
    EXPECT_THROW(executor.map(uneven_costs(500), slow), Error);
  });
}

// Tasks under way must end, or the rank would not.
TEST_P(DistributedExecutorTest, ARankThatFailsOutsideItsTasksEndsTheOthersMap) {
  if (num_ranks() == 1) GTEST_SKIP() << "there is no other";
  const int last = num_ranks() - 1;
  std::vector<Ending> endings(static_cast<std::size_t>(num_ranks()));
  run_ranks(num_ranks(), [&](Ranks& ranks) {
    Ending own;
    try {
      DistributedExecutor executor(ranks, GetParam().threads);
      if (ranks.rank() == last) throw Error(ErrorCode::internal, "no memory");
      executor.map(std::vector<double>(1000, 1.0), [&](Index, int) -> Payload {
        for (;; std::this_thread::sleep_for(std::chrono::microseconds(100))) executor.throw_if_stopped();
      });
    } catch (const Error& error) {
      own = {static_cast<int>(error.code()), error.what()};
    } catch (const JobEnded&) {
      own = {5, ""};
    }
    endings[static_cast<std::size_t>(ranks.rank())] = ranks.end(own);
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 1);
  EXPECT_EQ(endings.front().sentence, "rank " + std::to_string(last) + ": no memory");
}

// A rank whose own count of tasks differs would compute something else.
TEST_P(DistributedExecutorTest, RanksThatDriftedApartAreAnError) {
  if (num_ranks() == 1) GTEST_SKIP() << "there is no other";
  std::vector<Ending> endings(static_cast<std::size_t>(num_ranks()));
  run_ranks(num_ranks(), [&](Ranks& ranks) {
    Ending own;
    try {
      DistributedExecutor executor(ranks, GetParam().threads);
      executor.map(std::vector<double>(ranks.rank() == 1 ? 101 : 100, 1.0), [](Index, int) { return Payload{}; });
    } catch (const Error& error) {
      own = {static_cast<int>(error.code()), error.what()};
    } catch (const JobEnded&) {
      own = {5, ""};
    }
    endings[static_cast<std::size_t>(ranks.rank())] = ranks.end(own);
  });
  for (const Ending& ending : endings) EXPECT_EQ(ending.code, 1);
}

}  // namespace
}  // namespace ta2s2
