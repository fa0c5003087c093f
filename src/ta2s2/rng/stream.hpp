// A stream of random bits is named, not stored: the same name gives the same bits on any thread, rank or resume.
#pragma once

#include <array>
#include <cstdint>

namespace ta2s2 {

// What a draw is for. Values are part of the seed contract: never renumber them.
enum class Purpose : std::uint64_t {
  start_point = 1,
  resample = 2,
  move = 3,
  mixture_fit = 4,
  predictive_draw = 5,
  design = 6,
  prior_mass = 7,
  thinning = 8,
  hamiltonian = 10,
  equal_weights = 12,
  next_runs = 20,
  sample_function = 21,
  start_states = 22,
  step_choice = 23,
  mode_search = 24,
  model_weights = 30,
};

struct StreamName {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::move;
  std::uint64_t level = 0;
  std::uint64_t chain = 0;
  std::uint64_t step = 0;
};

// Philox4x64-10 (Salmon et al. 2011): key = (seed, purpose), counter = (block, step, chain, level).
class Stream {
 public:
  explicit Stream(const StreamName& name);

  std::uint64_t bits() {
    if (next_ == buffer_.size()) refill();
    return buffer_[next_++];
  }

 private:
  void refill();

  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> buffer_{};
  std::size_t next_ = 4;
};

}  // namespace ta2s2
