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

// A processor that shares a job with an older one.
TEST(SimdPath, OnlyWhatIsKeptIsThereAnyMore) {
  const std::vector<SimdPath> all = supported_simd_paths();
  const SimdPath best = best_simd_path();
  keep_simd_paths({SimdPath::plain, SimdPath::baseline});
  const std::vector<SimdPath> kept = supported_simd_paths();
  const SimdPath chosen = choose_simd_path("auto");
  std::string sentence;
  try {
    choose_simd_path(simd_path_name(best));
  } catch (const Error& error) {
    sentence = error.what();
  }
  keep_simd_paths(all);
  EXPECT_EQ(kept, (std::vector<SimdPath>{SimdPath::plain, SimdPath::baseline}));
  EXPECT_EQ(chosen, SimdPath::baseline);
  if (best != SimdPath::baseline) {
    EXPECT_THAT(sentence, testing::HasSubstr("not available on every processor of this job"));
  }
  EXPECT_EQ(supported_simd_paths(), all);
}

}  // namespace
}  // namespace ta2s2
