// Every instruction path that this processor has, against long double and against the plain engine.
#include "ta2s2/gp/likelihood_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/gp/long_likelihood.hpp"

namespace ta2s2 {
namespace {

std::vector<PointLikelihood> evaluate(const LikelihoodEngine& engine, const std::vector<GpParameters>& points,
                                      std::size_t block) {
  const auto workspace = engine.make_workspace();
  std::vector<Vector> log_phi;
  for (const GpParameters& point : points) log_phi.push_back(point.phi.array().log());
  std::vector<LikelihoodPoint> asked;
  for (std::size_t i = 0; i < points.size(); ++i) asked.push_back({log_phi[i].data(), points[i].nugget});
  std::vector<PointLikelihood> out(points.size());
  for (std::size_t i = 0; i < points.size(); i += block) {
    const std::size_t count = std::min(block, points.size() - i);
    engine.evaluate(std::span<const LikelihoodPoint>(asked).subspan(i, count), *workspace,
                    std::span(out).subspan(i, count));
  }
  return out;
}

std::vector<PointLikelihood> evaluate_by_blocks(const LikelihoodEngine& engine,
                                                const std::vector<GpParameters>& points) {
  return evaluate(engine, points, static_cast<std::size_t>(engine.lanes()));
}

PointLikelihood evaluate_one(const GpModel& model, SimdPath path, const GpParameters& point,
                             InformationOver over = InformationOver::nothing) {
  return evaluate(*make_likelihood_engine(model, over, path), {point}, 1).front();
}

// Scattered over a box of log phi.
std::vector<GpParameters> scattered_parameters(Index count, Index p, Interval log_phi, double nugget) {
  Stream stream({.seed = 5, .purpose = Purpose::start_point});
  std::vector<GpParameters> points;
  for (Index i = 0; i < count; ++i) {
    GpParameters point{Vector(p), nugget};
    for (Index d = 0; d < p; ++d) point.phi[d] = std::exp(log_phi.low + log_phi.width() * draw_uniform(stream));
    points.push_back(point);
  }
  return points;
}

std::vector<SimdPath> fast_paths() {
  std::vector<SimdPath> paths = supported_simd_paths();
  paths.erase(paths.begin());  // plain
  return paths;
}

bool has_fused_multiply_add(SimdPath path) {
  return path == SimdPath::avx2 || path == SimdPath::avx512 || path == SimdPath::neon;
}

struct Size {
  Index n, p;
};
// Below, at and above every tile and panel height; the last is beyond the lanes.
const std::vector<Size> kSizes = {{7, 1}, {20, 2}, {33, 3}, {48, 2}, {61, 4}, {100, 3}, {163, 3}};

class EachPath : public testing::TestWithParam<SimdPath> {};

// At nugget 1e-6 every path keeps within 2e-8 of extended precision; ItsBoundsSeeAnInaccurateExponential says what that
// bound is worth.
TEST_P(EachPath, LikelihoodIsThatOfLongDouble) {
  for (const Size size : kSizes) {
    for (const auto& covariance : covariance_examples()) {
      for (const char* trend : {"none", "constant", "linear"}) {
        const GpModel model = test::small_model(size.n, size.p, trend, covariance);
        for (const GpParameters& point : scattered_parameters(2, size.p, {-3.0, 2.0}, 1e-6)) {
          const auto truth = static_cast<double>(
              test::long_log_likelihood(model, test::long_correlations(model, point), point.nugget));
          const PointLikelihood found = evaluate_one(model, GetParam(), point);
          ASSERT_EQ(found.reason, Impossible::no);
          EXPECT_NEAR(found.log_likelihood, truth, 2e-8) << size.n << " " << covariance << " " << trend;
        }
      }
    }
  }
}

// At 1e-12 no algorithm can do better than the floor; ours stay within a few times of it.
TEST_P(EachPath, StaysAtTheRoundingFloorOfASmallNugget) {
  for (const Size size : {Size{20, 2}, Size{61, 4}, Size{163, 3}}) {
    for (const auto& covariance : covariance_examples()) {
      const GpModel model = test::small_model(size.n, size.p, "constant", covariance);
      const GpParameters point = test::some_parameters(size.p, 1e-12);
      const test::LongMatrix K = test::long_correlations(model, point);
      const auto truth = test::long_log_likelihood(model, K, point.nugget);
      const double floor = static_cast<double>(test::rounding_floor(model, K, point.nugget));
      const PointLikelihood found = evaluate_one(model, GetParam(), point);
      ASSERT_EQ(found.reason, Impossible::no);
      EXPECT_NEAR(found.log_likelihood, static_cast<double>(truth), 10.0 * floor + 1e-11)
          << size.n << " " << covariance;
    }
  }
}

// The mutant of both tests: correlations that are wrong by a relative 1e-11.
TEST(LikelihoodEngine, ItsBoundsSeeAnInaccurateExponential) {
  const GpModel model = test::small_model(61, 4, "constant", "squared-exponential");
  for (const double nugget : {1e-6, 1e-12}) {
    const GpParameters point = test::some_parameters(4, nugget);
    test::LongMatrix K = test::long_correlations(model, point);
    const auto truth = test::long_log_likelihood(model, K, nugget);
    const double bound = nugget < 1e-9 ? static_cast<double>(10.0L * test::rounding_floor(model, K, nugget)) : 2e-8;
    for (Index j = 0; j < K.cols(); ++j) {
      for (Index i = 0; i < K.rows(); ++i) {
        if (i != j) K(i, j) *= 1.0L + 1e-11L * ((i + j) % 2 == 0 ? 1.0L : -1.0L);
      }
    }
    EXPECT_GT(std::abs(static_cast<double>(test::long_log_likelihood(model, K, nugget) - truth)), bound) << nugget;
  }
}

// A block in lanes and single matrices in panels give the same bits: an energy never depends on its neighbours.
TEST_P(EachPath, BlocksAndSinglePointsAgreeBitByBit) {
  for (const Size size : kSizes) {
    for (const auto& covariance : covariance_examples()) {
      for (const char* trend : {"none", "linear"}) {
        const GpModel model = test::small_model(size.n, size.p, trend, covariance);
        const auto engine = make_likelihood_engine(model, InformationOver::nothing, GetParam());
        const auto points = scattered_parameters(11, size.p, {-7.0, 7.0}, 1e-8);
        const auto together = evaluate_by_blocks(*engine, points);
        const auto apart = evaluate(*engine, points, 1);
        for (std::size_t i = 0; i < points.size(); ++i) {
          EXPECT_EQ(together[i].log_likelihood, apart[i].log_likelihood) << size.n << " " << covariance << " " << trend;
          EXPECT_EQ(together[i].reason, apart[i].reason);
        }
      }
    }
  }
}

// Rounding is the same wherever products are fused: a fit on one such processor is repeated on another to the bit.
TEST_P(EachPath, PathsWithFusedMultiplyAddAgreeBitByBit) {
  if (!has_fused_multiply_add(GetParam())) GTEST_SKIP() << "no fused multiply-add";
  for (const Size size : kSizes) {
    const GpModel model = test::small_model(size.n, size.p, "linear", "matern52");
    for (const GpParameters& point : scattered_parameters(3, size.p, {-7.0, 7.0}, 1e-8)) {
      EXPECT_EQ(evaluate_one(model, GetParam(), point).log_likelihood,
                evaluate_one(model, best_simd_path(), point).log_likelihood);
    }
  }
}

// Equal runs and no nugget: a pivot that is zero but for rounding.
TEST_P(EachPath, SeesASingularMatrix) {
  for (const Size size : {Size{12, 2}, Size{40, 2}, Size{163, 3}}) {
    Matrix X = test::scattered_points(size.n, size.p);
    X.row(size.n - 1) = X.row(2);
    X.row(size.n - 2) = X.row(2);
    const GpModel model(X, test::smooth_output(X), Trend("constant", test::input_names(size.p)),
                        make_covariance("squared-exponential"));
    GpParameters point = test::some_parameters(size.p, 0.0);
    point.phi.setConstant(50.0);
    EXPECT_EQ(evaluate_one(model, SimdPath::plain, point).reason, Impossible::not_positive_definite);
    EXPECT_EQ(evaluate_one(model, GetParam(), point).reason, Impossible::not_positive_definite);
    point.nugget = 1e-6;
    EXPECT_EQ(evaluate_one(model, GetParam(), point).reason, Impossible::no);
  }
}

TEST_P(EachPath, PaperExponentLeavesConstantsOut) {
  const GpModel model = test::small_model(20, 3, "none", "squared-exponential", Exponent::paper);
  const GpParameters point = test::some_parameters(3);
  EXPECT_NEAR(evaluate_one(model, GetParam(), point).log_likelihood,
              evaluate_one(model, SimdPath::plain, point).log_likelihood, 1e-10);
}

// The information in its fast form against the orthogonalisation of the plain one. Where an input's derivative has
// vanished (short length-scales), both agree that there is next to none; where the volume is thin, the fast form hands
// over to the plain one. Nugget 1e-4: condition below 1e6, ten digits of each product remain.
TEST_P(EachPath, InformationIsThatOfThePlainForm) {
  for (const InformationOver over : {InformationOver::length_scales, InformationOver::length_scales_and_nugget}) {
    for (const Size size : {Size{12, 1}, Size{20, 2}, Size{49, 3}, Size{75, 4}}) {
      for (const auto& covariance : covariance_examples()) {
        for (const char* trend : {"none", "constant", "linear"}) {
          const GpModel model = test::small_model(size.n, size.p, trend, covariance);
          for (const GpParameters& point : scattered_parameters(3, size.p, {-5.0, 5.0}, 1e-4)) {
            const double plain = evaluate_one(model, SimdPath::plain, point, over).log_information_root;
            EXPECT_NEAR(evaluate_one(model, GetParam(), point, over).log_information_root, plain,
                        1e-8 * (1.0 + std::abs(plain)))
                << size.n << " " << covariance << " " << trend << " " << point.phi.transpose();
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(List, EachPath, testing::ValuesIn(fast_paths()),
                         [](const auto& path) { return simd_path_name(path.param); });

}  // namespace
}  // namespace ta2s2
