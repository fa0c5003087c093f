#include "ta2s2/workflow/time_evaluation.hpp"

#include <ctime>
#include <span>
#include <vector>

#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {
namespace {

// Of this thread alone: what others run here now says nothing of the cores that the fit will have.
double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// As draw_start_points of smc/chain_growth.hpp: the same streams, so the same points.
Matrix draw_points(const TargetDensity& target, Index count, std::uint64_t seed) {
  Matrix points(target.dim(), count);
  for (Index i = 0; i < count; ++i) {
    Stream stream({seed, Purpose::start_point, 0, static_cast<std::uint64_t>(i), 0});
    points.col(i) = target.draw_start(stream);
  }
  return points;
}

// Calls with `width` points each, over and over, until the time is up.
class Stopwatch {
 public:
  Stopwatch(const TargetDensity& target, const Matrix& points) : target_(target), points_(points) {
    workspace_ = target.make_workspace();
    answers_.resize(static_cast<std::size_t>(points.cols()));
  }

  // The first call, which finds memory that was never touched, is counted only if it takes all of the time.
  double seconds_per_point(Index width, double seconds) {
    double begin = processor_seconds();
    call(0, width);
    double spent = processor_seconds() - begin;
    if (spent >= seconds) return spent / static_cast<double>(width);
    Index count = 0;
    begin = processor_seconds();
    do {
      call(count % points_.cols(), width);
      count += width;
      spent = processor_seconds() - begin;
    } while (spent < seconds);
    return spent / static_cast<double>(count);
  }

 private:
  void call(Index first, Index width) {
    target_.energies(points_.middleCols(first, width), *workspace_,
                     std::span(answers_).first(static_cast<std::size_t>(width)));
  }

  const TargetDensity& target_;
  const Matrix& points_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Energy> answers_;
};

}  // namespace

EvaluationTime time_evaluation(const TargetDensity& target, std::uint64_t seed, double seconds) {
  constexpr Index kBlocks = 16;
  const Index lanes = target.lanes();
  const Matrix points = draw_points(target, kBlocks * lanes, seed);
  Stopwatch stopwatch(target, points);
  EvaluationTime time;
  time.in_block_seconds = stopwatch.seconds_per_point(lanes, seconds);
  time.alone_seconds = lanes == 1 ? time.in_block_seconds : stopwatch.seconds_per_point(1, seconds);
  return time;
}

}  // namespace ta2s2
