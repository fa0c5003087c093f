#include "ta2s2/workflow/inference_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

const NamedArray& array(const InferenceData& data, const std::string& group, const std::string& name) {
  for (const ArrayGroup& g : data.groups) {
    for (const NamedArray& a : g.arrays) {
      if (g.name == group && a.name == name) return a;
    }
  }
  throw std::out_of_range(group + "/" + name);
}

TEST(InferenceData, ArraysFillTheirShapesAndAgreeWithTheDraws) {
  const MemberRecord record = test::small_fit();
  const InferenceData data = inference_data(record);
  for (const ArrayGroup& group : data.groups) {
    for (const NamedArray& a : group.arrays) {
      Index size = 1;
      for (const Index length : a.shape) size *= length;
      EXPECT_EQ(size, static_cast<Index>(a.values.size())) << a.name;
      EXPECT_EQ(a.dims.size(), a.shape.size()) << a.name;
    }
  }
  const std::vector<Index> chosen = equally_weighted_draws(record.sample.weights, record.options.annealing.seed);
  const Matrix rows = draw_rows(record);
  const NamedArray& scales = array(data, "posterior", "length_scale");
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    EXPECT_EQ(scales.values[2 * i], rows(chosen[i], 2));  // after two log phi
    EXPECT_EQ(scales.values[2 * i + 1], rows(chosen[i], 3));
    EXPECT_EQ(array(data, "sample_stats", "lp").values[i], -record.sample.energies[chosen[i]]);
  }
  EXPECT_EQ(array(data, "sample_stats", "temperature").values.back(), 1.0);
  EXPECT_EQ(array(data, "constant_data", "inputs").values[1], record.data.inputs()(0, 1));
}

// Systematic resampling repeats a draw of weight w, among n, floor(n w) or ceil(n w) times, whatever the seed.
TEST(EquallyWeightedDraws, RepeatsEachInProportionToItsWeight) {
  const Vector weights{{0.5, 0.0, 0.3, 0.15, 0.05}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> counts(5, 0.0);
    for (const Index i : equally_weighted_draws(weights, seed)) ++counts[static_cast<std::size_t>(i)];
    for (Index i = 0; i < 5; ++i) EXPECT_LT(std::abs(counts[static_cast<std::size_t>(i)] - 5.0 * weights[i]), 1.0);
  }
}

TEST(InferenceData, AFitWithoutASampleHasNone) {
  EXPECT_THROW(inference_data(test::small_fit({{"map-only", "true"}})), Error);
}

}  // namespace
}  // namespace ta2s2
