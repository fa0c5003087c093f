// What the processor can do at most: fused multiply-adds on registers alone, by instruction set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ta2s2::bench {

struct RegisterSet {
  std::int64_t target;  // Highway's number
  std::string name;
};

// Those that this processor has, best first.
std::vector<RegisterSet> register_sets();

// Runs `rounds` rounds of independent multiply-adds and returns how many flops that were.
double run_multiply_adds(const RegisterSet& set, std::int64_t rounds);

}  // namespace ta2s2::bench
