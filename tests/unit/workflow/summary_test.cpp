#include "ta2s2/workflow/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

// Four draws with unequal weights; the first input's length-scales are 1/8, 1/4, 1/2 and 1 of its width.
MemberRecord four_draws() {
  const OutputRuns data = test::small_runs();
  MemberRecord record{.version = "0",
                      .data = data,
                      .scaling = Scaling(Vector::Zero(2), Vector{{200.0, 1e-3}}, 50.0, 2.0),
                      .options = {},
                      .sample = {{"log_phi_length", "log_phi_load", "z_nugget"}, Matrix(3, 4), Vector(4), Vector(4)},
                      .map = {},
                      .modes = {},
                      .levels = {},
                      .evidence = {},
                      .diagnostics = {},
                      .notices = {},
                      .times = {}};
  // Not in order: quantiles must sort.
  record.sample.positions.row(0) << 2.0 * std::log(0.5), 2.0 * std::log(0.125), 0.0, 2.0 * std::log(0.25);
  record.sample.positions.row(1).setConstant(std::log(9.0));
  record.sample.positions.row(2).setConstant(0.0);
  record.sample.weights << 0.3, 0.1, 0.2, 0.4;
  record.sample.energies << 5.0, 6.0, 7.0, 8.0;
  return record;
}

TEST(NaturalPoint, IsInTheUsersUnits) {
  const NaturalPoint point = natural_point(four_draws(), Vector{{2.0 * std::log(0.25), 0.0, -35.0}});
  EXPECT_NEAR(point.length_scales[0], 50.0, 1e-12);
  EXPECT_NEAR(point.length_scales[1], 1e-3, 1e-17);
  EXPECT_NEAR(point.nugget, 1e-12 + 1.0 / (1.0 + std::exp(35.0)), 1e-26);
}

TEST(NaturalPoint, KnowsAFixedNugget) {
  MemberRecord record = four_draws();
  record.options.nugget = "fixed(1e-6)";
  EXPECT_EQ(natural_point(record, Vector(Vector::Zero(2))).nugget, 1e-6);
}

TEST(SummariseParameters, WeighsTheDraws) {
  const auto summaries = summarise_parameters(four_draws());
  ASSERT_EQ(summaries.size(), 3u);
  EXPECT_EQ(summaries[0].name, "length_scale_length");
  EXPECT_EQ(summaries[1].name, "length_scale_load");
  EXPECT_EQ(summaries[2].name, "nugget");
  // 25, 50, 100, 200 with weights 0.1, 0.4, 0.3, 0.2.
  const double mean = 92.5, second = 0.1 * 625 + 0.4 * 2500 + 0.3 * 10000 + 0.2 * 40000;
  EXPECT_NEAR(summaries[0].mean, mean, 1e-10);
  EXPECT_NEAR(summaries[0].sd, std::sqrt(second - mean * mean), 1e-10);
  EXPECT_NEAR(summaries[0].low, 25.0, 1e-10);
  EXPECT_NEAR(summaries[0].median, 50.0, 1e-10);  // 0.1 + 0.4 reaches one half
  EXPECT_NEAR(summaries[0].high, 200.0, 1e-10);
  EXPECT_NEAR(summaries[1].mean, 3e-3, 1e-15);
  EXPECT_NEAR(summaries[1].sd, 0.0, 1e-15);
  EXPECT_NEAR(summaries[2].median, 0.5, 1e-11);
}

TEST(DrawRows, HaveAColumnPerName) {
  const MemberRecord record = four_draws();
  EXPECT_EQ(draw_column_names(record),
            (std::vector<std::string>{"log_phi_length", "log_phi_load", "length_scale_length", "length_scale_load",
                                      "nugget", "energy", "weight"}));
  const Matrix rows = draw_rows(record);
  ASSERT_EQ(rows.rows(), 4);
  ASSERT_EQ(rows.cols(), 7);
  EXPECT_EQ(rows.col(0), record.sample.positions.row(0).transpose());
  EXPECT_EQ(rows.col(1), record.sample.positions.row(1).transpose());
  EXPECT_NEAR(rows(1, 2), 25.0, 1e-12);
  EXPECT_NEAR(rows(3, 3), 3e-3, 1e-15);
  EXPECT_NEAR(rows(0, 4), 0.5, 1e-11);
  EXPECT_EQ(rows.col(5), record.sample.energies);
  EXPECT_EQ(rows.col(6), record.sample.weights);
}

// With the parameters of a Box-Cox transformation, at 0.5 and -0.25 in every draw.
MemberRecord four_transformed_draws() {
  MemberRecord record = four_draws();
  record.options.transform = "box-cox";
  record.transform = OutputTransform(TransformKind::box_cox, 1.0, -3.0, 6.0);
  record.sample.names = make_space(record).names();
  record.sample.positions.conservativeResize(5, Eigen::NoChange);
  record.sample.positions.row(3).setConstant(0.5);
  record.sample.positions.row(4).setConstant(-0.25);
  return record;
}

TEST(DrawRows, HaveParametersOfTheTransformation) {
  const MemberRecord record = four_transformed_draws();
  EXPECT_EQ(draw_column_names(record),
            (std::vector<std::string>{"log_phi_length", "log_phi_load", "length_scale_length", "length_scale_load",
                                      "nugget", "box_cox_log_shift", "box_cox_power", "energy", "weight"}));
  const Matrix rows = draw_rows(record);
  EXPECT_NEAR(rows(0, 4), 0.5, 1e-11);
  EXPECT_TRUE((rows.col(5).array() == 0.5).all());
  EXPECT_TRUE((rows.col(6).array() == -0.25).all());
  EXPECT_EQ(rows.col(8), record.sample.weights);
  const auto summaries = summarise_parameters(record);
  ASSERT_EQ(summaries.size(), 5u);
  EXPECT_EQ(summaries[4].name, "box_cox_power");
  EXPECT_NEAR(summaries[4].mean, -0.25, 1e-12);
  EXPECT_EQ(natural_point(record, record.sample.positions.col(0)).others[0].second, 0.5);
}

TEST(DrawRows, OfAnAverageHaveEveryModelsColumns) {
  const OutputRecord output{{four_draws(), four_transformed_draws()}, {0.5, 0.5}, Weighting::equal};
  const std::vector<std::string> columns = draw_column_names(output);
  EXPECT_EQ(columns, draw_column_names(output.members[1]));
  const Matrix plain = draw_rows(output.members[0], columns), whole = draw_rows(output.members[1], columns);
  EXPECT_EQ(whole, draw_rows(output.members[1]));
  EXPECT_TRUE(plain.col(5).array().isNaN().all());
  EXPECT_EQ(plain.col(8), output.members[0].sample.weights);
  EXPECT_EQ(plain.leftCols(5), whole.leftCols(5));
}

TEST(DrawRows, OfAFixedNuggetRepeatIt) {
  const MemberRecord record = test::small_fit({{"nugget", "fixed(1e-6)"}, {"samples", "60"}});
  const Matrix rows = draw_rows(record);
  ASSERT_EQ(rows.cols(), 7);
  EXPECT_EQ(rows.rows(), record.sample.size());
  EXPECT_TRUE((rows.col(4).array() == 1e-6).all());
  const Vector width = record.scaling.width();
  EXPECT_LT(((0.5 * rows.col(0)).array().exp() * width[0] - rows.col(2).array()).abs().maxCoeff(), 1e-10 * width[0]);
}

TEST(SampleSizes, OfWeightsAndOfChains) {
  MemberRecord record = four_draws();
  EXPECT_NEAR(sample_size(record).of_weights, 1.0 / (0.09 + 0.01 + 0.04 + 0.16), 1e-12);
  EXPECT_EQ(sample_size(record).of_chains, 0.0);
  record.diagnostics = {{"a", 900.0, 0, 0}, {"b", 400.0, 0, 0}, {"c", 700.0, 0, 0}};
  EXPECT_EQ(sample_size(record).of_chains, 400.0);
}

// ---- arrays for ArviZ ----

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
