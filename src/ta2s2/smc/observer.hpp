// Told of every level; cannot change the run, only end it.
#pragma once

#include "ta2s2/posterior.hpp"

namespace ta2s2 {

class Observer {
 public:
  enum class Verdict { go_on, stop };

  virtual ~Observer() = default;
  virtual Verdict on_level(const LevelSummary&) { return Verdict::go_on; }
};

}  // namespace ta2s2
