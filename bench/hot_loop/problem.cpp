#include "problem.hpp"

#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/rng/stream.hpp"

namespace ta2s2::bench {
namespace {

// Every input acts, each over its own length, and with its neighbour.
double smooth_function(VectorView x) {
  double sum = 0.0;
  for (Index d = 0; d < x.size(); ++d) {
    sum += std::sin(1.3 * static_cast<double>(d + 1) * x[d]) + 0.3 * x[d] * x[(d + 1) % x.size()];
  }
  return sum;
}

std::vector<std::string> input_names(Index p) {
  std::vector<std::string> names;
  for (Index d = 0; d < p; ++d) names.push_back("x" + std::to_string(d + 1));
  return names;
}

}  // namespace

Runs make_runs(Index n, Index p) {
  Runs runs{make_design({p, n, DesignKind::random, 11}), Vector(n)};
  for (Index i = 0; i < n; ++i) runs.y[i] = smooth_function(runs.X.row(i).transpose());
  runs.y.array() -= runs.y.mean();
  runs.y /= std::sqrt(runs.y.squaredNorm() / static_cast<double>(n));
  return runs;
}

GpTarget make_target(const Runs& runs, const ModelChoice& choice) {
  const auto names = input_names(runs.X.cols());
  const double below_all = runs.y.minCoeff() - 1.0;  // where a logarithm has its zero
  const auto model = std::make_shared<const GpModel>(
      runs.X, runs.y, Trend(choice.trend, names), make_covariance(choice.correlation), Exponent::model,
      TrendPrior::flat, OutputTransform::from(choice.transform, runs.y, below_all));
  const auto space = ParameterSpace::with_fixed_nugget(names, kNugget);
  const PriorContext context{runs.X.rows(), model->num_trend_columns(), names, kDefaultLogPhiBox};
  std::shared_ptr<const Prior> prior = make_length_scale_prior(choice.prior, context);
  return GpTarget(model, space.with_normal_coordinates(model->covariance().shape(), model->transform().coordinates()),
                  prior, nullptr, TemperingStart::posterior);
}

Matrix make_positions(Index p, Index count) {
  Stream stream({7, Purpose::start_point, 0, 0, 0});
  Matrix positions(p, count);
  for (double& log_phi : positions.reshaped()) log_phi = 3.0 * draw_uniform(stream) - 1.5;
  return positions;
}

}  // namespace ta2s2::bench
