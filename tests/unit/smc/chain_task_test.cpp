#include "ta2s2/smc/move.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace ta2s2 {
namespace {

Energy energy_of(double e1) {
  return {0.0, e1, Impossible::no};
}

// Asks for `count` energies, at 1, 2, ..., and adds them up.
ChainTask<double> sum_energies(EnergyRequest& energy, int count) {
  double sum = 0.0;
  for (int i = 1; i <= count; ++i) {
    const Vector candidate = Vector::Constant(1, static_cast<double>(i));
    sum += (co_await energy(candidate)).tempered;
  }
  co_return sum;
}

// A chain of moves, as chain_growth.cpp has it: one coroutine awaits others.
ChainTask<double> sum_twice(EnergyRequest& energy, int count) {
  const double first = co_await sum_energies(energy, count);
  const double second = co_await sum_energies(energy, count);
  co_return first + 100.0 * second;
}

// Answers with the square of the candidate until the task ends; returns how often it was asked.
template <typename Result>
int drive(ChainTask<Result>& task, EnergyRequest& request) {
  task.start();
  int asked = 0;
  while (!task.done()) {
    EXPECT_TRUE(request.pending());
    const double x = request.candidate()[0];
    request.answer(energy_of(x * x));
    ++asked;
  }
  EXPECT_FALSE(request.pending());
  return asked;
}

TEST(ChainTask, DoesNothingUntilStarted) {
  EnergyRequest request;
  ChainTask<double> task = sum_energies(request, 2);
  EXPECT_FALSE(task.done());
  EXPECT_FALSE(request.pending());
}

TEST(ChainTask, WaitsForEachEnergyAndReturnsItsResult) {
  EnergyRequest request;
  ChainTask<double> task = sum_energies(request, 3);
  EXPECT_EQ(drive(task, request), 3);
  EXPECT_EQ(task.take_result(), 14.0);
  EXPECT_EQ(request.num_answered(), 3);
}

TEST(ChainTask, ATaskThatNeedsNoEnergyEndsAtOnce) {
  EnergyRequest request;
  ChainTask<double> task = sum_twice(request, 0);
  EXPECT_EQ(drive(task, request), 0);
  EXPECT_EQ(task.take_result(), 0.0);
}

TEST(ChainTask, ANestedTaskResumesTheOneThatAwaitsIt) {
  EnergyRequest request;
  ChainTask<double> task = sum_twice(request, 2);
  EXPECT_EQ(drive(task, request), 4);
  EXPECT_EQ(task.take_result(), 505.0);
}

TEST(ChainTask, ManyTasksInterleaveWithoutMixingTheirAnswers) {
  std::vector<EnergyRequest> requests(5);
  std::vector<ChainTask<double>> tasks;
  for (int i = 0; i < 5; ++i) tasks.push_back(sum_twice(requests[static_cast<std::size_t>(i)], i));
  for (auto& task : tasks) task.start();
  for (bool any = true; any;) {  // round robin; shorter ones drop out early
    any = false;
    for (auto& request : requests) {
      if (!request.pending()) continue;
      const double x = request.candidate()[0];
      request.answer(energy_of(x * x));
      any = true;
    }
  }
  const double sums[] = {0.0, 1.0, 5.0, 14.0, 30.0};
  for (std::size_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(tasks[i].done());
    EXPECT_EQ(tasks[i].take_result(), 101.0 * sums[i]);
  }
}

ChainTask<double> fail_after_one(EnergyRequest& energy) {
  const Vector candidate = Vector::Zero(1);
  co_await energy(candidate);
  throw std::domain_error("in the inner task");
}

ChainTask<double> await_failure(EnergyRequest& energy) {
  co_return co_await fail_after_one(energy);
}

ChainTask<double> catch_failure(EnergyRequest& energy) {
  try {
    co_await fail_after_one(energy);
  } catch (const std::domain_error&) {
    co_return -1.0;
  }
  co_return 1.0;
}

TEST(ChainTask, AnExceptionPassesThroughEveryAwaiter) {
  EnergyRequest request;
  ChainTask<double> task = await_failure(request);
  drive(task, request);  // the exception does not surface here, in whoever happened to answer
  EXPECT_THROW(task.take_result(), std::domain_error);
}

TEST(ChainTask, AnAwaiterMayCatchIt) {
  EnergyRequest request;
  ChainTask<double> task = catch_failure(request);
  drive(task, request);
  EXPECT_EQ(task.take_result(), -1.0);
}

ChainTask<int> hold(std::shared_ptr<int> held, EnergyRequest& energy) {
  const Vector candidate = Vector::Zero(1);
  co_await energy(candidate);
  co_return *held;
}

ChainTask<int> hold_nested(std::shared_ptr<int> held, EnergyRequest& energy) {
  co_return co_await hold(held, energy);
}

TEST(ChainTask, AnAbandonedTaskFreesItsFrames) {
  const auto held = std::make_shared<int>(7);
  EnergyRequest request;
  {
    ChainTask<int> task = hold_nested(held, request);
    task.start();
    EXPECT_GT(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(ChainTask, MovesLikeAValue) {
  EnergyRequest request;
  ChainTask<double> task;
  task = sum_energies(request, 2);
  ChainTask<double> moved = std::move(task);
  EXPECT_EQ(drive(moved, request), 2);
  EXPECT_EQ(moved.take_result(), 5.0);
}

TEST(ChainTask, ResultsNeedNotBeCopyable) {
  const auto make = [](EnergyRequest& energy) -> ChainTask<std::unique_ptr<int>> {
    const Vector candidate = Vector::Zero(1);
    co_await energy(candidate);
    co_return std::make_unique<int>(3);
  };
  EnergyRequest request;
  auto task = make(request);
  drive(task, request);
  EXPECT_EQ(*task.take_result(), 3);
}

}  // namespace
}  // namespace ta2s2
