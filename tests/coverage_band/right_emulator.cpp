#include "coverage_band/right_emulator.hpp"

#include "ta2s2/design.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::coverage {

RightEmulator draw_right_emulator(const ProblemSize& size, std::uint64_t seed, Index index) {
  // Level 2: the report's own replicates have level 1.
  Stream stream({seed, Purpose::predictive_draw, 2, static_cast<std::uint64_t>(index)});
  const Index n = size.runs, m = size.validation, p = size.inputs;
  Matrix points(n + m, p);
  points << make_design({p, n, DesignKind::random, stream.bits()}),
      Matrix::NullaryExpr(m, p, [&] { return draw_uniform(stream); });
  const Vector phi = Vector::Constant(p, size.length * size.length);
  const std::shared_ptr<const Covariance> covariance = make_covariance("matern52");
  Matrix K;
  covariance->fill(points, phi, K);
  K.diagonal().array() += size.nugget;
  const Vector y = draw_correlated_normals(stream, regularised_factor(K));

  std::vector<std::string> names;
  for (Index d = 1; d <= p; ++d) names.push_back("x" + std::to_string(d));
  const auto space = ParameterSpace::with_fixed_nugget(names, size.nugget);
  const PosteriorSample truth{space.names(), space.position({phi, size.nugget}), Vector::Ones(1), Vector::Zero(1)};
  auto model = std::make_shared<GpModel>(points.topRows(n), y.head(n), Trend("constant", names), covariance);
  const Scaling scaling(Vector::Zero(p), Vector::Ones(p), 0.0, 1.0);
  return {Predictive(std::move(model), scaling, space, truth), y.head(n), points.bottomRows(m), y.tail(m)};
}

}  // namespace ta2s2::coverage
