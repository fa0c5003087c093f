#include "ta2s2/gp/output_transform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/simd/output_routines.hpp"
#include "unit/gp/long_likelihood.hpp"

namespace ta2s2 {
namespace {

// A tail on the right, both signs.
const Vector kSkewed{{-1.1, -0.9, -0.8, -0.5, -0.2, 0.1, 0.4, 1.2, 2.9}};

// The logarithm's zero is below all outputs.
OutputTransform transform_of(const std::string& name, const Vector& y = kSkewed) {
  return OutputTransform::from(name, y, y.minCoeff() - 0.3);
}

// Corners and middles of the boxes, and the powers at which box-cox is a logarithm or the identity.
std::vector<Vector> parameters_of(const OutputTransform& transform) {
  if (transform.num_parameters() == 0) return {Vector()};
  std::vector<Vector> points;
  const Interval first = transform.coordinates()[0].box, second = transform.coordinates()[1].box;
  for (const double a : {first.low, -0.4, 0.0, 0.3, first.high}) {
    for (const double b : {second.low, -0.5, 0.0, 1e-9, -1e-4, 0.2, 1.0, second.high}) points.push_back(Vector{{a, b}});
  }
  return points;
}

class EachTransform : public testing::TestWithParam<std::string> {
 protected:
  // What the outputs and their mirror images give: the long tail is on either side.
  std::vector<std::pair<OutputTransform, Vector>> cases() const {
    return {{transform_of(GetParam()), kSkewed}, {mirrored(), -kSkewed}};
  }

  OutputTransform mirrored() const { return OutputTransform::from(GetParam(), -kSkewed, -kSkewed.minCoeff() + 0.3); }
};

// With v or cosh w a few roundings from the truth, and g and its slope as many times as far as they grow.
TEST_P(EachTransform, IsThatOfLongDouble) {
  for (const auto& [transform, y] : cases()) {
    for (const Vector& parameters : parameters_of(transform)) {
      for (const double output : y) {
        const auto truth = test::long_image(transform, output, parameters);
        const auto found = transform.at(output, parameters.data());
        const auto value = static_cast<double>(truth.value);
        EXPECT_NEAR(found.value, value, 4e-15 * (10.0 + std::abs(value))) << output << " " << parameters.transpose();
        EXPECT_NEAR(found.log_slope, static_cast<double>(std::log(truth.slope)), 1e-13)
            << output << " " << parameters.transpose();
      }
    }
  }
}

TEST_P(EachTransform, RisesAndItsSlopeIsTheDerivative) {
  for (const auto& [transform, y] : cases()) {
    for (const Vector& parameters : parameters_of(transform)) {
      for (const double output : y) {
        // Inside the domain, which box-cox leaves by e^-7 ranges below the least output.
        const double h = 1e-5;
        const long double above = test::long_image(transform, output + h, parameters).value;
        const long double below = test::long_image(transform, output - h, parameters).value;
        const auto slope = static_cast<double>((above - below) / (static_cast<long double>(output + h) - (output - h)));
        // h^2 / 6 times the third derivative: of v^(lambda - 1) at v = e^-7 that is 3.5 * 4.5 e^14 / range^2 of it.
        EXPECT_GT(slope, 0.0);
        EXPECT_NEAR(std::exp(transform.at(output, parameters.data()).log_slope) / slope, 1.0, 5e-4)
            << output << " " << parameters.transpose();
      }
    }
  }
}

// Against central differences in long double with steps of 2^-12, extrapolated once: errors of order 2^-48.
TEST_P(EachTransform, DerivativesAreThoseOfLongDouble) {
  for (const auto& [transform, y] : cases()) {
    for (const Vector& parameters : parameters_of(transform)) {
      for (const double output : y) {
        const auto found = transform.derivatives(output, parameters.data());
        for (Index k = 0; k < parameters.size(); ++k) {
          const auto moved = [&, &own = transform](double step) {
            Vector there = parameters;
            there[k] += step;
            const auto image = test::long_image(own, output, there);
            return std::pair<long double, long double>(image.value, std::log(image.slope));
          };
          const auto central = [&](double step) {
            const auto above = moved(step), below = moved(-step);
            const long double width = static_cast<long double>(parameters[k] + step) - (parameters[k] - step);
            return std::pair<long double, long double>((above.first - below.first) / width,
                                                       (above.second - below.second) / width);
          };
          const auto coarse = central(0x1p-11), fine = central(0x1p-12);
          const auto value = static_cast<double>((4.0L * fine.first - coarse.first) / 3.0L);
          const auto log_slope = static_cast<double>((4.0L * fine.second - coarse.second) / 3.0L);
          EXPECT_NEAR(found.value[k], value, 1e-10 * (1.0 + std::abs(value)))
              << output << " " << parameters.transpose();
          EXPECT_NEAR(found.log_slope[k], log_slope, 1e-10 * (1.0 + std::abs(log_slope)))
              << output << " " << parameters.transpose();
        }
      }
    }
  }
}

// What g and its inverse round, seen in y: g' is at least e^-11 here (a power of -1.5 of 55 ranges), and g up to e^11
// where it is steep.
TEST_P(EachTransform, InverseFindsTheOutput) {
  for (const auto& [transform, y] : cases()) {
    for (const Vector& parameters : parameters_of(transform)) {
      for (const double output : y) {
        const auto image = transform.at(output, parameters.data());
        const double rounding = 1e-15 * (1.0 + std::abs(image.value)) / std::exp(image.log_slope);
        EXPECT_NEAR(transform.inverse(image.value, parameters.data()), output, 1e-13 + 20.0 * rounding)
            << parameters.transpose();
      }
    }
  }
}

// Where the long tail is on the left, box-cox bends the other way: g of -y is -g of y.
TEST_P(EachTransform, IsMirroredWithTheOutputs) {
  const OutputTransform transform = transform_of(GetParam());
  for (const Vector& parameters : parameters_of(transform)) {
    Vector opposite = parameters;
    if (transform.kind() == TransformKind::sinh_arcsinh) opposite[1] *= -1.0;
    for (const double output : kSkewed) {
      const auto here = transform.at(output, parameters.data()), there = mirrored().at(-output, opposite.data());
      EXPECT_NEAR(there.value, -here.value, 1e-14 * (1.0 + std::abs(here.value)));
      EXPECT_NEAR(there.log_slope, here.log_slope, 1e-13);
    }
  }
}

// Outputs a + b y have another u only by rounding; with a standardised y a unit falls out of everything else.
TEST_P(EachTransform, DoesNotDependOnTheUnit) {
  const Vector moved = 3.7 + 250.0 * kSkewed.array();
  const OutputTransform here = transform_of(GetParam());
  const OutputTransform there = OutputTransform::from(GetParam(), moved, 3.7 + 250.0 * (kSkewed.minCoeff() - 0.3));
  if (GetParam() == "none" || GetParam() == "log") return;  // affine themselves, but for a constant
  for (Index i = 0; i < kSkewed.size(); ++i) {
    EXPECT_NEAR(there.reduced(moved[i]), here.reduced(kSkewed[i]), 1e-13);
    for (const Vector& parameters : parameters_of(here)) {
      EXPECT_NEAR(there.at(moved[i], parameters.data()).log_slope,
                  here.at(kSkewed[i], parameters.data()).log_slope - std::log(250.0), 1e-9);
    }
  }
}

TEST_P(EachTransform, IsMadeAgainFromItsConstants) {
  const OutputTransform found = transform_of(GetParam());
  const OutputTransform again(found.kind(), found.sign(), found.origin(), found.scale());
  EXPECT_EQ(again.name(), GetParam());
  const Vector parameters = parameters_of(found).front();
  EXPECT_EQ(again.at(0.3, parameters.data()).value, found.at(0.3, parameters.data()).value);
  EXPECT_EQ(found.num_parameters(), GetParam() == "none" || GetParam() == "log" ? 0 : 2);
  EXPECT_LE(found.num_parameters(), OutputTransform::kMostParameters);
}

INSTANTIATE_TEST_SUITE_P(List, EachTransform, testing::ValuesIn(transform_names()), [](const auto& name) {
  return name.param == "box-cox"        ? std::string("box_cox")
         : name.param == "sinh-arcsinh" ? std::string("sinh_arcsinh")
                                        : name.param;
});

TEST(OutputTransform, IsTheIdentityWhereItSaysSo) {
  const OutputTransform box_cox = transform_of("box-cox"), plain = transform_of("none");
  EXPECT_EQ(plain.at(1.7, nullptr).value, 1.7);
  EXPECT_EQ(plain.at(1.7, nullptr).log_slope, 0.0);
  for (const double y : kSkewed) {
    const Vector line{{0.5, 1.0}};
    EXPECT_NEAR(box_cox.at(y, line.data()).value, box_cox.reduced(y) + std::exp(0.5) - 1.0, 1e-14);
    EXPECT_NEAR(box_cox.at(y, line.data()).log_slope, -std::log(box_cox.scale()), 1e-15);
    const OutputTransform sinh = transform_of("sinh-arcsinh");
    EXPECT_NEAR(sinh.at(y, Vector::Zero(2).eval().data()).value, sinh.reduced(y), 1e-14);
  }
}

TEST(OutputTransform, TakesItsConstantsFromTheRuns) {
  const OutputTransform right = transform_of("box-cox"), left = transform_of("box-cox", -kSkewed);
  EXPECT_EQ(right.sign(), 1.0);
  EXPECT_EQ(right.origin(), -1.1);
  EXPECT_EQ(right.scale(), 4.0);
  EXPECT_EQ(left.sign(), -1.0);
  EXPECT_EQ(left.origin(), -1.1);
  EXPECT_EQ(left.reduced(-2.9), 1.0);
  const OutputTransform sinh = transform_of("sinh-arcsinh");
  EXPECT_EQ(sinh.origin(), -0.2);                         // the median
  EXPECT_NEAR(sinh.scale(), (0.4 + 0.8) / 1.349, 1e-15);  // between quartiles
  EXPECT_EQ(transform_of("sinh-arcsinh", Vector{{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0}}).scale(), 0.2);
}

TEST(OutputTransform, LogarithmTakesOutputsOfEitherSign) {
  const Vector one_side{{0.5, 1.0, 4.0}};
  const auto above = OutputTransform::from("log", one_side, 0.25), below = OutputTransform::from("log", one_side, 4.5);
  EXPECT_NEAR(above.at(1.0, nullptr).value, std::log(0.75), 1e-15);
  EXPECT_NEAR(below.at(1.0, nullptr).value, -std::log(3.5), 1e-15);
  EXPECT_NEAR(below.at(1.0, nullptr).log_slope, -std::log(3.5), 1e-15);
  for (const double zero : {1.0, 0.5, 4.0, 2.0}) {
    try {
      OutputTransform::from("log", one_side, zero);
      FAIL() << zero;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_data);
      EXPECT_THAT(error.what(), testing::HasSubstr("outputs of one sign"));
    }
  }
}

TEST(OutputTransform, HasNoFiniteImageBeyondItsDomain) {
  const OutputTransform box_cox = transform_of("box-cox"), log = transform_of("log");
  const Vector parameters{{-3.0, 0.5}};
  const double end = box_cox.origin() - box_cox.scale() * std::exp(-3.0);
  EXPECT_FALSE(std::isfinite(box_cox.at(end - 0.1, parameters.data()).log_slope));
  EXPECT_TRUE(std::isfinite(box_cox.at(end + 0.1, parameters.data()).log_slope));
  EXPECT_FALSE(std::isfinite(log.at(log.origin() - 0.1, nullptr).value));
  EXPECT_FALSE(std::isfinite(log.at(log.origin(), nullptr).log_slope));
}

// Beyond what g reaches: the end of the domain where a positive power bounds g from below, infinite where a negative
// one bounds it from above; mirrored with the outputs.
TEST(OutputTransform, InverseEndsWithTheDomain) {
  for (const double sign : {1.0, -1.0}) {
    const OutputTransform t(TransformKind::box_cox, sign, -1.1, 4.0);
    const Vector root{{-3.0, 0.5}}, reciprocal{{-3.0, -1.0}}, logarithm{{-3.0, 0.0}};
    const double end = sign * (-1.1 - 4.0 * std::exp(-3.0));
    EXPECT_NEAR(t.inverse(sign * -2.5, root.data()), end, 1e-15);
    EXPECT_NEAR(t.inverse(sign * (-2.0 + 1e-12), root.data()), end, 1e-15);
    EXPECT_EQ(t.inverse(sign * 1.5, reciprocal.data()), sign * kInfinity);
    EXPECT_TRUE(std::isfinite(t.inverse(sign * 0.999, reciprocal.data())));
    EXPECT_NEAR(t.inverse(sign * -800.0, logarithm.data()), end, 1e-15);
    EXPECT_EQ(t.inverse(sign * 800.0, logarithm.data()), sign * kInfinity);
  }
}

TEST(OutputTransform, RefusesWhatItDoesNotKnow) {
  const auto code = [](auto make) {
    try {
      make();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code([] { transform_of("boxcox"); }), ErrorCode::usage);
  for (const auto& [sign, origin, scale] :
       {std::tuple{0.5, 0.0, 1.0}, {1.0, NAN, 1.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, -2.0}, {-1.0, 0.0, kInfinity}}) {
    EXPECT_EQ(code([&, s = sign, o = origin, w = scale] { OutputTransform(TransformKind::box_cox, s, o, w); }),
              ErrorCode::bad_data);
  }
  const Matrix X = test::scattered_points(12, 2);
  const Vector y = test::smooth_output(X);
  for (const char* name : {"box-cox", "sinh-arcsinh", "log"}) {
    EXPECT_EQ(code([&] {
                GpModel(X, y, Trend("none", {"a", "b"}), make_covariance("matern52"), Exponent::model, TrendPrior::flat,
                        transform_of(name, y));
              }),
              ErrorCode::usage);
  }
}

}  // namespace
}  // namespace ta2s2
