// Length-scales without end: every correlation is one but for 1e-40, and K is of rank one but for the nugget.
// docs/math.md, section 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/likelihood_engine.hpp"
#include "unit/gp/long_likelihood.hpp"

namespace ta2s2 {
namespace {

constexpr double kLogShape = 0.7;

struct LongCase {
  Index n, p;
  std::string covariance, trend;
};

std::vector<LongCase> long_cases() {
  std::vector<LongCase> cases;
  for (const auto& covariance : covariance_examples()) {
    for (const char* trend : {"none", "constant"}) {
      for (const auto& [n, p] : {std::pair<Index, Index>{30, 1}, {40, 10}, {40, 40}}) {
        cases.push_back({n, p, covariance, trend});
      }
    }
  }
  return cases;
}

// All inputs alike, or all but the first inert, or anywhere in the widest box.
std::vector<Vector> long_positions(Index p) {
  std::vector<Vector> positions;
  for (const double log_phi : {10.0, 20.0, 35.0, 60.0, 100.0}) positions.push_back(Vector::Constant(p, log_phi));
  positions.push_back(Vector::Constant(p, 100.0));
  positions.back()[0] = 2.0;
  Stream stream({.seed = 5, .purpose = Purpose::start_point});
  Vector anywhere(p);
  for (Index d = 0; d < p; ++d) anywhere[d] = -7.0 + 107.0 * draw_uniform(stream);
  positions.push_back(anywhere);
  return positions;
}

// A pivot is what is left of 1 after up to n subtractions, each rounded by some u: its error is of order sqrt(n) u, and
// what is left is at least the nugget. A log likelihood adds n of these. The worst met is 1.3 times that.
double rounding_bound(Index n, double nugget) {
  return 3.0 * std::pow(static_cast<double>(n), 1.5) * 0x1p-53 / nugget + 1e-11;
}

TEST(LongLengthScales, LikelihoodIsThatOfLongDouble) {
  for (const LongCase& c : long_cases()) {
    const GpModel model = test::small_model(c.n, c.p, c.trend, c.covariance);
    for (const double nugget : {1e-12, 1e-9, 1e-6, 1e-3, 1.0}) {
      for (const Vector& z : long_positions(c.p)) {
        const GpParameters at{z.array().exp(), nugget, kLogShape};
        const auto K = test::long_correlations(model, at);
        const auto truth = static_cast<double>(test::long_log_likelihood(model, K, at));
        for (const InstructionSet path : supported_instruction_sets()) {
          SCOPED_TRACE(testing::Message()
                       << c.covariance << ' ' << c.trend << ' ' << c.p << ' ' << nugget << ' ' << z[0]);
          const auto engine = make_likelihood_engine(model, InformationOver::nothing, path);
          const LikelihoodPoint point{z.data(), nugget, kLogShape};
          PointLikelihood found;
          engine->evaluate({&point, 1}, *engine->make_workspace(), {&found, 1});
          ASSERT_EQ(found.reason, Impossible::no);
          EXPECT_NEAR(found.log_likelihood, truth, rounding_bound(c.n, nugget));
          if (nugget >= 1e-9) {
            EXPECT_NEAR(found.log_likelihood, truth, 1e-6 * std::abs(truth) + 1e-11);
          }
        }
      }
    }
  }
}

// The mutant of the test above: correlations that are wrong by a relative 1e-13.
TEST(LongLengthScales, ItsBoundSeesAnInaccurateCorrelation) {
  for (const double nugget : {1e-12, 1e-9, 1e-6}) {
    const GpModel model = test::small_model(40, 10);
    const GpParameters at{Vector::Constant(10, std::exp(20.0)), nugget};
    auto K = test::long_correlations(model, at);
    const auto truth = static_cast<double>(test::long_log_likelihood(model, K, at));
    for (Index j = 0; j < K.cols(); ++j) {
      for (Index i = 0; i < j; ++i) K(i, j) = K(j, i) *= 1.0L + 1e-13L * ((i + j) % 2 == 0 ? 1.0L : -1.0L);
    }
    EXPECT_GT(std::abs(static_cast<double>(test::long_log_likelihood(model, K, at)) - truth),
              rounding_bound(40, nugget));
  }
}

// Central differences of the likelihood in long double, whose own rounding divided by the step is 1e-6 at worst.
double long_slope(const GpModel& model, const Vector& z, Index d, double nugget) {
  const auto central = [&](long double step) {
    const auto at = [&](long double moved) {
      Vector w = z;
      w[d] += static_cast<double>(moved);
      const GpParameters there{w.array().exp(), nugget, kLogShape};
      return test::long_log_likelihood(model, test::long_correlations(model, there), there);
    };
    return (at(step) - at(-step)) / (2.0L * step);
  };
  const long double coarse = central(0.125L), middle = central(0.0625L), fine = central(0.03125L);
  const long double first = (4.0L * middle - coarse) / 3.0L, second = (4.0L * fine - middle) / 3.0L;
  return static_cast<double>((16.0L * second - first) / 15.0L);
}

// A slope of the likelihood is a sum over pairs of weights of order 1 / nugget times what is left of each correlation.
TEST(LongLengthScales, GradientIsThatOfLongDouble) {
  for (const LongCase& c : long_cases()) {
    const GpModel model = test::small_model(c.n, c.p, c.trend, c.covariance);
    for (const double nugget : {1e-12, 1e-6}) {
      for (const Vector& z : long_positions(c.p)) {
        SCOPED_TRACE(testing::Message() << c.covariance << ' ' << c.trend << ' ' << c.p << ' ' << nugget << ' '
                                        << z[0]);
        const GpParameters at{z.array().exp(), nugget, kLogShape};
        GpFactor factor;
        GradientScratch scratch;
        LikelihoodGradient found;
        ASSERT_EQ(factorise(model, at, factor), Impossible::no);
        log_likelihood_gradient(model, at, factor, scratch, found);
        ASSERT_TRUE(found.by_log_phi.allFinite() && std::isfinite(found.by_nugget));
        const double slope = long_slope(model, z, 0, nugget);
        EXPECT_NEAR(found.by_log_phi[0], slope, (rounding_bound(c.n, nugget) + 1e-5) * std::max(1.0, std::abs(slope)));
      }
    }
  }
}

// The same under the sparse prior: its t is e^-50 of the usual one and still has a logarithm.
TEST(LongLengthScales, TheTargetIsFiniteInEveryCorner) {
  const Index n = 40, p = 20;
  const Interval box{-7.0, 100.0};
  const auto names = test::input_names(p);
  const auto model = std::make_shared<const GpModel>(test::small_model(n, p));
  const GpTarget target(model, ParameterSpace::with_sampled_nugget(names, box),
                        make_length_scale_prior("sparse-jointly-robust", {n, 1, names, box}),
                        make_nugget_prior("log-uniform").prior, TemperingStart::posterior);
  Stream stream({.seed = 9, .purpose = Purpose::start_point});
  const auto workspace = target.make_workspace();
  for (int i = 0; i < 200; ++i) {
    Vector z(p + 1), gradient;
    const double share = i / 199.0;
    for (Index d = 0; d <= p; ++d) z[d] = (draw_uniform(stream) < share ? target.box()->high : target.box()->low)[d];
    Energy energy;
    target.energies(z, *workspace, {&energy, 1});
    ASSERT_TRUE(energy.possible() && std::isfinite(energy.total())) << z.transpose();
    ASSERT_TRUE(target.energy_and_gradient(z, *workspace, gradient).possible()) << z.transpose();
    ASSERT_TRUE(gradient.allFinite());
  }
}

// What a new run is predicted to give, against whitening in long double. sigma^2 is up to 1e12 times the variance of
// the runs, and c(x, x) as many times smaller than k(x, x): the errors are those of c beside the nugget.
struct LongPrediction {
  test::LongVector mean, scale;

  // `all` has the new points behind the runs.
  LongPrediction(const GpModel& all, const GpModel& model, const GpParameters& at) {
    const Index n = model.num_runs(), m = all.num_runs() - n;
    const test::LongMatrix K = test::long_correlations(all, at);
    test::LongMatrix own = K.topLeftCorner(n, n);
    own.diagonal().array() += static_cast<long double>(at.nugget);
    const Eigen::LLT<test::LongMatrix> factor(own);
    const auto L = factor.matrixL();
    const test::LongMatrix G = L.solve(test::LongMatrix(K.topRightCorner(n, m)));
    test::LongVector residual = L.solve(test::LongVector(model.y().cast<long double>()));
    test::LongVector c = (1.0L - G.colwise().squaredNorm().transpose().array()).matrix();
    mean = test::LongVector::Zero(m);
    if (model.num_trend_columns() == 1) {
      test::LongVector u = L.solve(test::LongVector::Ones(n).eval());
      const long double length = u.norm();
      u /= length;
      const test::LongVector gap = (1.0L / length - (G.transpose() * u).array()).matrix();
      c += gap.cwiseAbs2();
      const long double along = u.dot(residual);
      residual -= along * u;
      mean.setConstant(along / length);
    }
    mean += G.transpose() * residual;
    const auto df = static_cast<long double>(model.degrees_of_freedom());
    scale = (residual.squaredNorm() / df * (c.array() + static_cast<long double>(at.nugget))).sqrt().matrix();
  }
};

TEST(LongLengthScales, PredictionsAreThoseOfLongDouble) {
  const Index num_new = 10;
  for (const LongCase& c : long_cases()) {
    const GpModel all = test::small_model(c.n + num_new, c.p, c.trend, c.covariance), model = all.first_runs(c.n);
    for (const double nugget : {1e-12, 1e-9, 1e-6}) {
      for (const Vector& z : long_positions(c.p)) {
        SCOPED_TRACE(testing::Message() << c.covariance << ' ' << c.trend << ' ' << c.p << ' ' << nugget << ' '
                                        << z[0]);
        const GpParameters at{z.array().exp(), nugget, kLogShape};
        const LongPrediction truth(all, model, at);
        const ConditionalPredictor predictor(model, at);
        Vector mean, variance;
        predictor.predict(all.X().bottomRows(num_new), mean, variance);
        const double bound = std::max(rounding_bound(c.n, nugget), 1e-9);
        for (Index i = 0; i < num_new; ++i) {
          const auto scale = static_cast<double>(truth.scale[i]);
          const double df = static_cast<double>(model.degrees_of_freedom());
          EXPECT_NEAR(mean[i], static_cast<double>(truth.mean[i]), bound * scale);
          EXPECT_NEAR(std::sqrt(predictor.S2() / df * (variance[i] + nugget)), scale, bound * scale);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ta2s2
