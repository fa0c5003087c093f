#include "ta2s2/workflow/gp_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/data/caught_error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

OutputRuns with_outputs(const OutputRuns& data, const Vector& output) {
  return OutputRuns(data.inputs(), output, data.input_names(), data.output_name());
}

FitOptions transformed(const std::string& name) {
  return test::small_options({{"transform", name}});
}

TEST(FindTransform, KnowsWhereTheUsersZeroIs) {
  const OutputRuns data = test::small_runs();
  const Scaling scaling = Scaling::from(data);
  const OutputTransform log = find_transform(data, scaling, transformed("log"));
  const double unused = 0.0;
  // log of the user's output up to a constant, so that equal ratios are equal steps.
  const auto at = [&](double y) { return log.at(scaling.to_standard(Vector::Constant(1, y))[0], &unused).value; };
  EXPECT_NEAR(at(40.0) - at(20.0), std::log(2.0), 1e-9);
  EXPECT_NEAR(at(4e-3) - at(2e-3), std::log(2.0), 1e-6);
}

TEST(FindTransform, NamesTheOutputThatHasNoLogarithm) {
  const OutputRuns data = test::small_runs();
  const OutputRuns both = with_outputs(data, data.output().array() - data.output().mean());
  const std::string message =
      test::message_of(ErrorCode::bad_data, [&] { find_transform(both, Scaling::from(both), transformed("log")); });
  test::expect_parts(message, {"weight", "--transform log", "zero"});
}

// Runs that are added may lie a little below the least output, where every shift still gives them a density.
TEST(HoldsOutputs, UpToTheLeastShift) {
  const OutputRuns data = test::small_runs();
  const Scaling scaling = Scaling::from(data);
  const Vector& y = data.output();
  const double range = y.maxCoeff() - y.minCoeff();
  const OutputTransform box_cox = find_transform(data, scaling, transformed("box-cox"));
  EXPECT_TRUE(holds_outputs(box_cox, scaling, y));
  const auto holds_beyond = [&](double ranges) {
    const double end = box_cox.sign() > 0.0 ? y.minCoeff() : y.maxCoeff();
    return holds_outputs(box_cox, scaling, Vector::Constant(1, end - box_cox.sign() * ranges * range));
  };
  EXPECT_TRUE(holds_beyond(0.9 * std::exp(-7.0)));
  EXPECT_FALSE(holds_beyond(1.1 * std::exp(-7.0)));
  EXPECT_TRUE(holds_beyond(-5.0));  // the long tail has no end
  for (const char* name : {"none", "sinh-arcsinh"}) {
    EXPECT_TRUE(holds_outputs(find_transform(data, scaling, transformed(name)), scaling, 100.0 * y)) << name;
  }
  const OutputTransform log = find_transform(data, scaling, transformed("log"));
  EXPECT_TRUE(holds_outputs(log, scaling, Vector::Constant(1, 1e-9)));
  EXPECT_FALSE(holds_outputs(log, scaling, Vector::Constant(1, -1e-9)));
}

TEST(MakeSpace, EndsWithTheTransformationsCoordinates) {
  const OutputRuns data = test::small_runs();
  const FitOptions options = transformed("sinh-arcsinh");
  const OutputTransform transform = find_transform(data, Scaling::from(data), options);
  const ParameterSpace space = make_space(data, options, transform);
  EXPECT_EQ(space.names(), (std::vector<std::string>{"log_phi_length", "log_phi_load", "z_nugget",
                                                     "sinh_arcsinh_log_tail", "sinh_arcsinh_skew"}));
}

TEST(ConstantsOf, AreThoseOfTheFirstFit) {
  MemberRecord record = test::small_fit({{"fast", "true"}});
  EXPECT_TRUE(record.transform.is_none());
  record.transform = OutputTransform(TransformKind::box_cox, -1.0, 2.0, 3.0);
  record.prior_runs = 9;
  const ModelConstants constants = constants_of(record);
  EXPECT_EQ(constants.transform.origin(), 2.0);
  EXPECT_EQ(constants.prior_runs, 9);
  EXPECT_EQ(constants.scaling.output_sd(), record.scaling.output_sd());
  EXPECT_EQ(make_model(record)->transform().scale(), 3.0);
}

}  // namespace
}  // namespace ta2s2
