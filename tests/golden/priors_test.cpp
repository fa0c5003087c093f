// Every prior of docs/math.md, section 2 as a density of z against mpmath with 50 digits
// (tools/make_golden/priors.py), which carries the natural density to z by numerical differentiation: no
// Jacobian is written down there.
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_model.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/prior.hpp"

namespace ta2s2 {
namespace {

using golden::Json;

const Json& prior_truths() {
  static const Json json = golden::load("priors.json");
  return json;
}

// All the mass of every prior of log phi lies inside, to 1e-18: the density before renormalisation on a box.
constexpr Interval kAllLogPhi{-100.0, 200.0};
// The same for z_nugget: (5.1) rounds to its limits beyond.
constexpr Interval kAllNugget{-700.0, 40.0};

Interval interval(const Json& json) {
  return {json.at(0), json.at(1)};
}

Vector one(double z) {
  return Vector::Constant(1, z);
}

// A log density is a sum of a dozen terms (constants, powers, z itself), each right to a few rounding units u
// of its own size; constants and z are below 50, and the one term that may be larger, rate * v, then is the
// sum. The mass, a difference of two cdfs that Boost gives to about 50 u, is above 0.8 here.
double tolerance(double log_density) {
  return 16.0 * golden::kRoundingUnit * (50.0 + std::abs(log_density));
}

std::unique_ptr<Prior> prior_of_one_phi(const std::string& spec, Interval box) {
  return make_length_scale_prior(spec, {20, 0, golden::input_names(1), box});
}

TEST(LengthScalePriors, EqualExtendedPrecision) {
  for (const Json& item : prior_truths().at("log_phi")) {
    SCOPED_TRACE(item.at("prior").get<std::string>());
    const auto on_box = prior_of_one_phi(item.at("prior"), interval(prior_truths().at("box")));
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const Vector z = one(item.at("z").at(i));
      const double truth_on_box = item.at("log_density_on_box").at(i);
      EXPECT_NEAR(on_box->log_density(z), truth_on_box, tolerance(truth_on_box)) << z;
      if (item.at("log_density").is_null()) continue;  // log-uniform: nothing without a box
      const double truth = item.at("log_density").at(i);
      EXPECT_NEAR(prior_of_one_phi(item.at("prior"), kAllLogPhi)->log_density(z), truth, tolerance(truth)) << z;
    }
  }
}

TEST(LengthScalePriors, OfSeveralInputsAreTheProduct) {
  for (const Json& item : prior_truths().at("log_phi")) {
    const auto prior = make_length_scale_prior(item.at("prior"), {20, 0, golden::input_names(3)});
    const Vector z = golden::to_vector(item.at("z"));
    const Vector truth = golden::to_vector(item.at("log_density_on_box"));
    EXPECT_NEAR(prior->log_density(z.segment(2, 3)), truth.segment(2, 3).sum(), 3.0 * tolerance(truth.minCoeff()));
  }
}

// The mutant that docs/math.md warns of: the Jacobian d phi / d z = phi left out. And it shows at every point but z
// = 0.
TEST(LengthScalePriors, ComparisonSeesAMissingJacobian) {
  for (const Json& item : prior_truths().at("log_phi")) {
    const auto prior = prior_of_one_phi(item.at("prior"), interval(prior_truths().at("box")));
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const double z = item.at("z").at(i), truth = item.at("log_density_on_box").at(i);
      const double without_jacobian = prior->log_density(one(z)) - z;
      EXPECT_GT(std::abs(without_jacobian - truth), tolerance(truth)) << item.at("prior") << ' ' << z;
    }
  }
}

TEST(JointlyRobustPrior, EqualsExtendedPrecisionWithoutABox) {
  for (const Json& item : prior_truths().at("jointly_robust")) {
    const auto prior =
        make_length_scale_prior("jointly-robust", {item.at("n"), 0, golden::input_names(item.at("p")), kAllLogPhi});
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const double truth = item.at("log_density").at(i);
      EXPECT_NEAR(prior->log_density(golden::to_vector(item.at("z").at(i))), truth, tolerance(truth)) << i;
    }
  }
}

TEST(JointlyRobustPrior, EqualsExtendedPrecisionOnABox) {
  for (const Json& item : prior_truths().at("jointly_robust")) {
    const auto prior = make_length_scale_prior(
        "jointly-robust", {item.at("n"), 0, golden::input_names(item.at("p")), interval(prior_truths().at("box"))});
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const double truth = item.at("log_density_on_box").at(i);
      const double value = prior->log_density(golden::to_vector(item.at("z").at(i)));
      EXPECT_NEAR(value, truth, tolerance(truth)) << i;
      // The mutant: not renormalised on the box.
      EXPECT_GT(std::abs(value + item.at("log_box_mass").get<double>() - truth), tolerance(truth));
    }
  }
}

// Up to a hundred inputs, where next to none of the prior may lie in the box: tools/make_golden/sparse_prior.py. Sums
// have p terms. The mass is an integral of a p-th power of an integral that is right to some ten rounding units.
TEST(JointlyRobustPriors, EqualExtendedPrecisionOnTheirOwnBoxes) {
  for (const Json& item : golden::load("sparse_prior.json").at("cases")) {
    const Index p = item.at("p");
    SCOPED_TRACE(testing::Message() << item.at("prior") << ' ' << p);
    const auto names = golden::input_names(p);
    const auto prior = make_length_scale_prior(item.at("prior"), {item.at("n"), 0, names, interval(item.at("box"))});
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const double truth = item.at("log_density_on_box").at(i);
      const double tolerated = static_cast<double>(p) * tolerance(truth);
      const double value = prior->log_density(golden::to_vector(item.at("z").at(i)));
      EXPECT_NEAR(value, truth, tolerated) << i;
      // The mutant: another number of runs.
      const auto other = make_length_scale_prior(item.at("prior"),
                                                 {item.at("n").get<Index>() + 1, 0, names, interval(item.at("box"))});
      EXPECT_GT(std::abs(other->log_density(golden::to_vector(item.at("z").at(i))) - truth), tolerated) << i;
    }
  }
}

// As `tolerance`, and delta is rounded to a double: that moves (b - 1) log(1 - delta) by (b - 1) u / (1 -
// delta), up to 1e-11 for the beta(2, 5) at the upper border of the box.
double nugget_tolerance(double log_density, double delta) {
  return tolerance(log_density) + 8.0 * golden::kRoundingUnit / (1.0 - delta);
}

TEST(NuggetPriors, EqualExtendedPrecision) {
  for (const Json& item : prior_truths().at("nugget")) {
    SCOPED_TRACE(item.at("prior").get<std::string>());
    const auto everywhere = make_nugget_prior(item.at("prior"), kAllNugget).prior;
    const auto on_box = make_nugget_prior(item.at("prior"), interval(prior_truths().at("nugget_box"))).prior;
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const double z = item.at("z").at(i), delta = item.at("delta").at(i);
      EXPECT_NEAR(nugget_from_position(z), delta, 4.0 * golden::kRoundingUnit * delta) << z;
      const double truth = item.at("log_density").at(i), truth_on_box = item.at("log_density_on_box").at(i);
      EXPECT_NEAR(everywhere->log_density(one(z)), truth, nugget_tolerance(truth, delta)) << z;
      EXPECT_NEAR(on_box->log_density(one(z)), truth_on_box, nugget_tolerance(truth_on_box, delta)) << z;
    }
  }
}

// The mutant of the authors' code (docs/math.md, section 5): the nugget's Jacobian left out.
TEST(NuggetPriors, ComparisonSeesAMissingJacobian) {
  for (const Json& item : prior_truths().at("nugget")) {
    const auto prior = make_nugget_prior(item.at("prior")).prior;
    for (std::size_t i = 0; i < item.at("z").size(); ++i) {
      const double z = item.at("z").at(i), truth = item.at("log_density_on_box").at(i);
      const double without_jacobian = prior->log_density(one(z)) - log_nugget_jacobian(z);
      EXPECT_GT(std::abs(without_jacobian - truth), nugget_tolerance(truth, item.at("delta").at(i))) << z;
    }
  }
}

struct ReferenceCase {
  explicit ReferenceCase(const Json& json)
      : item(json),
        X(golden::to_matrix(golden::data_set_of(prior_truths().at("reference"), json).at("X"))),
        model(golden::model_of(json, X, Vector::LinSpaced(X.rows(), -1.0, 1.0))),  // the prior does not see y
        z(X.cols() + 1) {
    z << golden::to_vector(item.at("z")), item.at("z_delta").get<double>();
    parameters = ParameterSpace::with_sampled_nugget(golden::input_names(X.cols())).natural(z);
    parameters.log_shape = golden::log_shape_of(item);
    EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  }

  double log_prior(const std::string& spec) const {
    InformationScratch scratch;
    const auto prior =
        make_length_scale_prior(spec, {X.rows(), model.num_trend_columns(), golden::input_names(X.cols())});
    return prior->log_density_given(
        z, log_information_root(model, parameters, factor, prior->needs_information(), scratch));
  }

  Json item;
  Matrix X;
  GpModel model;
  Vector z;
  GpParameters parameters;
  GpFactor factor;
};

// log (m product of tr W_i W_i)^(1/2), by dense algebra.
double log_root_of_diagonal(const ReferenceCase& at, bool joint) {
  const Index n = at.model.num_runs(), p = at.model.num_inputs();
  Matrix K = at.factor.K;
  K.diagonal().array() += at.parameters.nugget;
  const Matrix K_inverse = K.inverse(), H = at.model.H();
  Matrix Q = K_inverse;
  if (H.cols() > 0) Q -= K_inverse * H * (H.transpose() * K_inverse * H).inverse() * H.transpose() * K_inverse;
  double log_product = std::log(static_cast<double>(at.model.residual_rank()));
  for (Index i = 0; i < p + (joint ? 1 : 0); ++i) {
    Matrix dK = std::exp(log_nugget_jacobian(at.z[p])) * Matrix::Identity(n, n);
    if (i < p) at.model.covariance().fill_derivative(at.X, at.parameters, at.factor.K, i, dK);
    const Matrix W = dK * Q;
    log_product += std::log((W * W).trace());
  }
  return 0.5 * log_product;
}

// |I|^(1/2) = sqrt(m) times the volume that the traceless parts B_i of the whitened derivatives A_i span
// (reference.cpp). Each A_i is right to 2 epsilon |A_i|, for its two whitenings. In a volume an edge counts
// relative to its distance r_i from the span of the others, and r_i / |B_i| >= volume / product of |B_j|. So
// the log is right to
//     sum_i 2 epsilon |A_i| / r_i <= 2 epsilon (number of edges) (product of |A_j|) / volume,
// where |A_j|^2 = tr W_j W_j.
double reference_tolerance(const ReferenceCase& at, double truth, bool joint) {
  const double num_edges = static_cast<double>(at.model.num_inputs() + (joint ? 1 : 0));
  const double epsilon = golden::perturbation(at.model.num_runs(), at.item.at("condition"));
  return 2.0 * epsilon * num_edges * std::exp(log_root_of_diagonal(at, joint) - truth) + tolerance(truth);
}

TEST(ReferencePrior, EqualsExtendedPrecision) {
  for (const Json& item : prior_truths().at("reference").at("cases")) {
    SCOPED_TRACE(golden::label_of(item));
    const ReferenceCase at(item);
    const double given_nugget = item.at("log_prior"), joint = item.at("log_prior_joint");
    EXPECT_NEAR(at.log_prior("reference"), given_nugget, reference_tolerance(at, given_nugget, false));
    EXPECT_NEAR(at.log_prior("reference(joint)"), joint, reference_tolerance(at, joint, true));
  }
}

// The mutants: the triangular information matrix of the authors' code, whose determinant is the product of
// its diagonal (docs/math.md, section 5); derivatives in phi in place of log phi; and the nugget's Jacobian lost in
// the joint prior.
TEST(ReferencePrior, ComparisonCanFail) {
  for (const Json& item : prior_truths().at("reference").at("cases")) {
    SCOPED_TRACE(golden::label_of(item));
    const ReferenceCase at(item);
    const double truth = item.at("log_prior"), joint = item.at("log_prior_joint");
    const double tolerated = reference_tolerance(at, truth, false),
                 tolerated_joint = reference_tolerance(at, joint, true);
    EXPECT_GT(std::abs(log_root_of_diagonal(at, false) - truth), tolerated);
    EXPECT_GT(std::abs(log_root_of_diagonal(at, true) - joint), tolerated_joint);
    const double lost_jacobian = log_nugget_jacobian(item.at("z_delta"));
    EXPECT_GT(std::abs(at.log_prior("reference(joint)") - lost_jacobian - joint), tolerated_joint);
    const double sum_of_z = golden::to_vector(item.at("z")).sum();
    if (std::abs(sum_of_z) < 1e-12) continue;  // the Jacobians of this point multiply to 1
    EXPECT_GT(std::abs(at.log_prior("reference") - sum_of_z - truth), tolerated);
  }
}

}  // namespace
}  // namespace ta2s2
