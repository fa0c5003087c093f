// The laws of exec/executor.hpp, for every executor there is.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/distributed_executor.hpp"
#include "ta2s2/exec/recording_executor.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "unit/exec/thread_ranks.hpp"

namespace ta2s2 {
namespace {

// All ranks of a job as one executor: each map is run by every rank, in a thread of its own, and every rank must have
// the same of it.
class AllRanks final : public Executor {
 public:
  AllRanks(int num_ranks, int threads_per_rank, const StopFlag* stop)
      : Executor(stop), post_(num_ranks), threads_per_rank_(threads_per_rank) {
    for (int rank = 0; rank < num_ranks; ++rank) {
      transports_.push_back(std::make_unique<test::PostTransport>(post_, rank));
      ranks_.push_back(std::make_unique<Ranks>(*transports_.back()));
    }
    executors_.resize(ranks_.size());
    on_each([&](std::size_t rank) {
      executors_[rank] = std::make_unique<DistributedExecutor>(*ranks_[rank], threads_per_rank, stop);
    });
  }

  int num_workers() const override { return static_cast<int>(ranks_.size()) * threads_per_rank_; }

  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override {
    std::vector<std::vector<Payload>> results(ranks_.size());
    std::vector<std::exception_ptr> errors(ranks_.size());
    on_each([&](std::size_t rank) {
      const int first_worker = static_cast<int>(rank) * threads_per_rank_;
      const Task own = [&](Index index, int worker) { return task(index, first_worker + worker); };
      try {
        results[rank] = executors_[rank]->map(costs, own, arrival);
      } catch (...) {
        errors[rank] = std::current_exception();
      }
    });
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      EXPECT_EQ(results[rank], results[0]);
      EXPECT_EQ(errors[rank] == nullptr, errors[0] == nullptr);
    }
    if (errors[0]) std::rethrow_exception(errors[0]);
    return results[0];
  }

  Payload agree(Payload payload) override {
    std::vector<Payload> agreed(ranks_.size());
    on_each([&](std::size_t rank) { agreed[rank] = executors_[rank]->agree(rank == 0 ? payload : Payload{9.0}); });
    for (const Payload& of_rank : agreed) EXPECT_EQ(of_rank, agreed[0]);
    return agreed[0];
  }

 private:
  void on_each(const std::function<void(std::size_t)>& work) {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) threads.emplace_back([&work, rank] { work(rank); });
  }

  test::Post post_;
  int threads_per_rank_;
  std::vector<std::unique_ptr<Transport>> transports_;
  std::vector<std::unique_ptr<Ranks>> ranks_;
  std::vector<std::unique_ptr<DistributedExecutor>> executors_;
};

struct ExecutorCase {
  std::string name;
  std::function<std::unique_ptr<Executor>(const StopFlag*)> make;
};

struct InnerThreads {
  ThreadExecutor threads;
};

class RecordingThreads final : InnerThreads, public RecordingExecutor {
 public:
  explicit RecordingThreads(const StopFlag* stop)
      : InnerThreads{ThreadExecutor(2, stop)},
        RecordingExecutor(
            threads, {}, [](const Journal&) {}, 0.0) {}
};

// A new executor is one new line here.
std::vector<ExecutorCase> executor_cases() {
  std::vector<ExecutorCase> cases;
  for (const int threads : {1, 2, 7}) {
    cases.push_back({std::to_string(threads) + "_threads",
                     [threads](const StopFlag* stop) { return std::make_unique<ThreadExecutor>(threads, stop); }});
  }
  cases.push_back({"recording", [](const StopFlag* stop) { return std::make_unique<RecordingThreads>(stop); }});
  for (const auto& [ranks, threads] : {std::pair{1, 1}, {2, 1}, {4, 1}, {3, 2}}) {
    cases.push_back({std::to_string(ranks) + "_ranks_of_" + std::to_string(threads),
                     [ranks = ranks, threads = threads](const StopFlag* stop) {
                       return std::make_unique<AllRanks>(ranks, threads, stop);
                     }});
  }
  return cases;
}

class ExecutorContract : public ::testing::TestWithParam<ExecutorCase> {
 protected:
  std::unique_ptr<Executor> executor(const StopFlag* stop = nullptr) const { return GetParam().make(stop); }
};

INSTANTIATE_TEST_SUITE_P(Executors, ExecutorContract, ::testing::ValuesIn(executor_cases()),
                         [](const auto& instance) { return instance.param.name; });

// Costs in no order at all, so that tasks are taken out of order.
std::vector<double> uneven_costs(std::size_t count) {
  std::vector<double> costs(count);
  for (std::size_t i = 0; i < count; ++i) costs[i] = static_cast<double>((i * 37) % 11);
  return costs;
}

// Long enough that another worker, if there is one, takes a task meanwhile.
void take_a_while() {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

TEST_P(ExecutorContract, ResultsComeInTaskOrderWhateverTheirLength) {
  const auto results = executor()->map(uneven_costs(50), [](Index task, int) {
    return Payload(static_cast<std::size_t>(task % 3), std::sqrt(static_cast<double>(task)));
  });
  ASSERT_EQ(results.size(), 50u);
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i], Payload(i % 3, std::sqrt(static_cast<double>(i))));
  }
}

TEST_P(ExecutorContract, NoTasksAreNoResults) {
  EXPECT_TRUE(executor()->map({}, [](Index, int) { return Payload{}; }).empty());
}

TEST_P(ExecutorContract, EveryTaskRunsOnce) {
  std::array<std::atomic<int>, 100> runs{};
  executor()->map(uneven_costs(runs.size()), [&](Index task, int) {
    ++runs[static_cast<std::size_t>(task)];
    return Payload{};
  });
  for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
}

TEST_P(ExecutorContract, EachResultIsToldOnceAndNoTwoAtATime) {
  std::vector<Payload> told(50);
  std::atomic<bool> is_telling{false};
  const Executor::Task task = [](Index index, int) { return Payload(1, static_cast<double>(index + 1)); };
  const auto results = executor()->map(uneven_costs(told.size()), task, [&](Index index, const Payload& result) {
    EXPECT_FALSE(is_telling.exchange(true));
    EXPECT_TRUE(told[static_cast<std::size_t>(index)].empty());
    told[static_cast<std::size_t>(index)] = result;
    take_a_while();
    is_telling = false;
  });
  EXPECT_EQ(told, results);
}

// A stop loses no finished task: what was told is all there is to go on from.
TEST_P(ExecutorContract, AResultIsToldBeforeAStopEndsTheMap) {
  StopFlag stop{false};
  int num_told = 0;
  const Executor::Task task = [](Index, int) { return Payload{}; };
  EXPECT_THROW(executor(&stop)->map(uneven_costs(50), task,
                                    [&](Index, const Payload&) {
                                      if (++num_told == 10) stop = true;
                                    }),
               Error);
  EXPECT_GE(num_told, 10);
}

TEST_P(ExecutorContract, AWorkerHasOneTaskAtATime) {
  const auto pool = executor();
  std::vector<std::atomic<bool>> busy(static_cast<std::size_t>(pool->num_workers()));
  pool->map(uneven_costs(60), [&](Index, int worker) {
    EXPECT_GE(worker, 0);
    EXPECT_LT(worker, pool->num_workers());
    EXPECT_FALSE(busy[static_cast<std::size_t>(worker)].exchange(true));
    take_a_while();
    busy[static_cast<std::size_t>(worker)] = false;
    return Payload{};
  });
}

std::string error_of(Executor& pool, const std::vector<double>& costs, const Executor::Task& task) {
  try {
    pool.map(costs, task);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

TEST_P(ExecutorContract, AnErrorReachesTheCallerWithCodeAndSentence) {
  try {
    executor()->map(uneven_costs(20), [](Index task, int) -> Payload {
      if (task == 13) throw Error(ErrorCode::bad_data, "task 13");
      return {};
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_data);
    EXPECT_STREQ(error.what(), "task 13");
  }
}

TEST_P(ExecutorContract, AnotherExceptionReachesTheCallerWithItsText) {
  EXPECT_EQ(error_of(*executor(), uneven_costs(20),
                     [](Index task, int) -> Payload {
                       if (task == 13) throw std::domain_error("task 13");
                       return {};
                     }),
            "task 13");
}

TEST_P(ExecutorContract, OfSeveralErrorsTheLowestIndexWins) {
  const std::vector<double> equal_costs(20, 1.0);
  const std::string message = error_of(*executor(), equal_costs, [](Index task, int) -> Payload {
    take_a_while();
    if (task >= 4) throw std::runtime_error(std::to_string(task));
    return {};
  });
  EXPECT_EQ(message, "4");
}

// The same run must fail with the same sentence on any number of workers, also when a later task is taken
// first.
TEST_P(ExecutorContract, TheErrorDoesNotDependOnTheNumberOfWorkers) {
  const std::vector<double> rising_costs = {1.0, 2.0, 3.0, 4.0};
  const auto fail = [](Index task, int) -> Payload {
    take_a_while();
    throw std::runtime_error(std::to_string(task));
  };
  ThreadExecutor one(1);
  const std::string expected = error_of(one, rising_costs, fail);
  for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(error_of(*executor(), rising_costs, fail), expected);
}

TEST_P(ExecutorContract, IsUsableAfterAnError) {
  const auto pool = executor();
  error_of(*pool, {1.0, 1.0}, [](Index, int) -> Payload { throw std::runtime_error("once"); });
  const auto results =
      pool->map(std::vector<double>{1.0, 1.0}, [](Index task, int) { return Payload{static_cast<double>(task)}; });
  EXPECT_EQ(results, (std::vector<Payload>{{0.0}, {1.0}}));
}

TEST_P(ExecutorContract, AStopEndsTheMapAsInterrupted) {
  StopFlag stop{false};
  const auto pool = executor(&stop);
  std::atomic<int> runs{0};
  try {
    pool->map(std::vector<double>(1000, 1.0), [&](Index, int) {
      ++runs;
      stop = true;
      return Payload{};
    });
    FAIL() << "the stop was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  // Each worker may have had one task under way or just taken when the flag rose.
  EXPECT_LE(runs.load(), pool->num_workers());
  EXPECT_TRUE(pool->stop_requested());
  EXPECT_THROW(pool->throw_if_stopped(), Error);
}

TEST_P(ExecutorContract, AgreeGivesThePayloadBack) {
  const Payload payload = {1.5, -2.5};
  EXPECT_EQ(executor()->agree(payload), payload);
}

}  // namespace
}  // namespace ta2s2
