#include "ta2s2/simd/path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ta2s2/base/error.hpp"
#include "ta2s2/simd/lane_kernels.hpp"
#include "ta2s2/simd/mixture_kernels.hpp"
#include "ta2s2/simd/panel_kernels.hpp"

namespace ta2s2 {
namespace {

TEST(SimdPath, PlainAndBaselineAreEverywhere) {
  EXPECT_THAT(supported_simd_paths(), testing::Contains(SimdPath::baseline));
  EXPECT_EQ(supported_simd_paths().front(), SimdPath::plain);
  EXPECT_EQ(choose_simd_path("auto"), best_simd_path());
  EXPECT_EQ(choose_simd_path("plain"), SimdPath::plain);
}

TEST(SimdPath, EverySupportedPathButPlainHasKernels) {
  for (const SimdPath path : supported_simd_paths()) {
    EXPECT_EQ(lane_kernels(path) != nullptr, path != SimdPath::plain);
    EXPECT_EQ(panel_kernels(path) != nullptr, path != SimdPath::plain);
    EXPECT_EQ(mixture_kernels(path) != nullptr, path != SimdPath::plain);
    EXPECT_EQ(choose_simd_path(simd_path_name(path)), path);
  }
}

// Of avx512 and neon no processor has both.
TEST(SimdPath, RefusesWhatIsNotThere) {
  const auto supported = supported_simd_paths();
  for (const std::string name : {"avx512", "neon"}) {
    bool found = false;
    for (const SimdPath path : supported) found = found || simd_path_name(path) == name;
    if (found) continue;
    EXPECT_THROW(choose_simd_path(name), Error) << name;
  }
  EXPECT_THROW(choose_simd_path("mmx"), Error);
  EXPECT_FALSE(is_simd_path("mmx"));
  EXPECT_FALSE(is_simd_path("auto"));
}

}  // namespace
}  // namespace ta2s2
