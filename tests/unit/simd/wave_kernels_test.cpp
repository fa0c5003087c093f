#include "ta2s2/simd/wave_routines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ta2s2 {
namespace {

// Three units in the last place of 1 are 7e-16. Frequencies up to 13 000.
TEST(WaveRoutines, AreCosinesAndSinesOnEveryPath) {
  EXPECT_EQ(wave_routines(InstructionSet::plain), nullptr);
  for (const InstructionSet path : supported_instruction_sets()) {
    if (path == InstructionSet::plain) continue;
    for (const std::size_t count : {std::size_t{1}, std::size_t{8}, std::size_t{37}}) {
      std::vector<double> frequencies(count), cosines(count, 9.0), sines(count, 9.0);
      for (std::size_t k = 0; k < count; ++k) frequencies[k] = (k % 2 == 0 ? 1.0 : -1.0) * std::pow(1.3, k);
      wave_routines(path)->waves(count, frequencies.data(), 0.7, cosines.data(), sines.data());
      for (std::size_t k = 0; k < count; ++k) {
        EXPECT_NEAR(cosines[k], std::cos(frequencies[k] * 0.7), 1e-15)
            << instruction_set_name(path) << " " << frequencies[k];
        EXPECT_NEAR(sines[k], std::sin(frequencies[k] * 0.7), 1e-15)
            << instruction_set_name(path) << " " << frequencies[k];
      }
    }
  }
}

}  // namespace
}  // namespace ta2s2
