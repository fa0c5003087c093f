#include "ta2s2/exec/recording_executor.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "ta2s2/exec/thread_executor.hpp"
#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

const std::vector<double> kCosts = {1.0, 4.0, 2.0, 3.0};

Payload square(Index task) {
  return Payload(static_cast<std::size_t>(task), static_cast<double>(task * task));
}

// Counts the tasks that were run, and the journals that were saved.
class RecordingExecutorTest : public testing::Test {
 protected:
  RecordingExecutor recorder(Journal journal = {}, double save_every = 1e9) {
    return RecordingExecutor(
        threads, std::move(journal), [this](const Journal& saved) { saves.push_back(saved); }, save_every);
  }
  std::vector<Payload> squares(Executor& executor, const std::vector<double>& costs = kCosts) {
    const Executor::Task task = [this](Index index, int) {
      ++num_runs;
      return square(index);
    };
    return executor.map(costs, task);
  }

  ThreadExecutor threads{2};
  std::atomic<int> num_runs{0};
  std::vector<Journal> saves;
};

TEST_F(RecordingExecutorTest, ReturnsWhatTheInnerOneReturnsAndKeepsIt) {
  auto executor = recorder();
  EXPECT_EQ(squares(executor), squares(threads));
  ASSERT_EQ(executor.journal().maps.size(), 1u);
  const MapRecord& record = executor.journal().maps.front();
  EXPECT_TRUE(record.is_complete());
  for (Index i = 0; i < 4; ++i) EXPECT_EQ(*record.results[static_cast<std::size_t>(i)], square(i));
}

// On the inner one's two threads: each waits for the other to begin.
TEST_F(RecordingExecutorTest, ALoopHereIsTheInnerOnesAndIsNotKept) {
  auto executor = recorder();
  std::atomic<int> begun{0};
  executor.for_each_here(2, [&](Index) {
    ++begun;
    while (begun.load() < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 2);
  EXPECT_TRUE(executor.journal().maps.empty());
}

TEST_F(RecordingExecutorTest, DoesNothingTwice) {
  auto first = recorder();
  const auto results = squares(first);
  auto second = recorder(first.journal());
  num_runs = 0;
  EXPECT_EQ(squares(second), results);
  EXPECT_EQ(num_runs, 0);
  EXPECT_EQ(squares(second), results);  // a map the journal does not have
  EXPECT_EQ(num_runs, 4);
}

TEST_F(RecordingExecutorTest, RunsOnlyWhatIsMissingAndTellsOfAll) {
  auto first = recorder();
  const auto results = squares(first);
  Journal journal = first.journal();
  journal.maps.front().results[1].reset();
  journal.maps.front().results[3].reset();
  auto second = recorder(journal);
  num_runs = 0;
  std::vector<Payload> told(4);
  const Executor::Task task = [this](Index index, int) {
    ++num_runs;
    return square(index);
  };
  EXPECT_EQ(second.map(kCosts, task, [&](Index i, const Payload& p) { told[static_cast<std::size_t>(i)] = p; }),
            results);
  EXPECT_EQ(num_runs, 2);
  EXPECT_EQ(told, results);
}

TEST_F(RecordingExecutorTest, SavesAfterAMap) {
  auto executor = recorder();
  squares(executor);
  ASSERT_EQ(saves.size(), 1u);
  EXPECT_TRUE(saves.back().maps.front().is_complete());
}

TEST_F(RecordingExecutorTest, SavesFinishedTasksWithinAMap) {
  auto executor = recorder({}, 0.0);
  squares(executor);
  ASSERT_GE(saves.size(), 4u);  // after each task; once more after the map only if that is worth it
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(saves[i].maps.front().missing().size(), 3 - i);
}

TEST_F(RecordingExecutorTest, AStopKeepsWhatHasEnded) {
  StopFlag stop{false};
  ThreadExecutor one(1, &stop);
  RecordingExecutor executor(
      one, {}, [this](const Journal& journal) { saves.push_back(journal); }, 1e9);
  test::message_of(ErrorCode::interrupted, [&] {
    executor.map(kCosts, [&](Index index, int) {
      stop = index == 3;  // the second by cost
      return square(index);
    });
  });
  executor.save_now();
  EXPECT_EQ(saves.back().maps.front().missing(), (std::vector<Index>{0, 2}));
}

TEST_F(RecordingExecutorTest, RefusesAJournalOfOtherTasks) {
  auto first = recorder();
  squares(first);
  for (const std::vector<double>& others : {std::vector<double>{1.0, 4.0, 2.0}, {1.0, 4.0, 2.0, 5.0}}) {
    auto second = recorder(first.journal());
    test::expect_parts(test::message_of(ErrorCode::bad_file, [&] { squares(second, others); }),
                       {"step 1", "another build"});
  }
}

TEST_F(RecordingExecutorTest, ASaveThatFailsEndsTheMap) {
  RecordingExecutor executor(
      threads, {}, [](const Journal&) { throw Error(ErrorCode::cannot_write, "disk full"); }, 0.0);
  test::message_of(ErrorCode::cannot_write, [&] { squares(executor); });
}

// What every process but the first one sees: its own journal is empty, and it gets the first one's results.
class SecondProcess final : public Executor {
 public:
  SecondProcess(Executor& inner, Payload agreed) : inner_(inner), agreed_(std::move(agreed)) {}
  int num_workers() const override { return inner_.num_workers(); }
  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival&) override {
    return inner_.map(costs, task);
  }
  Payload agree(Payload) override { return agreed_; }
  bool is_first() const override { return false; }

 private:
  Executor& inner_;
  Payload agreed_;
};

TEST_F(RecordingExecutorTest, AnotherProcessTakesTheFirstOnesResultsAndSavesNothing) {
  SecondProcess process(threads, {1.0, 1.0, 1.0, 3.0, 3.0, 9.0, 9.0, 9.0});  // tasks 1 and 3: number, length, result
  RecordingExecutor executor(
      process, {}, [this](const Journal& journal) { saves.push_back(journal); }, 0.0);
  const auto results = squares(executor);
  EXPECT_EQ(num_runs, 2);
  for (Index i = 0; i < 4; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], square(i));
  executor.save_now();
  EXPECT_TRUE(saves.empty());
}

}  // namespace
}  // namespace ta2s2
