#include "ta2s2/design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/data/caught_error.hpp"

namespace ta2s2 {
namespace {

using test::expect_parts;
using test::message_of;

double smallest_distance(const Matrix& design) {
  double smallest = 1e300;
  for (Index a = 0; a < design.rows(); ++a) {
    for (Index b = 0; b < a; ++b) smallest = std::min(smallest, (design.row(a) - design.row(b)).norm());
  }
  return smallest;
}

// In every column each of n equal strata holds one point.
void expect_latin(const Matrix& design) {
  for (Index input = 0; input < design.cols(); ++input) {
    std::vector<int> count(static_cast<std::size_t>(design.rows()), 0);
    for (Index run = 0; run < design.rows(); ++run) {
      const double place = design(run, input) * static_cast<double>(design.rows());
      ASSERT_GE(place, 0.0);
      ASSERT_LT(place, static_cast<double>(design.rows()));
      ++count[static_cast<std::size_t>(place)];
    }
    EXPECT_EQ(std::count(count.begin(), count.end(), 1), design.rows()) << "column " << input;
  }
}

TEST(Design, LatinHypercubesAreLatin) {
  for (const DesignKind kind : {DesignKind::random, DesignKind::maximin}) {
    for (const Index runs : {1, 2, 3, 7, 50}) {
      for (const Index inputs : {1, 2, 5}) {
        const Matrix design = make_design({.inputs = inputs, .runs = runs, .kind = kind, .seed = 3});
        ASSERT_EQ(design.rows(), runs);
        ASSERT_EQ(design.cols(), inputs);
        expect_latin(design);
      }
    }
  }
}

TEST(Design, RandomPointsAreAnywhereInTheirStrata) {
  // Places inside the strata are uniform: their mean is 1/2 within 4 sd, sd = sqrt(1/12 / 2000).
  const Matrix design = make_design({.inputs = 2, .runs = 1000, .kind = DesignKind::random, .seed = 4});
  const Eigen::ArrayXXd place = design.array() * 1000.0;
  const Eigen::ArrayXXd inside = place - place.floor();
  EXPECT_NEAR(inside.mean(), 0.5, 4.0 * std::sqrt(1.0 / 12.0 / 2000.0));
  EXPECT_LT(inside.minCoeff(), 0.01);
  EXPECT_GT(inside.maxCoeff(), 0.99);
}

TEST(Design, RandomColumnsAreIndependent) {
  // The correlation of two random orders of n has sd 1 / sqrt(n - 1).
  const Matrix design = make_design({.inputs = 2, .runs = 1000, .kind = DesignKind::random, .seed = 5});
  const Vector a = design.col(0).array() - 0.5, b = design.col(1).array() - 0.5;
  EXPECT_LT(std::abs(a.dot(b)) / (a.norm() * b.norm()), 4.0 / std::sqrt(999.0));
}

TEST(Design, MaximinIsFarBetterThanRandom) {
  for (const auto& [runs, inputs] : {std::pair<Index, Index>{20, 2}, {50, 5}}) {
    std::vector<double> random;
    for (std::uint64_t seed = 0; seed < 51; ++seed)
      random.push_back(
          smallest_distance(make_design({.inputs = inputs, .runs = runs, .kind = DesignKind::random, .seed = seed})));
    std::sort(random.begin(), random.end());
    const double maximin = smallest_distance(make_design({.inputs = inputs, .runs = runs}));
    EXPECT_GT(maximin, 2.0 * random[25]);
    EXPECT_GT(maximin, random.back());
  }
}

TEST(Design, MaximinIsNearTheBestKnown) {
  // Best known maximin Latin hypercubes of 2 inputs (van Dam, Husslage, den Hertog, Melissen 2007): squared
  // distances 10 for 10 runs and 18 for 20, in units of a stratum. We accept 90% of the distance.
  for (const auto& [runs, squared] : {std::pair<Index, double>{10, 10.0}, {20, 18.0}}) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const Matrix design = make_design({.inputs = 2, .runs = runs, .kind = DesignKind::maximin, .seed = seed});
      const double distance = smallest_distance(design) * static_cast<double>(runs);
      EXPECT_GE(distance, 0.9 * std::sqrt(squared));
      EXPECT_LE(distance, std::sqrt(squared) + 1e-9);
    }
  }
}

TEST(Design, SobolFillsTheCubeEvenly) {
  // A shift moves each coordinate of 2^k points by the same amount: one of each in every stratum of width
  // 2^-k.
  const Matrix design = make_design({.inputs = 8, .runs = 256, .kind = DesignKind::sobol, .seed = 6});
  for (Index input = 0; input < 8; ++input) {
    Vector sorted = design.col(input);
    std::sort(sorted.data(), sorted.data() + sorted.size());
    EXPECT_GT(sorted[0], 0.0);
    EXPECT_LT(sorted[255], 1.0);
    for (Index i = 1; i < 256; ++i) EXPECT_NEAR(sorted[i] - sorted[i - 1], 1.0 / 256.0, 1e-15);
  }
}

TEST(Design, SobolPairsFillTheSquareEvenly) {
  // The first two inputs are a (0, 8, 2)-net: with the shift undone (the first point is at 0), each cell of a
  // 16 x 16 grid holds one of 256 points. Coordinates are multiples of 1/256 up to rounding, hence the 1e-9.
  const Matrix design = make_design({.inputs = 2, .runs = 256, .kind = DesignKind::sobol, .seed = 6});
  Eigen::MatrixXi count = Eigen::MatrixXi::Zero(16, 16);
  for (Index run = 0; run < 256; ++run) {
    Eigen::Array2d point = (design.row(run) - design.row(0)).transpose().array() + 1e-9;
    point -= point.floor();
    ++count(static_cast<Index>(16.0 * point[0]), static_cast<Index>(16.0 * point[1]));
  }
  EXPECT_EQ(count, Eigen::MatrixXi::Ones(16, 16));
}

TEST(Design, SobolHasPublishedPoints) {
  // Differences to the first point undo the shift: the unshifted sequence is (0, 0), (1/2, 1/2), (3/4, 1/4),
  // (1/4, 3/4), (3/8, 3/8), (7/8, 7/8) (Joe and Kuo 2008, in Gray code order).
  const Matrix design = make_design({.inputs = 2, .runs = 6, .kind = DesignKind::sobol, .seed = 7});
  const Matrix expected =
      (Matrix(6, 2) << 0, 0, 0.5, 0.5, 0.75, 0.25, 0.25, 0.75, 0.375, 0.375, 0.875, 0.875).finished();
  for (Index run = 0; run < 6; ++run) {
    for (Index input = 0; input < 2; ++input) {
      const double shifted = design(run, input) - design(0, input);
      EXPECT_NEAR(shifted < 0.0 ? shifted + 1.0 : shifted, expected(run, input), 1e-15);
    }
  }
}

TEST(Design, TheSeedDecides) {
  for (const DesignKind kind : {DesignKind::maximin, DesignKind::random, DesignKind::sobol}) {
    const DesignOptions options{.inputs = 3, .runs = 12, .kind = kind, .seed = 8};
    DesignOptions other = options;
    other.seed = 9;
    EXPECT_EQ(make_design(options), make_design(options));
    EXPECT_NE(make_design(options), make_design(other));
  }
}

TEST(Design, BadSizes) {
  expect_parts(message_of(ErrorCode::usage, [] { make_design({.inputs = 0, .runs = 5}); }),
               {"0 inputs", "at least one"});
  expect_parts(message_of(ErrorCode::usage, [] { make_design({.inputs = 2, .runs = -1}); }), {"-1 runs"});
  expect_parts(
      message_of(ErrorCode::usage, [] { make_design({.inputs = 100000, .runs = 2, .kind = DesignKind::sobol}); }),
      {"100000 inputs", "at most 3667"});
}

TEST(ToRanges, MapsEachColumn) {
  const Matrix unit = (Matrix(3, 2) << 0, 1, 0.5, 0.25, 1, 0).finished();
  const Matrix points = to_ranges(unit, {{"a", -2, 2}, {"b", 1e12, 3e12}});
  EXPECT_EQ(points, (Matrix(3, 2) << -2, 3e12, 0, 1.5e12, 2, 1e12).finished());
  message_of(ErrorCode::usage, [&] { to_ranges(unit, {{"a", 0, 1}}); });
}

TEST(ToRanges, ALogScaleIsFilledEvenlyInTheLogarithm) {
  const Matrix unit = (Matrix(3, 1) << 0, 0.5, 1).finished();
  const Matrix points = to_ranges(unit, {{"k", 1e-2, 1e2, InputScale::log}});
  EXPECT_DOUBLE_EQ(points(0, 0), 1e-2);
  EXPECT_NEAR(points(1, 0), 1.0, 1e-14);
  EXPECT_DOUBLE_EQ(points(2, 0), 1e2);
  message_of(ErrorCode::bad_data, [&] { to_ranges(unit, {{"k", 0, 1, InputScale::log}}); });
}

TEST(ToRanges, StaysInside) {
  const Matrix unit = make_design({.inputs = 1, .runs = 1000, .kind = DesignKind::random, .seed = 2});
  const InputRange narrow{"a", 0.1, std::nextafter(0.1, 1.0)};
  const Matrix points = to_ranges(unit, {narrow});
  EXPECT_GE(points.minCoeff(), narrow.low);
  EXPECT_LE(points.maxCoeff(), narrow.high);
}

}  // namespace
}  // namespace ta2s2
