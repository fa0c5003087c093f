// The correlations of docs/math.md, section 1 against mpmath with 50 digits (tools/make_golden/correlations.py).
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_model.hpp"
#include "ta2s2/gp/covariance.hpp"

namespace ta2s2 {
namespace {

using golden::Json;

// k = f exp(-s), s and f sums over three inputs of terms that are right to a few rounding units u: a distance
// (1), its square or power (2), a quotient (1), the sum and the exponential (3), and the Matern polynomials f
// (4). So k is right to about (8 + 8 s) u relative, s <= -log k + log f; 16 (1 - log k) u is twice that. A rational
// quadratic's exponent is shape log1p(x): a logarithm (2) and products (2) more, and no more than -log k.
double correlation_tolerance(double k) {
  return 16.0 * golden::kRoundingUnit * (1.0 - std::log(k)) * k;
}

class Correlations : public testing::Test {
 protected:
  const Json document = golden::load("correlations.json");
  const Matrix X = golden::to_matrix(document.at("X"));
  const Vector phi = golden::to_vector(document.at("phi"));
};

TEST_F(Correlations, EqualExtendedPrecision) {
  for (const Json& item : document.at("matrices")) {
    SCOPED_TRACE(item.at("correlation").get<std::string>());
    const Matrix truth = golden::to_matrix(item.at("K"));
    const auto covariance = make_covariance(item.at("correlation"));
    const GpParameters at{phi, 0.0, golden::log_shape_of(item)};
    Matrix K, T;
    covariance->fill(X, at, K);
    covariance->fill_cross(X, X, at, T);
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < X.rows(); ++j) {
        EXPECT_NEAR(K(i, j), truth(i, j), correlation_tolerance(truth(i, j))) << i << ' ' << j;
        EXPECT_NEAR(T(i, j), truth(i, j), correlation_tolerance(truth(i, j))) << i << ' ' << j;
      }
    }
  }
}

TEST_F(Correlations, EveryNameIsCompared) {
  for (const std::string& example : covariance_examples()) {
    const std::string name = example.substr(0, example.find('('));
    bool found = false;
    for (const Json& item : document.at("matrices")) {
      found = found || item.at("correlation").get<std::string>().starts_with(name);
    }
    EXPECT_TRUE(found) << example;
  }
}

// The mutants: phi taken for the length-scale itself, a lost factor 1/2, and a thirteenth digit changed; another shape.
TEST_F(Correlations, ComparisonCanFail) {
  const auto distance = [&](const Matrix& a, const Json& item) {
    double worst = 0.0;
    const Matrix truth = golden::to_matrix(item.at("K"));
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < i; ++j) {
        worst = std::max(worst, std::abs(a(i, j) - truth(i, j)) / correlation_tolerance(truth(i, j)));
      }
    }
    return worst;
  };
  for (const Json& item : document.at("matrices")) {
    SCOPED_TRACE(item.at("correlation").get<std::string>());
    const auto covariance = make_covariance(item.at("correlation"));
    Matrix K;
    for (const Vector& wrong : {Vector(phi.cwiseAbs2()), Vector(2.0 * phi), Vector((1.0 + 1e-13) * phi)}) {
      covariance->fill(X, GpParameters{wrong, 0.0, golden::log_shape_of(item)}, K);
      EXPECT_GT(distance(K, item), 1.0);
    }
    covariance->fill(X, GpParameters{phi, 0.0, golden::log_shape_of(item) + 1e-12}, K);
    EXPECT_EQ(distance(K, item) > 1.0, covariance->shape().has_value());
  }
}

}  // namespace
}  // namespace ta2s2
