#include "ta2s2/workflow/time_evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

// As draw_start_points of smc/chain_growth.hpp: the same streams, so the same points.
Matrix draw_points(const TargetDensity& target, Index count, std::uint64_t seed) {
  Matrix points(target.dim(), count);
  for (Index i = 0; i < count; ++i) {
    Stream stream({seed, Purpose::start_point, 0, static_cast<std::uint64_t>(i), 0});
    points.col(i) = target.draw_start(stream);
  }
  return points;
}

// Whole rounds over the points, `width` of them per call, until the time is up. The fastest call would be the time of
// an idle machine and the mean that of today's; a fit meets today's.
class Stopwatch {
 public:
  Stopwatch(const TargetDensity& target, const Matrix& points) : target_(target), points_(points) {
    workspace_ = target.make_workspace();
    answers_.resize(static_cast<std::size_t>(points.cols()));
  }

  // The first call finds memory that was never touched and is not counted where there is time for a second.
  double seconds_per_point(Index width, double seconds) {
    call(0, width);
    Index count = 0;
    const auto begin = Clock::now();
    double spent = 0.0;
    do {
      const Index first = count % (points_.cols() - width + 1);
      call(first - first % width, width);
      count += width;
      spent = std::chrono::duration<double>(Clock::now() - begin).count();
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
