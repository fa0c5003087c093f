// usage: as bench/peers/compare.py does. Standard input: "n p nugget", X by columns, y; then requests, each answered by
// a line:
//   evaluate COUNT positions...   the energies
//   time REPEATS COUNT positions...   thread CPU seconds of REPEATS passes over all positions
#include <time.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "evaluator.hpp"

namespace ta2s2::bench {
namespace {

std::vector<double> read(std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) std::cin >> value;
  return values;
}

PeerProblem read_problem() {
  PeerProblem problem;
  std::cin >> problem.n >> problem.p >> problem.nugget;
  problem.X = read(static_cast<std::size_t>(problem.n * problem.p));
  problem.y = read(static_cast<std::size_t>(problem.n));
  return problem;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Server {
 public:
  Server() : p_(0) {
    const PeerProblem problem = read_problem();
    p_ = problem.p;
    evaluator_ = make_evaluator(problem);
  }

  void run() {
    for (std::string request; std::cin >> request;) {
      long repeats = 1;
      if (request == "time") std::cin >> repeats;
      int count = 0;
      std::cin >> count;
      const std::vector<double> positions = read(static_cast<std::size_t>(count * p_));
      energies_.resize(static_cast<std::size_t>(count));
      const double begin = thread_seconds();
      for (long i = 0; i < repeats; ++i) pass(positions.data(), count);
      const double seconds = thread_seconds() - begin;
      request == "time" ? answer({seconds}) : answer(energies_);
    }
  }

 private:
  void pass(const double* positions, int count) {
    for (int i = 0; i < count; i += evaluator_->lanes()) evaluator_->evaluate(positions + i * p_, &energies_[i]);
  }

  static void answer(const std::vector<double>& numbers) {
    for (const double number : numbers) std::printf("%.17g ", number);
    std::printf("\n");
    std::fflush(stdout);
  }

  int p_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<double> energies_;
};

}  // namespace
}  // namespace ta2s2::bench

int main() {
  ta2s2::bench::Server().run();
}
