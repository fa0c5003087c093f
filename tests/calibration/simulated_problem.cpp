#include "calibration/simulated_problem.hpp"

#include <iterator>
#include <string>

#include "ta2s2/design.hpp"
#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/linalg/decompositions.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2::calibration {
namespace {

constexpr DesignKind kDesigns[] = {DesignKind::maximin, DesignKind::random, DesignKind::sobol};

std::vector<std::string> input_names(Index count) {
  std::vector<std::string> names;
  for (Index d = 1; d <= count; ++d) names.push_back("x" + std::to_string(d));
  return names;
}

Matrix draw_points(Stream& stream, Index rows, Index cols) {
  return Matrix::NullaryExpr(rows, cols, [&] { return draw_uniform(stream); });
}

double draw_inside(const NormalCoordinate& coordinate, Stream& stream) {
  for (;;) {
    const double value = coordinate.mean + coordinate.sd * draw_normal(stream);
    if (coordinate.box.low <= value && value <= coordinate.box.high) return value;
  }
}

Vector draw_from_prior(const FitOptions& options, const PriorContext& context, const ParameterSpace& space,
                       Stream& stream) {
  const auto length_scales = make_length_scale_prior(options.prior, context);
  const NuggetPrior nugget = make_nugget_prior(options.nugget, options.nugget_box);
  Vector z(space.dim());
  z.head(length_scales->dim()) = length_scales->draw(stream);
  if (nugget.prior) z.segment(length_scales->dim(), 1) = nugget.prior->draw(stream);
  for (Index k = 0; k < space.num_normal(); ++k) {
    z[space.first_normal() + k] = draw_inside(space.normal_coordinates()[static_cast<std::size_t>(k)], stream);
  }
  return z;
}

Matrix covariance_of_runs(const Covariance& correlation, const Matrix& points, const GpParameters& parameters) {
  Matrix K;
  correlation.fill(points, parameters, K);
  K.diagonal().array() += parameters.nugget;
  return K;
}

bool has_cholesky(Matrix K) {
  return cholesky_in_place(K) == CholeskyStatus::ok;
}

// A fit gives no density to a K without a Cholesky factor, and neither does this: the same prior for both.
Vector draw_possible_position(const FitOptions& options, const Matrix& design, const std::vector<std::string>& names,
                              const ParameterSpace& space, Stream& stream) {
  const PriorContext context{design.rows(), Trend(options.trend, names).size(), names, options.box};
  const auto correlation = make_covariance(for_single_model(options).correlation);
  for (;;) {
    const Vector z = draw_from_prior(options, context, space, stream);
    if (has_cholesky(covariance_of_runs(*correlation, design, space.natural(z)))) return z;
  }
}

// N(0, K). By eigenvectors, since with new points among the runs K may have no Cholesky factor in double precision.
Vector draw_process(Stream& stream, const Matrix& K) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K);
  const Vector sds = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return eigen.eigenvectors() * sds.cwiseProduct(draw_normals(stream, K.rows()));
}

}  // namespace

SimulatedProblem simulate_problem(const FitOptions& options, std::uint64_t seed, Index index) {
  // A fit draws nothing for this purpose, so that problem and fit share no random number.
  Stream stream({.seed = seed, .purpose = Purpose::predictive_draw, .level = static_cast<std::uint64_t>(index)});
  const Index p = 1 + index % kMostInputs;
  const Index n = kFewestRuns + draw_index(stream, kMostRuns - kFewestRuns + 1);
  const DesignKind kind = kDesigns[(index / kMostInputs) % static_cast<Index>(std::size(kDesigns))];
  const Matrix design = make_design({.inputs = p, .runs = n, .kind = kind, .seed = stream.bits()});
  Matrix points(n + kNumNewRuns, p);
  points << design, draw_points(stream, kNumNewRuns, p);

  const std::vector<std::string> names = input_names(p);
  const ParameterSpace space = make_space(OutputRuns(design, Vector::Zero(n), names, "y"), options, {});
  const Vector z = draw_possible_position(options, design, names, space, stream);
  const Matrix K =
      covariance_of_runs(*make_covariance(for_single_model(options).correlation), points, space.natural(z));
  const Vector y = draw_process(stream, K);

  std::vector<InputRange> ranges;
  for (const std::string& name : names) ranges.push_back({name, 0.0, 1.0});
  return {OutputRuns(design, y.head(n), names, "y"),
          OutputRuns(points.bottomRows(kNumNewRuns), y.tail(kNumNewRuns), names, "y"), ranges, z};
}

}  // namespace ta2s2::calibration
