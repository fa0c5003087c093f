// docs/math.md, section 1 against mpmath with 50 digits (tools/make_golden/integrated_likelihood.py): three data
// sets, six correlations, three trends, four (phi, nugget), with conditions up to 4e7; and of transformed outputs.
//
// Tolerances, with epsilon and D of golden_model.hpp, Q y = w, and kriging weights lambda(x):
//   S2 = y'Qy             changes by w'Dw <= ||D|| ||K^-1|| S2, since w'w <= ||K^-1|| S2:         epsilon S2
//   log likelihood        1/2 tr(K^-1 D) + 1/2 tr((K^-1 - Q) D) + (m/2) dS2/S2, q + m = n:         n epsilon
//   mean(x)               lambda'Dw, and lambda'K lambda <= (1 + sqrt c(x,x))^2 as K is the
//                         variance of what lambda sums:                          epsilon (1 + sqrt c) sqrt S2
//   c(x, w)               lambda(x)'D lambda(w):                 epsilon (1 + sqrt c(x,x)) (1 + sqrt c(w,w))
//   beta_hat_j            b'Dw with b'Kb = G_jj, G = (H'K^-1 H)^-1:                     epsilon sqrt(G_jj S2)
// and everything may be off by a few last bits of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "golden/golden_model.hpp"
#include "ta2s2/gp/block_predictor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/likelihood_engine.hpp"

namespace ta2s2 {
namespace {

using golden::Json;

const Json& likelihood_truths() {
  static const Json json = golden::load("integrated_likelihood.json");
  return json;
}

// A few last bits of a sum whose terms are no larger than `size`.
double last_bits(double size) {
  return 16.0 * golden::kRoundingUnit * (1.0 + std::abs(size));
}

struct Case {
  explicit Case(const Json& json, const Vector& y, Exponent exponent = Exponent::model)
      : Case(json, golden::data_set_of(likelihood_truths(), json), y, exponent) {}
  explicit Case(const Json& json, Exponent exponent = Exponent::model)
      : Case(json, golden::to_vector(golden::data_set_of(likelihood_truths(), json).at("y")), exponent) {}

  Json item;
  Matrix new_points;
  GpModel model;
  GpParameters parameters;
  GpFactor factor;
  double epsilon = 0.0;

  double log_likelihood_here() const { return log_likelihood(model, factor); }
  double log_likelihood_tolerance() const {
    const double n = static_cast<double>(model.num_runs());
    return n * epsilon + last_bits(std::abs(factor.log_det_K) + n * std::abs(std::log(factor.S2)) + n);
  }

 private:
  Case(const Json& json, const Json& data_set, const Vector& y, Exponent exponent)
      : item(json),
        new_points(golden::to_matrix(data_set.at("new_points"))),
        model(golden::model_of(json, golden::to_matrix(data_set.at("X")), y, exponent)),
        parameters(golden::parameters_of(json)) {
    EXPECT_EQ(factorise(model, parameters, factor), Impossible::no) << golden::label_of(item);
    if (item.contains("condition")) epsilon = golden::perturbation(model.num_runs(), item.at("condition"));
  }
};

TEST(IntegratedLikelihood, EqualsExtendedPrecision) {
  for (const Json& item : likelihood_truths().at("cases")) {
    SCOPED_TRACE(golden::label_of(item));
    const Case at(item);
    EXPECT_EQ(at.model.degrees_of_freedom(), item.at("m").get<Index>());
    EXPECT_NEAR(at.log_likelihood_here(), item.at("log_likelihood").get<double>(), at.log_likelihood_tolerance());
    const double s2 = item.at("s2");
    EXPECT_NEAR(at.factor.S2, s2, (at.epsilon + last_bits(1.0)) * s2);
  }
}

TEST(IntegratedLikelihood, PaperExponentEqualsExtendedPrecision) {
  int compared = 0;
  for (const Json& item : likelihood_truths().at("cases")) {
    if (!item.contains("paper_log_likelihood")) continue;
    SCOPED_TRACE(golden::label_of(item));
    const Case at(item, Exponent::paper);
    EXPECT_NEAR(at.log_likelihood_here(), item.at("paper_log_likelihood").get<double>(), at.log_likelihood_tolerance());
    ++compared;
  }
  EXPECT_EQ(compared, 72);  // every case without a trend
}

// The mutants: one degree of freedom too few or too many (a term log S2 / 2), a lost constant, a lost trend
// term, a nugget left out, one output changed in its seventh digit. Each must be seen where K is well
// conditioned.
TEST(IntegratedLikelihood, ComparisonCanFail) {
  int seen = 0, well_conditioned = 0;
  for (const Json& item : likelihood_truths().at("cases")) {
    const Case at(item);
    if (item.at("condition").get<double>() > 1e3) continue;
    ++well_conditioned;
    const double truth = item.at("log_likelihood"), tolerance = at.log_likelihood_tolerance();
    const double value = at.log_likelihood_here();
    const double half_log_s2 = 0.5 * std::log(at.factor.S2);
    EXPECT_GT(std::abs(value + half_log_s2 - truth), tolerance) << golden::label_of(item);
    EXPECT_GT(std::abs(value - half_log_s2 - truth), tolerance) << golden::label_of(item);
    EXPECT_GT(std::abs(value + 0.5 * std::log(std::numbers::pi) - truth), tolerance) << golden::label_of(item);
    if (at.model.num_trend_columns() > 0) {
      EXPECT_GT(std::abs(value + 0.5 * at.factor.log_det_trend - truth), tolerance) << golden::label_of(item);
    }
    Vector y = at.model.y();
    y[0] *= 1.0 + 1e-7;
    if (std::abs(Case(item, y).log_likelihood_here() - truth) > tolerance) ++seen;
  }
  EXPECT_GE(well_conditioned, 24);
  EXPECT_EQ(seen, well_conditioned);
}

TEST(ConditionalPredictor, EqualsExtendedPrecision) {
  for (const Json& item : likelihood_truths().at("cases")) {
    SCOPED_TRACE(golden::label_of(item));
    const Case at(item);
    const ConditionalPredictor predictor(at.model, at.parameters);
    Vector mean, c;
    predictor.predict(at.new_points, mean, c);
    const Matrix c_all = predictor.covariance(at.new_points, at.new_points);

    const Vector true_mean = golden::to_vector(item.at("mean")), true_c = golden::to_vector(item.at("c_diagonal"));
    const Vector weight_length = 1.0 + true_c.array().sqrt();
    const double root_s2 = std::sqrt(item.at("s2").get<double>());
    for (Index i = 0; i < 3; ++i) {
      const double c_tolerance = at.epsilon * weight_length[i] * weight_length[i] + last_bits(true_c[i]);
      EXPECT_NEAR(mean[i], true_mean[i], at.epsilon * weight_length[i] * root_s2 + last_bits(true_mean[i])) << i;
      EXPECT_NEAR(c[i], true_c[i], c_tolerance) << i;
      EXPECT_NEAR(c_all(i, i), true_c[i], c_tolerance) << i;
    }
    const std::pair<Index, Index> pairs[] = {{0, 1}, {0, 2}, {1, 2}};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [i, j] = pairs[k];
      const double truth = item.at("c_pairs").at(k);
      const double tolerance = at.epsilon * weight_length[i] * weight_length[j] + last_bits(1.0);
      EXPECT_NEAR(c_all(i, j), truth, tolerance) << i << ' ' << j;
      EXPECT_NEAR(c_all(j, i), truth, tolerance) << i << ' ' << j;
    }
  }
}

TEST(BlockPredictor, EqualsExtendedPrecisionOnEveryPath) {
  for (const Json& item : likelihood_truths().at("cases")) {
    const Case at(item);
    const Vector true_mean = golden::to_vector(item.at("mean")), true_c = golden::to_vector(item.at("c_diagonal"));
    const double root_s2 = std::sqrt(item.at("s2").get<double>());
    for (const InstructionSet path : supported_instruction_sets()) {
      SCOPED_TRACE(golden::label_of(item) + " " + instruction_set_name(path));
      const auto predictor = make_block_predictor(at.model, at.new_points, path);
      BlockPrediction found;
      predictor->predict(at.parameters, *predictor->make_workspace(), found);
      for (Index i = 0; i < 3; ++i) {
        const double length = 1.0 + std::sqrt(true_c[i]);
        EXPECT_NEAR(found.mean[i], true_mean[i], at.epsilon * length * root_s2 + last_bits(true_mean[i])) << i;
        EXPECT_NEAR(found.c[i], true_c[i], at.epsilon * length * length + last_bits(true_c[i])) << i;
      }
    }
  }
}

TEST(ConditionalPredictor, TrendCoefficientsEqualExtendedPrecision) {
  for (const Json& item : likelihood_truths().at("cases")) {
    SCOPED_TRACE(golden::label_of(item));
    const Case at(item);
    const ConditionalPredictor predictor(at.model, at.parameters);
    const Index q = at.model.num_trend_columns();
    ASSERT_EQ(predictor.beta_hat().size(), q);
    if (q == 0) continue;
    const Vector truth = golden::to_vector(item.at("beta_hat"));
    const Matrix R_inverse = at.factor.R.triangularView<Eigen::Upper>().solve(Matrix::Identity(q, q));  // G = R^-1 R^-T
    for (Index j = 0; j < q; ++j) {
      const double scale = R_inverse.row(j).norm() * std::sqrt(at.factor.S2);
      EXPECT_NEAR(predictor.beta_hat()[j], truth[j], at.epsilon * scale + last_bits(truth.cwiseAbs().maxCoeff())) << j;
    }
  }
}

// Of transformed outputs. Each is right to a few last bits of itself or of one, and w'dy with w'w <= ||K^-1|| S2 moves
// log S2 by 2 |dy| sqrt(condition / S2).
struct TransformedCase {
  explicit TransformedCase(const Json& json)
      : item(json),
        data_set(golden::data_set_of(likelihood_truths(), json)),
        model(golden::to_matrix(data_set.at("X")), golden::to_vector(data_set.at("y")),
              Trend(json.at("trend"), golden::input_names(data_set.at("p"))), make_covariance(json.at("correlation")),
              Exponent::model, TrendPrior::flat,
              OutputTransform(kind_of(json.at("transform")), json.at("sign"), json.at("origin"), json.at("scale"))),
        parameters(golden::parameters_of(json)),
        outputs(golden::to_vector(json.at("outputs"))) {
    if (!json.at("parameters").empty()) parameters.transform = golden::to_vector(json.at("parameters"));
    const double condition = json.at("condition"), s2 = json.at("s2"), n = static_cast<double>(model.num_runs());
    epsilon = golden::perturbation(model.num_runs(), condition);
    const double moved = last_bits(outputs.cwiseAbs().maxCoeff()) * std::sqrt(n);
    tolerance = n * (epsilon + moved * std::sqrt(condition / s2)) + last_bits(10.0 * n);
  }

  static TransformKind kind_of(const std::string& name) {
    if (name == "log") return TransformKind::log;
    return name == "box-cox" ? TransformKind::box_cox : TransformKind::sinh_arcsinh;
  }

  Json item, data_set;
  GpModel model;
  GpParameters parameters;
  Vector outputs;
  double epsilon = 0.0, tolerance = 0.0;
};

std::string transformed_label(const Json& item) {
  return golden::label_of(item) + ' ' + item.at("transform").get<std::string>() + ' ' + item.at("parameters").dump();
}

TEST(TransformedLikelihood, EqualsExtendedPrecision) {
  int compared = 0;
  for (const Json& item : likelihood_truths().at("transformed")) {
    SCOPED_TRACE(transformed_label(item));
    const TransformedCase at(item);
    GpFactor factor;
    ASSERT_EQ(factorise(at.model, at.parameters, factor), Impossible::no);
    for (Index i = 0; i < at.outputs.size(); ++i) {
      EXPECT_NEAR(factor.output[i], at.outputs[i], last_bits(at.outputs[i])) << i;
    }
    EXPECT_NEAR(factor.log_jacobian, item.at("log_jacobian").get<double>(),
                last_bits(10.0 * static_cast<double>(at.outputs.size())));
    EXPECT_NEAR(log_likelihood(at.model, factor), item.at("log_likelihood").get<double>(), at.tolerance);
    ++compared;
  }
  EXPECT_EQ(compared, 64);
}

// On every path, and predictions in units of g.
TEST(TransformedLikelihood, EqualsExtendedPrecisionOnEveryPath) {
  for (const Json& item : likelihood_truths().at("transformed")) {
    const TransformedCase at(item);
    const Matrix new_points = golden::to_matrix(at.data_set.at("new_points"));
    const Vector log_phi = at.parameters.phi.array().log(), true_c = golden::to_vector(item.at("c_diagonal"));
    const Vector true_mean = golden::to_vector(item.at("mean"));
    const LikelihoodPoint point{log_phi.data(), at.parameters.nugget, at.parameters.log_shape,
                                at.parameters.transform.data()};
    for (const InstructionSet path : supported_instruction_sets()) {
      SCOPED_TRACE(transformed_label(item) + ' ' + instruction_set_name(path));
      const auto engine = make_likelihood_engine(at.model, InformationOver::nothing, path);
      PointLikelihood found;
      engine->evaluate({&point, 1}, *engine->make_workspace(), {&found, 1});
      EXPECT_NEAR(found.log_likelihood, item.at("log_likelihood").get<double>(), at.tolerance);
      const auto predictor = make_block_predictor(at.model, new_points, path);
      BlockPrediction predicted;
      predictor->predict(at.parameters, *predictor->make_workspace(), predicted);
      for (Index i = 0; i < 3; ++i) {
        const double length = 1.0 + std::sqrt(true_c[i]), size = std::sqrt(item.at("s2").get<double>());
        EXPECT_NEAR(predicted.mean[i], true_mean[i], at.tolerance * length * size + last_bits(true_mean[i])) << i;
        EXPECT_NEAR(predicted.c[i], true_c[i], at.epsilon * length * length + last_bits(true_c[i])) << i;
      }
    }
  }
}

// The mutants: a Jacobian of all n runs, or none, and parameters changed in their seventh digit.
TEST(TransformedLikelihood, ComparisonCanFail) {
  for (const Json& item : likelihood_truths().at("transformed")) {
    SCOPED_TRACE(transformed_label(item));
    const TransformedCase at(item);
    const double log_jacobian = item.at("log_jacobian"), truth = item.at("log_likelihood");
    const double share = at.model.jacobian_share(at.model.num_runs());
    EXPECT_GT(std::abs(log_jacobian / share - log_jacobian), at.tolerance);
    EXPECT_GT(std::abs(log_jacobian), at.tolerance);
    if (at.parameters.transform.size() == 0) continue;
    GpParameters wrong = at.parameters;
    wrong.transform.array() += 1e-7;
    GpFactor factor;
    ASSERT_EQ(factorise(at.model, wrong, factor), Impossible::no);
    EXPECT_GT(std::abs(log_likelihood(at.model, factor) - truth), at.tolerance);
  }
}

double student_log_density(double y, double mean, double scale2, double df) {
  return std::lgamma(0.5 * (df + 1.0)) - std::lgamma(0.5 * df) - 0.5 * std::log(df * std::numbers::pi * scale2) -
         0.5 * (df + 1.0) * std::log1p((y - mean) * (y - mean) / (df * scale2));
}

// The truth is a refit of the other runs for each. The condition of K is that of the case with the same
// setting, and a principal submatrix of K is no worse conditioned; S2 of the others is no larger than S2.
TEST(LeaveOneOut, EqualsARefit) {
  for (const Json& item : likelihood_truths().at("leave_one_out")) {
    SCOPED_TRACE(golden::label_of(item));
    const auto& cases = likelihood_truths().at("cases");
    const auto same = std::find_if(cases.begin(), cases.end(), [&](const Json& other) {
      return golden::label_of(other) == golden::label_of(item) && other.at("delta") == item.at("delta");
    });
    ASSERT_NE(same, cases.end());
    const Case at(*same);
    const auto loo = ConditionalPredictor(at.model, at.parameters).leave_one_out();
    ASSERT_EQ(loo.degrees_of_freedom, item.at("df").get<Index>());
    const auto df = static_cast<double>(loo.degrees_of_freedom);

    const Vector mean = golden::to_vector(item.at("mean")), scale2 = golden::to_vector(item.at("scale2"));
    const Vector log_density = golden::to_vector(item.at("log_density"));
    for (Index i = 0; i < mean.size(); ++i) {
      const double s2_per_df = at.factor.S2 / df;
      const double weight_length = 1.0 + std::sqrt(scale2[i] / s2_per_df);
      EXPECT_NEAR(loo.mean[i], mean[i], at.epsilon * weight_length * std::sqrt(at.factor.S2) + last_bits(mean[i])) << i;
      // scale2 = (S2/df)(c + nugget): each factor to its own tolerance.
      const double scale2_tolerance = at.epsilon * (scale2[i] + weight_length * weight_length * s2_per_df);
      EXPECT_NEAR(loo.scale2[i], scale2[i], scale2_tolerance + last_bits(0.0) * scale2[i]) << i;
      // log p(y) - log p(y without i): twice the tolerance of a log likelihood.
      EXPECT_NEAR(student_log_density(at.model.y()[i], loo.mean[i], loo.scale2[i], df), log_density[i],
                  2.0 * at.log_likelihood_tolerance())
          << i;
      // The mutant: S2 of all runs in place of that of the others, which is S2 / (1 + error^2 / (df scale2)).
      const double error = at.model.y()[i] - mean[i];
      EXPECT_GT(error * error / df, scale2_tolerance) << i;
    }
  }
}

}  // namespace
}  // namespace ta2s2
